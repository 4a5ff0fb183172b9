import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type {
  ComparedInfo,
  ComparedKind,
  ComparedMessage,
  ComparedMessages,
} from '../../core/protocol/compareTypes.ts';
import { useActions } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount, formatTokens, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { useChosenRow } from '../ui/useChosenRow.ts';
import type { Cursor } from './useCursor.ts';
import { KIND_TITLE, whereWords } from './words.ts';

const PAGE = 100;
const KINDS: readonly ComparedKind[] = ['all', 'only_a', 'only_b', 'text', 'fate'];

interface Props {
  readonly info: ComparedInfo;
  readonly cursor: Cursor;
  /** What the bar begins with. */
  readonly head: ReactNode;
}

/** Messages that differ: where, what they cost each side, and who relied on them later. Those used come first. */
export function DifferenceList({ info: { comparisonId }, cursor, head }: Props) {
  const [kind, setKind] = useState<ComparedKind>('all');
  const [used, setUsed] = useState(false);
  const [page, setPage] = useState(0);
  const asked = { comparisonId, kind, used, from: page * PAGE, to: (page + 1) * PAGE };
  const { value, error } = useAnswer('compare.messages', asked, { about: `${comparisonId} ${kind} ${used}` });
  if (error !== null && error.code !== 'compare.unknown')
    return <ListNote head={head} isError words={`The differences could not be listed: ${error.message}`} />;
  if (value === null) return <ListNote head={head} words="Uses of what differs are looked for…" />;
  const narrow = (change: () => void): void => {
    setPage(0);
    change();
  };
  return (
    <>
      <div className="compare-detail-bar">
        {head}
        <Segmented
          label="Kinds of differences"
          value={kind}
          onChange={(next) => narrow(() => setKind(next))}
          options={KINDS.filter((each) => each === 'all' || each === kind || value.counts[each] > 0).map((each) => ({
            value: each,
            title: `${KIND_TITLE[each]} ${formatCount(value.counts[each])}`,
          }))}
        />
        <label className="compare-used">
          <input
            type="checkbox"
            checked={used}
            data-testid="compare-used"
            onChange={(event) => narrow(() => setUsed(event.target.checked))}
          />
          Used later only <span className="num mute">{formatCount(value.used)}</span>
        </label>
        <span className="grow" />
        <Pages value={value} page={page} onPage={setPage} />
        <button
          type="button"
          className="button compare-next"
          title="N; Shift N: the next request that differs"
          onClick={() => cursor.go('next')}
        >
          Next difference <kbd>N</kbd>
        </button>
      </div>
      <Table value={value} cursor={cursor} />
    </>
  );
}

interface NoteProps {
  readonly head: ReactNode;
  readonly words: string;
  readonly isError?: boolean;
}

function ListNote({ head, words, isError = false }: NoteProps) {
  return (
    <>
      <div className="compare-detail-bar">{head}</div>
      <p className={isError ? 'compare-note drawer-error' : 'compare-note faint'}>{words}</p>
    </>
  );
}

interface PagesProps {
  readonly value: ComparedMessages;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Pages({ value: { total }, page, onPage }: PagesProps) {
  if (total <= PAGE) return null;
  const last = Math.ceil(total / PAGE) - 1;
  return (
    <span className="compare-pages num mute">
      <button
        type="button"
        className="icon-button"
        aria-label="Previous page"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft size={13} aria-hidden />
      </button>
      {formatCount(page * PAGE + 1)}–{formatCount(Math.min(total, (page + 1) * PAGE))} of {formatCount(total)}
      <button
        type="button"
        className="icon-button"
        aria-label="Next page"
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight size={13} aria-hidden />
      </button>
    </span>
  );
}

function Table({ value: { messages }, cursor }: { readonly value: ComparedMessages; readonly cursor: Cursor }) {
  const { chosen, setChosen, onKeyDown } = useChosenRow(messages.length, (at) => {
    const message = messages[at];
    if (message?.line != null) cursor.goTo(message.line, message.row ?? 0);
  });
  if (messages.length === 0) return <p className="compare-note mute">No difference of this kind.</p>;
  return (
    <div className="compare-list-scroll">
      <table className="compare-list chosen-rows" data-testid="compare-list" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col" className="num">
              Message
            </th>
            <th scope="col">Where</th>
            <th scope="col">Part</th>
            <th scope="col">Text</th>
            <th scope="col" className="num">
              A tok
            </th>
            <th scope="col" className="num">
              B tok
            </th>
            <th scope="col">Used later</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message, at) => (
            <Line
              key={`${message.index} ${message.line}`}
              message={message}
              isChosen={at === chosen}
              onChoose={() => {
                setChosen(at);
                if (message.line !== null) cursor.goTo(message.line, message.row ?? 0);
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  readonly message: ComparedMessage;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Line({ message, isChosen, onChoose }: LineProps) {
  const { index, covers, differs, label, text, mono, tokensA, tokensB, provenance, a, b } = message;
  const name = index === null ? (covers === null ? 'made' : `for #${covers[0]}–#${covers[1] - 1}`) : `#${index}`;
  const why = [a, b].map(({ reason }) => reason).filter((reason) => reason !== '');
  return (
    <tr
      tabIndex={isChosen ? 0 : -1}
      aria-selected={isChosen}
      data-testid="difference"
      data-index={index ?? ''}
      data-differs={differs}
      title={why.join(' · ') || undefined}
      onClick={onChoose}
    >
      <td className="num">{name}</td>
      <td className="compare-where" data-differs={differs}>
        {whereWords(message)}
      </td>
      <td className="mute">{label}</td>
      <td className={mono ? 'compare-text mono' : 'compare-text'}>
        <Seen text={text} />
      </td>
      <td className="num">{formatTokens(tokensA, provenance)}</td>
      <td className="num">{formatTokens(tokensB, provenance)}</td>
      <td>
        <UsedBy message={message} />
      </td>
    </tr>
  );
}

const USERS_SHOWN = 3;

function UsedBy({ message: { usedLater, users } }: { readonly message: ComparedMessage }) {
  const { goToMessage } = useActions();
  if (users === 0) return <span className="faint">no use found</span>;
  const shown = usedLater.slice(0, USERS_SHOWN);
  return (
    <span className="compare-users" title={plural(users, 'message relied on it', 'messages relied on it')}>
      {shown.map((at) => (
        <button
          key={at}
          type="button"
          className="link num"
          title={`Show #${at} on the timeline`}
          onClick={(event) => {
            event.stopPropagation();
            void goToMessage(at);
          }}
        >
          #{at}
        </button>
      ))}
      {users > shown.length && <span className="mute">{formatCount(users - shown.length)} more</span>}
    </span>
  );
}
