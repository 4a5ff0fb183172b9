import type { StatFigures, StatsInfo } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { formatCost, formatCount, formatShort } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { cacheShare, type GroupBy, groupTitle } from './words.ts';

interface Props {
  readonly stats: StatsInfo;
  readonly by: GroupBy;
  readonly onShow: (value: string) => void;
}

const HEAD = ['Transcripts', 'Messages', 'Input', 'Output', 'From cache', 'Cost', 'Findings', 'Compactions'];

/** What the charts show, a line for each group; a click shows the group's transcripts. */
export function StatTable({ stats, by, onShow }: Props) {
  if (by === 'tool') return <ToolTable stats={stats} onShow={onShow} />;
  const { groups, count } = stats[`${by}s`];
  return (
    <section className="analytics-table" aria-label={`Figures by ${by}`}>
      <table data-testid="analytics-table">
        <thead>
          <tr>
            <th scope="col">{by === 'day' ? 'Day' : by === 'project' ? 'Project' : 'Model'}</th>
            {HEAD.map((title) => (
              <th key={title} scope="col" className="num">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ value, figures }) => (
            <tr key={value} data-value={value}>
              <Name title={groupTitle(by, value)} value={value} onShow={onShow} />
              {cellsOf(figures).map((cell, at) => (
                <td key={HEAD[at]} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count > groups.length && <p className="mute">{formatCount(count - groups.length)} more are only in the sums.</p>}
    </section>
  );
}

function cellsOf(figures: StatFigures): readonly string[] {
  const { transcripts, messages, input, output, cost, unpriced, findings, compactions } = figures;
  const short = (value: number | null) => (value === null ? '–' : formatShort(value));
  const count = (value: number) => (value === 0 ? '–' : formatCount(value));
  return [
    ...[formatCount(transcripts), count(messages), short(input), short(output), cacheShare(figures)],
    ...[cost === null ? '–' : partialSum(formatCost(cost), unpriced), count(findings), count(compactions)],
  ];
}

function ToolTable({ stats, onShow }: Pick<Props, 'stats' | 'onShow'>) {
  const { groups, count } = stats.tools;
  return (
    <section className="analytics-table" aria-label="Figures by tool">
      <table data-testid="analytics-table">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            {['Calls', 'Failed', 'Transcripts'].map((title) => (
              <th key={title} scope="col" className="num">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, calls, errors, transcripts }) => (
            <tr key={name} data-value={name}>
              <Name title={name} value={name} onShow={onShow} />
              <td className="num">{formatCount(calls)}</td>
              <td className="num">{errors === 0 ? '–' : formatCount(errors)}</td>
              <td className="num">{formatCount(transcripts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > groups.length && <p className="mute">{formatCount(count - groups.length)} more tools.</p>}
    </section>
  );
}

interface NameProps {
  readonly title: string;
  readonly value: string;
  readonly onShow: (value: string) => void;
}

function Name({ title, value, onShow }: NameProps) {
  return (
    <th scope="row">
      {value === '' ? (
        <span className="mute">{title}</span>
      ) : (
        <button type="button" className="link" title="Shows its transcripts" onClick={() => onShow(value)}>
          <Seen text={title} />
        </button>
      )}
    </th>
  );
}
