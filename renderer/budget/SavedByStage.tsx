import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { formatTokens } from '../ui/format.ts';
import { signed } from './figures.ts';

/** From what happened to what is sent: what each stage takes off, or adds. */
export function SavedByStage({ info }: { readonly info: ProjectionInfo }) {
  const { reports, savedTokens, raw, projected } = info;
  const stages = reports.filter(({ enabled }) => enabled);
  if (stages.length === 0) return null;
  return (
    <table className="figures" data-testid="saved-by-stage">
      <tbody>
        <tr>
          <th scope="row">raw</th>
          <td>{formatTokens(raw.total, raw.provenance)}</td>
        </tr>
        {stages.map(({ stage, title }) => (
          <tr key={stage}>
            <th scope="row">
              <span className="faint">{stage + 1}</span> {title}
            </th>
            <td className={(savedTokens[stage] ?? 0) === 0 ? 'faint' : ''}>{signed(-(savedTokens[stage] ?? 0))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">projected</th>
          <td>{formatTokens(projected.total, projected.provenance)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
