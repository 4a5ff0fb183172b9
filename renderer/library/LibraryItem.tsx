import { CircleAlert, LoaderCircle, Trash2 } from 'lucide-react';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { formatBytes, formatShort, plural } from '../ui/format.ts';

interface Props {
  readonly transcript: TranscriptSummary;
  /** Place among all shown, from 1, and their number: for screen readers, since only some are drawn. */
  readonly position: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

/** One transcript of the library. */
export function LibraryItem({ transcript, position, count, isOpen, isFocused, onOpen, onRemove }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys of its active option
    // biome-ignore lint/a11y/useFocusableInteractive: the listbox keeps the focus
    <div
      id={`transcript-${transcript.id}`}
      className={`library-item${isOpen ? ' library-item-open' : ''}${isFocused ? ' library-item-focused' : ''}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={position}
      aria-setsize={count}
      title={itemTitle(transcript)}
      onClick={onOpen}
      data-testid="library-item"
      data-id={transcript.id}
      data-state={transcript.state}
    >
      <span className="ellipsis grow" dir="auto">
        {transcript.title}
      </span>
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

function ItemFigure({ transcript }: { readonly transcript: TranscriptSummary }) {
  const { state, tokens, tokensProvenance, messages } = transcript;
  if (state === 'importing') return <LoaderCircle size={12} className="spin mute" aria-label="importing" />;
  if (state === 'failed') return <CircleAlert size={13} className="library-failed" aria-label="import failed" />;
  if (tokens === null) return <span className="library-figure faint num">{formatShort(messages)} msg</span>;
  return (
    <span className="library-figure num">
      {tokensProvenance === 'estimated' ? '~' : ''}
      {formatShort(tokens)}
    </span>
  );
}

function itemTitle(one: TranscriptSummary): string {
  const lines = [
    one.title,
    `${one.format} · ${plural(one.messages, 'message')} · ${formatBytes(one.bytes)}`,
    one.model ?? '',
    one.tokens === null
      ? 'tokens not counted yet'
      : `${one.tokens.toLocaleString('en')} tokens, ${one.tokensProvenance}`,
    one.problems > 0 ? plural(one.problems, 'problem') : '',
    one.state === 'failed' ? 'The import failed.' : '',
  ];
  return lines.filter(Boolean).join('\n');
}
