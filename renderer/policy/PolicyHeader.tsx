import {
  ChevronDown,
  ClipboardCopy,
  CopyCheck,
  Download,
  Ellipsis,
  FileUp,
  GitCompareArrows,
  Redo2,
  SlidersHorizontal,
  Undo2,
} from 'lucide-react';
import { DropdownMenu, Popover } from 'radix-ui';
import { useMemo, useState } from 'react';
import { identify } from '../../core/projection/policyName.ts';
import { presetsFor } from '../../core/projection/presets.ts';
import { useAskedSpec } from '../state/askedSpec.ts';
import { elsewhereOf } from '../state/choices.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { namedPolicies } from '../state/policyActions.ts';
import { useTried } from '../state/useTried.ts';
import { lazily } from '../ui/lazily.tsx';
import { PresetMenu } from './PresetMenu.tsx';
import { SavePolicy } from './SavePolicy.tsx';
import { copySpec, downloadSpec } from './specFile.ts';

const ImportPolicyDialog = lazily(() => import('./ImportPolicyDialog.tsx').then((file) => file.ImportPolicyDialog));

/** Name of the policy, saving it, and its ways in and out. */
export function PolicyHeader() {
  const { tried } = useTried();
  const shown = useAppState((state) => state.projection.spec);
  const spec = tried?.base ?? shown;
  const describe = useAppState((state) => state.describe);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  const hasProjections = useAppState((state) => (state.session.info?.projections ?? 0) > 0);
  const after = useAppState((state) => state.ui.afterRecorded);
  const savedPolicies = useAppState((state) => state.savedPolicies);
  const presets = useMemo(
    () => presetsFor(describe?.presets ?? [], hasCompactions, after, hasProjections),
    [describe, hasCompactions, after, hasProjections],
  );
  const { saved, all } = useMemo(() => namedPolicies({ describe, savedPolicies }), [describe, savedPolicies]);
  const known = identify(spec, all);
  const isSaved = known !== null && saved.some((one) => one.name === known.policy.name);
  return (
    <div className="policy-head">
      <h2>Policy</h2>
      <PresetMenu presets={presets} saved={saved} current={known?.policy.name ?? null}>
        <Popover.Trigger className="preset-button" data-testid="preset-menu">
          <span className="ellipsis">{known?.policy.title ?? spec.name ?? 'Your own'}</span>
          {known?.edited !== false && (
            <span className="preset-edited" title={known ? 'Changed since it was chosen' : 'Not saved under a name'}>
              {known ? 'edited' : 'not saved'}
            </span>
          )}
          {tried !== null && (
            <span
              className="preset-trying"
              title="With a change that is tried, and not kept yet"
              data-testid="policy-trying"
            >
              + 1 try
            </span>
          )}
          <ChevronDown size={13} aria-hidden />
        </Popover.Trigger>
      </PresetMenu>
      <span className="grow" />
      <SavePolicy suggested={isSaved && known ? known.policy.name : ''} />
      <MoreMenu />
    </div>
  );
}

function MoreMenu() {
  const { actions } = useApp();
  const { undoSpec, redoSpec, takeOver, setMode, compareWithLast } = useActions();
  const elsewhere = useAppState(elsewhereOf);
  const spec = useAskedSpec();
  const canUndo = useAppState((state) => state.projection.past.length > 0);
  const canRedo = useAppState((state) => state.projection.future.length > 0);
  const [isImporting, setImporting] = useState(false);
  const copy = async () => {
    const isDone = await copySpec(spec);
    actions.toast(
      isDone
        ? { tone: 'ok', text: 'Policy copied as JSON.' }
        : { tone: 'error', text: 'The clipboard is not available.' },
    );
  };
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          className="icon-button"
          aria-label="Policy: import, export, undo"
          data-testid="policy-more"
        >
          <Ellipsis size={15} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="menu-item" disabled={!canUndo} onSelect={undoSpec}>
              <Undo2 size={14} aria-hidden /> Undo
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" disabled={!canRedo} onSelect={redoSpec}>
              <Redo2 size={14} aria-hidden /> Redo
            </DropdownMenu.Item>
            {elsewhere !== null && (
              <DropdownMenu.Item className="menu-item" data-testid="policy-use-here" onSelect={takeOver}>
                <CopyCheck size={14} aria-hidden />
                <span className="ellipsis">Use the policy of “{elsewhere.title}” here too</span>
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item className="menu-item" data-testid="policy-tune" onSelect={() => setMode('tune')}>
              <SlidersHorizontal size={14} aria-hidden /> Tune its options…
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="menu-line" />
            <DropdownMenu.Item className="menu-item" data-testid="policy-compare" onSelect={() => setMode('compare')}>
              <GitCompareArrows size={14} aria-hidden /> Compare with another policy…
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className="menu-item"
              disabled={!canUndo}
              data-testid="policy-compare-last"
              onSelect={compareWithLast}
            >
              <GitCompareArrows size={14} aria-hidden /> Compare with before the last change
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="menu-line" />
            <DropdownMenu.Item className="menu-item" onSelect={() => void copy()}>
              <ClipboardCopy size={14} aria-hidden /> Copy as JSON
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => downloadSpec(spec)}>
              <Download size={14} aria-hidden /> Save as file
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" data-testid="policy-import" onSelect={() => setImporting(true)}>
              <FileUp size={14} aria-hidden /> Import JSON…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isImporting && <ImportPolicyDialog onClose={() => setImporting(false)} />}
    </>
  );
}
