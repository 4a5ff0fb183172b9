import { Check, Undo2, X } from 'lucide-react';
import { partialTitle } from '../../core/view/costCover.ts';
import { useAppState } from '../state/context.tsx';
import type { TriedChange } from '../state/types.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import type { KeepRow } from './useKeep.ts';
import { patchWords, signedCost, signedTokens } from './words.ts';

const BETWEEN_ROWS = moveFocus('[data-keep-try]');

interface TableProps {
  readonly rows: readonly KeepRow[];
  readonly tried: TriedChange | null;
  readonly onToggle: (row: KeepRow) => void;
}

/** The changes with their prices. One of them can be tried at a time; the button of that one takes it back. */
export function KeepTable({ rows, tried, onToggle }: TableProps) {
  return (
    <table className="keep-table" data-testid="keep-table">
      <thead>
        <tr>
          <th>Change</th>
          <th className="num" title="Input of all requests of the session, cache included">
            Input cost
          </th>
          <th className="num" title="Tokens more in this request">
            This request
          </th>
          <th className="num" title="Tokens more in all requests together">
            Session
          </th>
          <th className="num" title="Later uses that would have been in their request">
            Uses saved
          </th>
          <th title="Whether all requests of the session fit the window">Fits</th>
          <th title="Whether the provider would take this request">Accepted</th>
          <th aria-label="Try" />
        </tr>
      </thead>
      <tbody onKeyDown={BETWEEN_ROWS}>
        {rows.map((row) => (
          <Row
            key={row.change.words}
            row={row}
            isTried={tried?.words === row.change.words}
            onToggle={() => onToggle(row)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly row: KeepRow;
  readonly isTried: boolean;
  readonly onToggle: () => void;
}

function Row({ row: { change, price }, isTried, onToggle }: RowProps) {
  return (
    <>
      <tr data-testid="keep-row" data-kind={change.kind} aria-current={isTried || undefined}>
        <td className="keep-words">{change.words}</td>
        <Figures price={price} />
        <td className="keep-try">
          <button type="button" className="button" onClick={onToggle} data-keep-try>
            {isTried && <Undo2 size={12} aria-hidden />} {isTried ? 'Undo' : 'Try'}
          </button>
        </td>
      </tr>
      {isTried && (
        <tr className="keep-patch" aria-current>
          <td colSpan={8} className="mono">
            {patchWords(change)}
          </td>
        </tr>
      )}
    </>
  );
}

function Figures({ price }: { readonly price: KeepRow['price'] }) {
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  if (price === null)
    return (
      <td colSpan={6} className="num mute">
        …
      </td>
    );
  return (
    <>
      <td className="num" data-testid="keep-cost" title={partialTitle(price.unpriced)}>
        {signedCost(price, provenance)}
      </td>
      <td className="num">{signedTokens(price.tokensHere, provenance)}</td>
      <td className="num">{signedTokens(price.tokensSession, provenance, true)}</td>
      <td className="num">{price.usesSaved}</td>
      <td>
        {price.fits === null ? (
          <span className="mute">no window known</span>
        ) : (
          <Yes is={price.fits} no={`from #${price.firstOver}`} />
        )}
      </td>
      <td>
        <Yes
          is={price.providerTakesIt}
          no={price.refusedBefore ? 'refused, as before' : 'refused'}
          title={price.refusedFor ?? undefined}
        />
      </td>
    </>
  );
}

function Yes({ is, no, title }: { readonly is: boolean; readonly no: string; readonly title?: string | undefined }) {
  if (is) return <Check size={13} className="keep-yes" aria-label="yes" />;
  return (
    <span className="keep-no" title={title}>
      <X size={13} aria-hidden /> {no}
    </span>
  );
}
