import { Seen } from '../ui/Seen.tsx';
import './cache.css';
import { CircleAlert, Plus, RotateCcw } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { PriceTable } from '../../core/protocol/types.ts';
import { Modal, ModalCancel } from '../ui/Modal.tsx';
import { PriceRows } from './PriceRows.tsx';
import { type DraftRow, EMPTY_ROW, isChanged, readDraft, toDraft } from './priceDraft.ts';
import { usePrices } from './usePrices.ts';
import { POINTS_WORDS } from './words.ts';

/** What input tokens cost, by model: looked up once, and to be edited. */
export function PricesDialog({ onClose }: { readonly onClose: () => void }) {
  const { table, error, save, choosePoints } = usePrices();
  const [draft, setDraft] = useState<readonly DraftRow[] | null>(null);
  const rows = draft ?? toDraft(table?.rows ?? []);
  const read = readDraft(rows);
  const change = (at: number, part: Partial<DraftRow>) =>
    setDraft(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const hasChanged = draft !== null && isChanged(draft, table?.rows ?? []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (read.ok && (await save(read.rows))) onClose();
  };
  const reset = async () => {
    if (await save(null)) setDraft(null);
  };
  return (
    <Modal
      title="Prices and cache"
      description="US dollars per million tokens. Those of input price a cache break: what must be written again, less what reading it from the cache would have cost."
      width={820}
      testId="prices-dialog"
      onClose={onClose}
      unsaved={hasChanged ? 'What you changed is not saved.' : null}
      footer={
        <>
          <button type="button" className="button" onClick={() => setDraft([EMPTY_ROW, ...rows])}>
            <Plus size={13} aria-hidden /> Add a model
          </button>
          <span className="grow" />
          <button type="button" className="button" disabled={!table?.edited} onClick={() => void reset()}>
            <RotateCcw size={13} aria-hidden /> Reset to defaults
          </button>
          <ModalCancel />
          <button
            type="submit"
            form="prices"
            className="button button-primary"
            disabled={!hasChanged || !read.ok}
            data-testid="prices-save"
          >
            Save
          </button>
        </>
      }
    >
      {table && (
        <p className="mute">
          <Seen text={describeSource(table)} />
        </p>
      )}
      {table && (
        <label className="cache-points">
          Breakpoints of the cache
          <select
            className="field"
            data-testid="cache-points"
            value={table.cachePoints}
            onChange={({ target }) => {
              const chosen = POINTS_WORDS.find(({ mode }) => mode === target.value);
              if (chosen) void choosePoints(chosen.mode);
            }}
          >
            {POINTS_WORDS.map(({ mode, words }) => (
              <option key={mode} value={mode}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      {table && (
        <form id="prices" onSubmit={(event) => void submit(event)}>
          <PriceRows
            rows={rows}
            own={table.models.flatMap(({ price }) => price?.model ?? [])}
            onChange={change}
            onRemove={(at) => setDraft(rows.toSpliced(at, 1))}
          />
        </form>
      )}
      {(error || !read.ok) && (
        <p className="finding finding-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>{error?.message ?? (read.ok ? '' : read.fault)}</span>
        </p>
      )}
    </Modal>
  );
}

function describeSource({ edited, date, models }: PriceTable): string {
  const source = edited ? 'Custom prices.' : `Looked up on ${date}.`;
  const said = models.slice(0, MOST_NAMED).flatMap(({ model, price }) => {
    if (model === null) return [];
    return price === null ? [`No row matches ${model}.`] : [`${model} uses the prices in row “${price.model}”.`];
  });
  const more = models.length - MOST_NAMED;
  return [source, ...said, ...(more > 0 ? [`${more} more models answer in this session.`] : [])].join(' ');
}

/** Models of a session that are named with their rows. */
const MOST_NAMED = 6;
