import type { StatsInfo } from '../../core/protocol/types.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { formatCount, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { figureText, groupTitle, type Measure, measured } from './words.ts';

const SHOWN = 6;

interface Props {
  readonly stats: StatsInfo;
  readonly measure: Measure;
  readonly onShow: (field: string, value: string) => void;
}

interface Line {
  readonly value: string;
  readonly title: string;
  readonly size: number;
  readonly figure: string;
  readonly note: string;
}

/** Projects, models, tools and findings, the largest first; each leads to its transcripts. */
export function StatLists({ stats, measure, onShow }: Props) {
  const groups = (by: 'project' | 'model'): readonly Line[] => {
    const own = stats[by === 'project' ? 'projects' : 'models'].groups;
    return [...own]
      .sort((a, b) => (measured(b.figures, measure) ?? -1) - (measured(a.figures, measure) ?? -1))
      .map(({ value, figures }) => ({
        value,
        title: groupTitle(by, value),
        size: measured(figures, measure) ?? 0,
        figure: figureText(figures, measure),
        note: plural(figures.transcripts, 'transcript'),
      }));
  };
  const tools = stats.tools.groups.map(({ name, calls, errors }): Line => {
    const failed = errors === 0 ? 'no errors' : `${((100 * errors) / Math.max(1, calls)).toFixed(1)}% failed`;
    return { value: name, title: name, size: calls, figure: plural(calls, 'call'), note: failed };
  });
  const findings = stats.findings.map(({ kind, count, transcripts }): Line => {
    const title = titleOfKind(kind);
    return { value: kind, title, size: count, figure: formatCount(count), note: plural(transcripts, 'transcript') };
  });
  return (
    <div className="analytics-lists">
      <List title="Findings" lines={findings} none="No findings." onShow={(value) => onShow('finding', value)} />
      <List title="Projects" lines={groups('project')} none="None." onShow={(value) => onShow('project', value)} />
      <List
        title="Models"
        about="each request at the price of the model that answered"
        lines={groups('model')}
        none="None."
        onShow={(value) => onShow('model', value)}
      />
      <List title="Tools" lines={tools} none="No tool was called." onShow={(value) => onShow('tool', value)} />
    </div>
  );
}

interface ListProps {
  readonly title: string;
  /** What is to be known of its figures. */
  readonly about?: string;
  readonly lines: readonly Line[];
  readonly none: string;
  readonly onShow: (value: string) => void;
}

function List({ title, about, lines, none, onShow }: ListProps) {
  const most = Math.max(1e-9, ...lines.map(({ size }) => size));
  return (
    <section aria-label={title} data-testid={`analytics-${title.toLowerCase()}`}>
      <h3>
        {title} {about !== undefined && <span className="analytics-about mute">{about}</span>}
      </h3>
      {lines.length === 0 && <p className="mute">{none}</p>}
      <ul>
        {lines.slice(0, SHOWN).map(({ value, title: name, size, figure, note }) => (
          <li key={value}>
            <button
              type="button"
              className="analytics-line"
              disabled={value === ''}
              title={`${name}: ${figure}, ${note}. Shows its transcripts.`}
              onClick={() => onShow(value)}
            >
              <span className="ellipsis">
                <Seen text={name} />
              </span>
              <span className="analytics-mini" aria-hidden>
                <i style={{ width: `${(100 * size) / most}%` }} />
              </span>
              <span className="num">{figure}</span>
              <span className="num mute ellipsis">{note}</span>
            </button>
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && <p className="faint">{lines.length - SHOWN} more, in the table</p>}
    </section>
  );
}
