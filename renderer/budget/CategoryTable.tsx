import type { TokenFigure } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';
import { categoryRows, signed } from './figures.ts';
import { tierColor } from './gauge.ts';

/** Raw and projected tokens of each category, and the difference. */
export function CategoryTable({ raw, projected }: { readonly raw: TokenFigure; readonly projected: TokenFigure }) {
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
          <td>{formatCount(raw.total)}</td>
          <td>{formatCount(projected.total)}</td>
          <td>{signed(projected.total - raw.total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
