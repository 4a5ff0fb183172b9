import type { OverheadFigure, TokenFigure } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';
import { categoryRows, signed } from './figures.ts';
import { OVERHEAD_PARTS, overheadColor, overheadTokens, rawOverhead, tierColor } from './gauge.ts';

interface Props {
  readonly raw: TokenFigure;
  readonly projected: TokenFigure;
  readonly beside: OverheadFigure;
}

/** Raw and projected tokens of each category, and the difference; of the overhead only tools that a message loads may differ. */
export function CategoryTable({ raw, projected, beside }: Props) {
  const rawTotal = raw.total + rawOverhead(beside).total;
  const total = projected.total + beside.total;
  return (
    <table className="figures" data-testid="category-table">
      <thead>
        <tr>
          <th scope="col">category</th>
          <th scope="col">raw</th>
          <th scope="col">projected</th>
          <th scope="col">change</th>
        </tr>
      </thead>
      <tbody>
        {overheadRows(beside).map(({ part: key, label, rawTokens, tokens }) => (
          <tr key={`beside ${key}`} data-part={key} title={key === 'loaded' ? LOADED : ALWAYS}>
            <th scope="row">
              <i className="swatch budget-beside" style={{ backgroundColor: overheadColor(key) }} />
              {label}
            </th>
            <td>{formatCount(rawTokens)}</td>
            <td>{formatCount(tokens)}</td>
            <td className={tokens === rawTokens ? 'faint' : ''}>{signed(tokens - rawTokens)}</td>
          </tr>
        ))}
        {categoryRows(raw, projected).map((row) => (
          <tr key={row.category}>
            <th scope="row">
              <i className="swatch" style={{ background: tierColor(row.category) }} />
              {row.label}
            </th>
            <td>{formatCount(row.raw)}</td>
            <td>{formatCount(row.projected)}</td>
            <td className={row.difference === 0 ? 'faint' : ''}>{signed(row.difference)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">total</th>
          <td>{formatCount(rawTotal)}</td>
          <td>{formatCount(total)}</td>
          <td>{signed(total - rawTotal)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const ALWAYS = 'Fixed overhead: in every request, under any policy';
const LOADED = 'Definitions that messages of this request load. A policy that drops the message drops the tool.';

function overheadRows(beside: OverheadFigure) {
  const raw = rawOverhead(beside);
  return OVERHEAD_PARTS.map(({ part, label }) => {
    return { part, label, tokens: overheadTokens(beside, part), rawTokens: overheadTokens(raw, part) };
  }).filter(({ tokens, rawTokens }) => tokens > 0 || rawTokens > 0);
}
