import { Bot, ChevronRight, CircleAlert, GitBranch, GitFork, LoaderCircle, Package, Trash2 } from 'lucide-react';
import { BUNDLE_FORMAT } from '../../core/model/bundleFormat.ts';
import type { TagInfo, TranscriptSummary } from '../../core/protocol/types.ts';
import { LiveDot } from '../follow/LiveDot.tsx';
import { figureSign, formatShort } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { FindingBadge } from './FindingBadge.tsx';
import type { LibraryLine } from './groups.ts';
import { ItemMarks } from './ItemMarks.tsx';
import { describeNested } from './nested.ts';
import type { Held } from './selection.ts';
import { describeBase, describeSummary, underTitle } from './words.ts';

interface Props {
  readonly line: Extract<LibraryLine, { kind: 'transcript' }>;
  /** Number of all shown: for screen readers, since only some are drawn. */
  readonly count: number;
  /** Group names stand above the items, one level up. */
  readonly isGrouped: boolean;
  /** Name of its group, where no heading says it. */
  readonly alone: string | null;
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  readonly isSelected: boolean;
  /** What distinguishes it from others with its title; '' if none has. */
  readonly apart: string;
  readonly titleOf: (id: string) => string | null;
  readonly tags: readonly TagInfo[];
  /** Ms: whether a time is of this year. */
  readonly now: number;
  readonly onOpen: (held: Held) => void;
  readonly onRemove: () => void;
  readonly onFold: () => void;
}

/** One transcript of the library. */
export function LibraryItem(props: Props) {
  const {
    line,
    count,
    isGrouped,
    alone,
    isOpen,
    isFocused,
    isSelected,
    apart,
    titleOf,
    tags,
    now,
    onOpen,
    onRemove,
    onFold,
  } = props;
  const { transcript, position, depth, under, isUnfolded } = line;
  const looks = [
    isOpen && 'library-item-open',
    isFocused && 'library-item-focused',
    isSelected && 'library-item-chosen',
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its active item
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus
    <div
      id={`transcript-${transcript.id}`}
      className={['library-item', ...looks].filter(Boolean).join(' ')}
      role="treeitem"
      aria-selected={isOpen || isSelected}
      aria-posinset={position}
      aria-setsize={count}
      aria-level={depth + (isGrouped ? 2 : 1)}
      aria-expanded={under.length > 0 ? isUnfolded : undefined}
      style={depth > 0 ? { paddingLeft: 12 + depth * 16 } : undefined}
      title={describeSummary(transcript, [describeNested(under), describeBase(transcript, titleOf)])}
      onClick={onOpen}
      data-testid="library-item"
      data-id={transcript.id}
      data-state={transcript.state}
      data-under={transcript.under?.as}
      data-chosen={isSelected}
    >
      {under.length > 0 && (
        <button
          type="button"
          className="library-fold"
          style={{ left: depth * 16 }}
          tabIndex={-1}
          aria-label={`${isUnfolded ? 'Hide' : 'Show'} ${describeNested(under)} of ${transcript.title}`}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
          data-testid="library-fold"
        >
          <ChevronRight size={11} style={isUnfolded ? { transform: 'rotate(90deg)' } : undefined} />
        </button>
      )}
      <RelationSign transcript={transcript} />
      {transcript.format === BUNDLE_FORMAT && (
        <Package size={12} className="library-relation" aria-label="opened from a bundle" />
      )}
      <span className="library-names grow">
        <span className="ellipsis" dir="auto">
          <Seen text={transcript.title} />
          {apart && <span className="library-apart"> {apart}</span>}
        </span>
        <span className="library-under num ellipsis">
          <Seen text={[alone, underTitle(transcript, now)].filter(Boolean).join(' · ')} />
        </span>
      </span>
      <FindingBadge transcript={transcript} />
      <ItemMarks transcript={transcript} tags={tags} />
      <LiveDot id={transcript.id} />
      <ItemFigure transcript={transcript} />
      <button
        type="button"
        className="library-remove"
        tabIndex={-1}
        aria-label={`Remove ${transcript.title}`}
        onClick={(event) => {
          event.stopPropagation();
          onRemove();
        }}
      >
        <Trash2 size={13} />
      </button>
    </div>
  );
}

function RelationSign({ transcript }: { readonly transcript: TranscriptSummary }) {
  const { under, whatIf } = transcript;
  if (under === null && whatIf === null) return null;
  const [Icon, name] =
    whatIf !== null
      ? [GitFork, 'What-if, made here']
      : under?.as === 'agent'
        ? [Bot, 'Sub-agent']
        : [GitBranch, 'Branch'];
  return (
    <Icon
      size={12}
      className={whatIf === null ? 'library-relation' : 'library-relation library-what-if'}
      aria-label={name}
    />
  );
}

function ItemFigure({ transcript }: { readonly transcript: TranscriptSummary }) {
  const { state, tokens, tokensProvenance, messages } = transcript;
  if (state === 'importing') return <LoaderCircle size={12} className="spin mute" aria-label="importing" />;
  if (state === 'failed') return <CircleAlert size={13} className="library-failed" aria-label="import failed" />;
  if (tokens === null) return <span className="library-figure faint num">{formatShort(messages)} msg</span>;
  return (
    <span className="library-figure num">
      {figureSign(tokensProvenance)}
      {formatShort(tokens)}
    </span>
  );
}
