import { Download, Play, Square } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useActions, useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { formatCount } from '../ui/format.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { saveText } from '../ui/saveText.ts';
import type { Drafting, Scope } from './useDraft.ts';
import type { ShownSweep } from './useSweep.ts';
import { MEASURE_TITLE, type Measure, stateText } from './words.ts';
import '../ui/progress.css';

interface Props {
  readonly sweep: ShownSweep;
  readonly drafting: Drafting;
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
}

const MEASURES = (['cost', 'mean', 'peak'] as const).map((value) => ({ value, title: MEASURE_TITLE[value] }));

/** Which transcripts, by what the chart goes, how far the sweep is, and what ends it or takes it up again. */
export function SweepBar({ sweep, drafting, measure, onMeasure }: Props) {
  const { info } = sweep;
  const { draft, change, ids, asked } = drafting;
  const scopes: readonly { readonly value: Scope; readonly title: string }[] = [
    { value: 'session', title: 'This session' },
    ...(ids.chosen.length > 1 || draft.scope === 'chosen'
      ? [{ value: 'chosen' as const, title: `Chosen ${formatCount(ids.chosen.length)}` }]
      : []),
    { value: 'list', title: `Library ${formatCount(ids.list.length)}` },
  ];
  return (
    <header className="mode-bar tune-bar">
      <Segmented label="Transcripts" value={draft.scope} options={scopes} onChange={(scope) => change({ scope })} />
      <Segmented label="The chart goes by" value={measure} options={MEASURES} onChange={onMeasure} />
      <span className="grow" />
      {info !== null && (
        <span className="tune-progress num" role="status" data-testid="tune-progress">
          {info.state === 'running' && (
            <progress className="progress-line" value={info.points.length} max={info.size ?? 1} aria-hidden="true" />
          )}
          {stateText(info)}
        </span>
      )}
      {info !== null && info.points.length > 0 && <ExportMenu sweepId={info.sweepId} />}
      {info?.state === 'running' ? (
        <button type="button" className="button" data-testid="tune-stop" onClick={sweep.stop}>
          <Square size={12} aria-hidden /> Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button
          type="button"
          className="button button-primary"
          data-testid="tune-start"
          disabled={asked === null}
          onClick={() => asked && sweep.start(asked)}
        >
          <Play size={12} aria-hidden />{' '}
          {info?.state === 'stopped' ? 'Continue' : draft.aim === null ? 'Try values' : 'Search'}
        </button>
      )}
    </header>
  );
}

function ExportMenu({ sweepId }: { readonly sweepId: string }) {
  const { engine } = useApp();
  const { toast } = useActions();
  const save = async (format: 'csv' | 'ndjson') => {
    try {
      const { name, text } = await engine.call('tune.export', { sweepId, format });
      saveText(name, text, format === 'csv' ? 'text/csv' : 'application/x-ndjson');
      toast({ tone: 'ok', text: `Saved as ${name}.` });
    } catch (thrown) {
      toast({ tone: 'error', text: toProtocolError(thrown).message });
    }
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-button" aria-label="Export the points" data-testid="tune-export">
        <Download size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Item className="menu-item" onSelect={() => void save('csv')}>
            As CSV
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void save('ndjson')}>
            As NDJSON
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
