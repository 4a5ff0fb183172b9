import { useState } from 'react';
import { nothingCovered } from '../../core/model/coveredWords.ts';
import type { CompactionInfo, LostLine } from '../../core/protocol/autopsyTypes.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { useActions } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount } from '../ui/format.ts';
import { PathText } from '../ui/PathText.tsx';
import { Seen } from '../ui/Seen.tsx';
import { useChosenRow } from '../ui/useChosenRow.ts';
import type { LostFilter } from './useLost.ts';
import { CLASS_TITLE, CLASS_WORD, lostCsv, lostSums } from './words.ts';

const PAGE = 100;

interface Props {
  readonly info: CompactionInfo;
  readonly asked: { readonly id: string; readonly spec: unknown };
  readonly filter: LostFilter;
  readonly onFilter: (filter: LostFilter) => void;
}

/** What did not survive: where it was said, and who relied on it later. Those used come first. */
export function LostTable({ info, asked, filter, onFilter }: Props) {
  const [page, setPage] = useState(0);
  const key = `${asked.id} ${info.index} ${filter.class} ${filter.used}`;
  const [of, setOf] = useState(key);
  if (of !== key) {
    setOf(key);
    setPage(0);
  }
  const at = of === key ? page : 0;
  const question = { ...asked, compaction: info.index, ...filter, from: at * PAGE, to: (at + 1) * PAGE };
  const { value, error } = useAnswer('autopsy.lost', info.survival === null ? null : question, { about: key });
  const { lost, used } = lostSums(info);
  if (info.survival === null || nothingCovered(info.recordedAt, info.covered.messages) !== null) return null;
  return (
    <section aria-label="What was lost">
      <h3>
        {filter.class === null ? 'Lost' : `Lost: ${CLASS_TITLE[filter.class].toLowerCase()}`}
        {filter.used && ' and used later'}
        <span className="mute num">
          {' '}
          {formatCount(used)} of {formatCount(lost)} lost were used later
        </span>
        <span className="grow" />
        {value !== null && value.lost.length > 0 && (
          <CopyButton text={lostCsv(value.lost)} label="Copy these lines as CSV" />
        )}
      </h3>
      {error !== null && <p className="drawer-error">The list could not be read: {error.message}</p>}
      {value !== null && value.total === 0 && (
        <p className="mute compactions-none">
          {filter.used
            ? 'No use found of what was dropped. That does not prove that nothing was needed.'
            : 'Nothing was lost.'}
        </p>
      )}
      {value !== null && value.total > 0 && <Lines key={`${key} ${at}`} lost={value.lost} />}
      <p className="compactions-more">
        {(filter.used || filter.class !== null) && lost > used && (
          <button
            type="button"
            className="link"
            data-testid="lost-all"
            onClick={() => onFilter({ class: null, used: false })}
          >
            All {formatCount(lost)} lost
          </button>
        )}
        {(!filter.used || filter.class !== null) && (
          <button type="button" className="link" onClick={() => onFilter({ class: null, used: true })}>
            Used later only
          </button>
        )}
        {value !== null && value.total > PAGE && (
          <span className="num mute">
            <button type="button" className="link" disabled={at === 0} onClick={() => setPage(at - 1)}>
              Previous
            </button>{' '}
            {formatCount(at * PAGE + 1)}–{formatCount(Math.min(value.total, (at + 1) * PAGE))} of{' '}
            {formatCount(value.total)}{' '}
            <button
              type="button"
              className="link"
              disabled={(at + 1) * PAGE >= value.total}
              onClick={() => setPage(at + 1)}
            >
              Next
            </button>
          </span>
        )}
      </p>
    </section>
  );
}

function What({ line }: { readonly line: LostLine }) {
  const text = line.text.replace(/\s+/g, ' ');
  return line.class === 'paths' || line.class === 'files_edited' ? <PathText path={text} /> : <Seen text={text} />;
}

function Lines({ lost }: { readonly lost: readonly LostLine[] }) {
  const { goToMessage } = useActions();
  const { chosen, setChosen, onKeyDown } = useChosenRow(lost.length, (at) => {
    const line = lost[at];
    if (line !== undefined) void goToMessage(line.index, line.part);
  });
  return (
    <table className="compactions-table chosen-rows" data-testid="lost" onKeyDown={onKeyDown}>
      <thead>
        <tr>
          <th scope="col" className="num">
            Said
          </th>
          <th scope="col">Class</th>
          <th scope="col">What</th>
          <th scope="col">Used by</th>
        </tr>
      </thead>
      <tbody>
        {lost.map((line, at) => (
          <tr
            key={`${line.class} ${line.text} ${line.index} ${line.from}`}
            tabIndex={at === chosen ? 0 : -1}
            aria-selected={at === chosen}
            data-testid="lost-line"
            data-class={line.class}
            data-index={line.index}
            onClick={() => setChosen(at)}
          >
            <td className="num">
              <Place index={line.index} part={line.part} />
            </td>
            <td className="mute">{CLASS_WORD[line.class]}</td>
            <td className="mono compactions-what" title={line.text}>
              <What line={line} />
            </td>
            <td>
              <Users line={line} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const USERS_SHOWN = 3;

function Users({ line: { usedLater, users } }: { readonly line: LostLine }) {
  if (users === 0) return <span className="faint">no use found</span>;
  const shown = usedLater.slice(0, USERS_SHOWN);
  return (
    <span className="compactions-users">
      {shown.map((at) => (
        <Place key={at} index={at} part={0} />
      ))}
      {users > shown.length && <span className="mute">{formatCount(users - shown.length)} more</span>}
    </span>
  );
}

function Place({ index, part }: { readonly index: number; readonly part: number }) {
  const { goToMessage } = useActions();
  return (
    <button
      type="button"
      className="link num"
      title={`Show #${index} on the timeline`}
      onClick={(event) => {
        event.stopPropagation();
        void goToMessage(index, part);
      }}
    >
      #{index}
    </button>
  );
}
