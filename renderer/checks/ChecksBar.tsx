import '../ui/progress.css';
import { ChevronDown, FileCheck, Play, RotateCw, Square } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { useApp, useHost } from '../state/context.tsx';
import type { CheckRun } from '../state/types.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { saveText } from '../ui/saveText.ts';
import type { Scope } from './ChecksMode.tsx';
import { type OpenRules, openRulesFiles } from './openRules.ts';
import { SaveResults } from './SaveResults.tsx';
import { type Rules, stopRun, typedRules } from './useChecks.ts';
import { VerdictSign } from './VerdictSign.tsx';
import { countRun, EXAMPLE, EXAMPLE_NAME, runText } from './words.ts';

interface Props {
  readonly rules: Rules;
  readonly run: CheckRun | null;
  readonly scope: {
    readonly value: Scope;
    readonly scopes: Readonly<Record<Scope, readonly string[]>>;
    readonly onChange: (scope: Scope) => void;
  };
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onOpen: OpenRules;
  readonly onRun: () => void;
}

/** Which rules, what became of them, over which transcripts, and what runs them or ends that. */
export function ChecksBar({ rules, run, scope, isEditing, onEdit, onOpen, onRun }: Props) {
  const app = useApp();
  const { file, read } = rules;
  const { scopes } = scope;
  const options: readonly { readonly value: Scope; readonly title: string }[] = [
    { value: 'session', title: 'This session' },
    ...(scopes.chosen.length > 1 || scope.value === 'chosen'
      ? [{ value: 'chosen' as const, title: `Chosen ${formatCount(scopes.chosen.length)}` }]
      : []),
    { value: 'list', title: `Library ${formatCount(scopes.list.length)}` },
  ];
  const isEmpty = file.text.trim() === '';
  const canRun = !isEmpty && read !== null && read.faults.length === 0 && scopes[scope.value].length > 0;
  return (
    <header className="mode-bar checks-bar">
      <FileMenu file={file} isEmpty={isEmpty} isEditing={isEditing} onEdit={onEdit} onOpen={onOpen} />
      {run !== null && <Counts run={run} />}
      {run?.state === 'done' && <SaveResults run={run} name={file.name} />}
      <span className="grow" />
      <Segmented label="Transcripts" value={scope.value} options={options} onChange={scope.onChange} />
      {run?.state === 'running' ? (
        <button type="button" className="button" data-testid="checks-stop" onClick={() => void stopRun(app)}>
          <Square size={12} aria-hidden /> Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button
          type="button"
          className={run === null ? 'button button-primary' : 'button'}
          data-testid="checks-run"
          disabled={!canRun}
          onClick={onRun}
        >
          {run === null ? <Play size={12} aria-hidden /> : <RotateCw size={12} aria-hidden />}
          {run === null ? 'Run' : 'Run again'} {run !== null && <kbd>F5</kbd>}
        </button>
      )}
    </header>
  );
}

function Progress({ run: { ids, checked, progress } }: { readonly run: CheckRun }) {
  if (ids.length > 1)
    return <progress className="progress-line" value={checked.length} max={ids.length} aria-hidden="true" />;
  return (
    progress && <progress className="progress-line" value={progress.done} max={progress.total} aria-hidden="true" />
  );
}

function Counts({ run }: { readonly run: CheckRun }) {
  const counts = countRun(run);
  return (
    <span className="checks-counts num" role="status" data-testid="checks-counts">
      {run.state === 'running' && <Progress run={run} />}
      {run.checked.length > 0 &&
        (['failed', 'passed', 'unchecked'] as const).map((verdict) => (
          <span key={verdict} className="checks-count" data-verdict={verdict} data-none={counts[verdict] === 0}>
            <VerdictSign verdict={verdict} /> {formatCount(counts[verdict])}{' '}
            {verdict === 'unchecked' ? 'not checked' : verdict}
          </span>
        ))}
      <span className="mute checks-how">{runText(run)}</span>
    </span>
  );
}

interface FileMenuProps {
  readonly file: Rules['file'];
  readonly isEmpty: boolean;
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onOpen: OpenRules;
}

function FileMenu({ file: { name, text, baseline }, isEmpty, isEditing, onEdit, onOpen }: FileMenuProps) {
  const field = useRulesField(onOpen);
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="button checks-file" data-testid="checks-file">
          <FileCheck size={13} aria-hidden />
          <span className="ellipsis">{name === null ? isEmpty ? 'No rules' : 'Rules' : <Seen text={name} />}</span>
          <ChevronDown size={12} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="menu-item" onSelect={field.choose}>
              Open a file of rules…
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => onOpen(typedRules(EXAMPLE), false)}>
              Start from an example
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className="menu-item"
              disabled={isEmpty}
              onSelect={() => saveText(name ?? EXAMPLE_NAME, text, 'application/yaml')}
            >
              Save the rules as a file
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="menu-line" />
            <DropdownMenu.Item className="menu-item" disabled={isEmpty} onSelect={field.choose}>
              {baseline === null ? 'Open their baseline…' : 'Open another baseline…'}
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className="menu-item"
              disabled={baseline === null}
              onSelect={() => baseline !== null && saveText(baseline.name, baseline.text, 'application/json')}
            >
              Save the baseline as a file
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <button
        type="button"
        className="button"
        aria-pressed={isEditing}
        data-testid="checks-edit"
        onClick={() => onEdit(!isEditing)}
      >
        {isEditing ? 'Show results' : 'Edit rules'}
      </button>
      {field.field}
    </>
  );
}

/** A field for a file of rules, and its baseline beside it. The same file chosen again is read again: it may have been changed. */
export function useRulesField(onOpen: OpenRules) {
  const app = useApp();
  const host = useHost();
  const field = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    const chosen = [...(input.files ?? [])];
    input.value = '';
    if (chosen.length > 0) void openRulesFiles({ app, host }, chosen, onOpen);
  };
  return {
    choose: () => field.current?.click(),
    field: (
      <input
        ref={field}
        type="file"
        multiple
        accept=".yaml,.yml,.json,application/yaml,application/json"
        hidden
        data-testid="checks-field"
        onChange={(event) => take(event.target)}
      />
    ),
  };
}
