import type { BesideFigure, TokenFigure } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';
import { categoryRows, signed } from './figures.ts';
import { besideColor, besidePieces, tierColor } from './gauge.ts';

interface Props {
  readonly raw: TokenFigure;
  readonly projected: TokenFigure;
  readonly beside: BesideFigure;
}

/** Raw and projected tokens of each category, and the difference; what stands beside the messages is the same in both. */
export function CategoryTable({ raw, projected, beside }: Props) {
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
        {besidePieces(beside, 1).map(({ key, label, tokens }) => (
          <tr key={`beside ${key}`} data-part={key} title="Fixed overhead: in every request, under any policy">
            <th scope="row">
              <i className="swatch budget-beside" style={{ backgroundColor: besideColor(key) }} />
              {label}
            </th>
            <td>{formatCount(tokens)}</td>
            <td>{formatCount(tokens)}</td>
            <td className="faint">0</td>
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
          <td>{formatCount(raw.total + beside.total)}</td>
          <td>{formatCount(projected.total + beside.total)}</td>
          <td>{signed(projected.total - raw.total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
