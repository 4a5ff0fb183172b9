// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and points at its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active row
import { CircleAlert, LoaderCircle } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { TagInfo, TranscriptSummary } from '../../core/protocol/types.ts';
import { LiveDot } from '../follow/LiveDot.tsx';
import { Seen } from '../ui/Seen.tsx';
import type { LibraryLine } from './groups.ts';
import { ItemMarks } from './ItemMarks.tsx';
import { describeNested } from './nested.ts';
import { tagColor } from './TagDot.tsx';
import type { Column } from './tableColumns.ts';
import { describeBase, describeSummary } from './words.ts';

interface Props {
  readonly line: Extract<LibraryLine, { kind: 'transcript' }>;
  readonly columns: readonly (Column & { readonly px: number })[];
  readonly top: number;
  /** Name of its group, where no heading says it. */
  readonly alone: string | null;
  readonly apart: string;
  readonly titleOf: (id: string) => string | null;
  readonly tags: readonly TagInfo[];
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  readonly isSelected: boolean;
  readonly onClick: (event: MouseEvent) => void;
  readonly onOpen: () => void;
}

/** One transcript of the wide library. */
export function TableRow(props: Props) {
  const { line, columns, top, alone, apart, titleOf, tags, isOpen, isFocused, isSelected, onClick, onOpen } = props;
  const { transcript, depth, position, under } = line;
  const looks = [isOpen && 'table-row-open', isFocused && 'table-row-focused', isSelected && 'table-row-chosen'];
  return (
    <div
      id={`transcript-${transcript.id}`}
      className={['table-row', ...looks].filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={position}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      title={describeSummary(transcript, [describeNested(under), describeBase(transcript, titleOf)])}
      onClick={onClick}
      onDoubleClick={onOpen}
      data-testid="library-item"
      data-id={transcript.id}
      data-state={transcript.state}
      data-chosen={isSelected}
    >
      {columns.map(({ key, px, isNumber, text, hover }) => (
        <div
          key={key}
          className={`table-cell${isNumber ? ' table-number num' : ''}`}
          role="gridcell"
          style={{ width: px }}
        >
          {key === 'title' ? (
            <TitleCell transcript={transcript} depth={depth} alone={alone} apart={apart} tags={tags} />
          ) : (
            <span
              className={`ellipsis${key === 'errors' && transcript.errors ? ' table-errors' : ''}`}
              data-testid={`cell-${key}`}
              title={hover?.(transcript) || undefined}
            >
              <Seen text={text(transcript)} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

interface TitleProps {
  readonly transcript: TranscriptSummary;
  readonly depth: number;
  readonly alone: string | null;
  readonly apart: string;
  readonly tags: readonly TagInfo[];
}

function TitleCell({ transcript, depth, alone, apart, tags }: TitleProps) {
  const { title, state } = transcript;
  return (
    <span className="table-title" style={{ paddingLeft: depth * 16 }}>
      {state === 'importing' && <LoaderCircle size={12} className="spin mute" aria-label="importing" />}
      {state === 'failed' && <CircleAlert size={13} className="library-failed" aria-label="import failed" />}
      {alone !== null && (
        <span className="library-alone ellipsis">
          <Seen text={alone} />
        </span>
      )}
      <span className="ellipsis" dir="auto">
        <Seen text={title} />
        {apart && <span className="library-apart"> {apart}</span>}
      </span>
      {transcript.tags.map((name) => (
        <span key={name} className="tag-chip" style={{ color: tagColor(colorOf(tags, name)) }}>
          <Seen text={name} />
        </span>
      ))}
      <ItemMarks transcript={{ ...transcript, tags: [] }} tags={tags} />
      <LiveDot id={transcript.id} />
    </span>
  );
}

function colorOf(tags: readonly TagInfo[], name: string): number {
  return tags.find((one) => one.name === name)?.color ?? 0;
}
