import './trace.css';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TextHit } from '../../core/protocol/types.ts';
import { leadFrom } from '../search/lead.ts';
import { useActions } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { DrawerNote } from './DrawerNote.tsx';
import { nowWords } from './strip.ts';
import { TraceLossLines } from './TraceLossLines.tsx';
import { TraceStrip } from './TraceStrip.tsx';
import { setTraceText, useTraceText } from './traceText.ts';
import { useSearch } from './useSearch.ts';
import { useTrace } from './useTrace.ts';

/** Characters shown before a hit: the list is narrow. */
const BEFORE = 16;

/** Why does the model not see this text? Finds it in the raw transcript, and shows since when it is out of sight. */
export function TraceTab() {
  const text = useTraceText();
  const { hits, total, isLoading, error } = useSearch(text);
  const [chosen, setChosen] = useState<TextHit | null>(null);
  const { goToMessage } = useActions();
  // Another text, another choice: its first hit.
  useEffect(() => setChosen(hits[0] ?? null), [hits]);
  const choose = (hit: TextHit) => {
    setChosen(hit);
    void goToMessage(hit.index, hit.part);
  };
  return (
    <div className="trace">
      <div className="trace-left">
        <div className="trace-field">
          <Search size={13} aria-hidden />
          <input
            id="trace-field"
            className="field"
            type="search"
            aria-label="Text to trace"
            placeholder="A text the agent seems to have forgotten"
            data-testid="trace-input"
            value={text}
            onChange={(event) => setTraceText(event.target.value)}
          />
        </div>
        <p className="trace-count mute" role="status">
          {countWords(text, total, hits.length, isLoading, error?.message ?? null)}
        </p>
        <ul className="trace-hits" aria-label="Places in the raw transcript">
          {hits.map((hit, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part may hold the text many times; the list is replaced whole
            <li key={number}>
              <button
                type="button"
                className="trace-hit"
                data-testid="trace-hit"
                aria-pressed={hit === chosen}
                onClick={() => choose(hit)}
              >
                <span className="num faint">#{hit.index}</span>
                <HitText hit={hit} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className="trace-right">
        {chosen ? <HitTrace hit={chosen} /> : <DrawerNote>Where the text is lost, and why, appears here.</DrawerNote>}
      </div>
    </div>
  );
}

function HitText({ hit: { context, start, length } }: { readonly hit: TextHit }) {
  const from = leadFrom(context, start, BEFORE);
  return (
    <span className="ellipsis" title={context}>
      {from > 0 && '…'}
      {context.slice(from, start)}
      <mark>{context.slice(start, start + length)}</mark>
      {context.slice(start + length)}
    </span>
  );
}

function HitTrace({ hit }: { readonly hit: TextHit }) {
  const { trace, isLoading, error } = useTrace(hit.index, hit.part);
  const { showDrawer, goToMessage } = useActions();
  if (error) return <p className="drawer-error">The trace failed: {error.message}</p>;
  if (!trace) return isLoading ? <div className="strip strip-loading" role="status" aria-label="Tracing" /> : null;
  return (
    <>
      <p>
        <b>#{hit.index}</b> <span className={`now-${trace.now.state}`}>{nowWords(trace)}</span>{' '}
        <button
          type="button"
          className="link"
          onClick={() => {
            void goToMessage(hit.index, hit.part);
            showDrawer('why');
          }}
        >
          Why
        </button>
      </p>
      <TraceStrip trace={trace} />
      <TraceLossLines trace={trace} />
    </>
  );
}

function countWords(text: string, total: number, shown: number, isLoading: boolean, error: string | null): string {
  if (error !== null) return `The search failed: ${error}`;
  if (text.trim().length === 0) return 'Searches the raw transcript.';
  if (isLoading) return 'Searching…';
  if (total === 0) return 'Nowhere in the raw transcript.';
  return total > shown ? `${plural(total, 'place')}, the first ${shown} shown` : plural(total, 'place');
}
