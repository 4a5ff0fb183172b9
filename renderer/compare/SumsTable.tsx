import { CopyButton } from '../parts/CopyButton.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { LineSample } from './LineSample.tsx';
import type { Along } from './useCompared.ts';
import { useTitleOfA } from './useTitles.ts';
import { sumColumns, sumsCsv } from './words.ts';

const UNKNOWN = '–';

/** What the session comes to under both, and B against A. Nothing is said of B before all its requests are known. */
export function SumsTable({ along }: { readonly along: Along }) {
  const titleA = useTitleOfA();
  const titleB = useAppState((state) => state.compare.b?.title ?? '');
  const { value } = along;
  const columns = sumColumns(value?.provenance ?? 'estimated', value?.hasWindow ?? false);
  return (
    <div className="compare-sums">
      <table aria-label="Sums over all requests" data-testid="compare-sums">
        <thead>
          <tr>
            <th scope="col">
              <AlongState along={along} />
            </th>
            {columns.map(({ id, title, help }) => (
              <th key={id} scope="col" className="num" title={help} data-column={id}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['a', 'b'] as const).map((side) => (
            <tr key={side} data-side={side}>
              <th scope="row">
                <LineSample side={side} /> <b>{side.toUpperCase()}</b>{' '}
                <span className="ellipsis">
                  <Seen text={side === 'a' ? titleA : titleB} />
                </span>
              </th>
              {columns.map(({ id, text }) => (
                <td key={id} className="num" data-column={id}>
                  {value === null ? UNKNOWN : text(value[side], value[side === 'a' ? 'b' : 'a'])}
                </td>
              ))}
            </tr>
          ))}
          <tr className="compare-change" data-side="change">
            <th scope="row" className="mute">
              B against A
              {value !== null && (
                <CopyButton text={sumsCsv(value.a, value.b, [titleA, titleB])} label="Copy the table as CSV" />
              )}
            </th>
            {columns.map(({ id, change }) => {
              const difference = value === null ? null : change(value.a, value.b);
              return (
                <td key={id} className="num" data-column={id} data-tone={difference?.tone}>
                  {value === null ? UNKNOWN : (difference?.text ?? '=')}
                </td>
              );
            })}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** How far the walk along the session is; Stop ends it. */
function AlongState({ along }: { readonly along: Along }) {
  const { toast } = useActions();
  const { value, error, progress, isStopped, stop, begin } = along;
  if (isStopped)
    return (
      <span className="mute">
        Stopped.{' '}
        <button type="button" className="link" onClick={begin}>
          Compute the sums
        </button>
      </span>
    );
  if (error !== null)
    return (
      <button
        type="button"
        className="link drawer-error"
        onClick={() => toast({ tone: 'error', text: 'The session could not be compared.', detail: error.message })}
      >
        Sums could not be computed
      </button>
    );
  if (value !== null) return <span className="mute">{formatCount(value.a.requests)} requests, tokens of messages</span>;
  return (
    <span className="mute" role="status">
      {progress === null ? 'Computing…' : `${formatCount(progress.done)} of ${formatCount(progress.total)} requests`}{' '}
      <button type="button" className="link" onClick={stop}>
        Stop
      </button>
    </span>
  );
}
