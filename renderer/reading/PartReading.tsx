import type { ReactNode } from 'react';
import type { PartKind } from '../../core/model/message.ts';
import type { AttachedKind } from '../../core/model/provenance.ts';
import type { AnsweredCall } from '../../core/reading/resultView.ts';
import { prettyIfJson } from '../ui/prettyJson.ts';
import { Markdown } from './Markdown.tsx';
import { MarkedTexts } from './marker.tsx';
import { AnsiText } from './Terminal.tsx';
import { TextWithFiles } from './TextWithFiles.tsx';
import { ProviderBlock, ToolCall, ToolResult } from './ToolViews.tsx';

export interface ReadPart {
  readonly kind: PartKind;
  readonly name: string | null;
  readonly text: string;
  /** It is only the beginning of the part's text. */
  readonly isCut: boolean;
  /** Of a result the call that it answers; null = none is known. */
  readonly call: AnsweredCall | null;
  /** Of a text, that the client attached it, and as what; absent = it did not. */
  readonly attached?: AttachedKind;
  /** What is found in it is brought into sight. */
  readonly isFollowed: boolean;
}

/** The text of a part as people read it. */
export function PartReading(part: ReadPart) {
  return <MarkedTexts isFollowed={part.isFollowed}>{bodyOf(part)}</MarkedTexts>;
}

function bodyOf({ kind, name, text, isCut, call, attached }: ReadPart): ReactNode {
  switch (kind) {
    case 'text':
      return <TextWithFiles text={text} attached={attached ?? null} isCut={isCut} />;
    case 'thinking':
      return <Markdown text={text} />;
    case 'tool_call':
      return <ToolCall name={name} text={text} isCut={isCut} raw={<Plain text={text} />} />;
    case 'tool_result':
      return <ToolResult call={call} text={text} raw={<Plain text={text} />} />;
    case 'other':
      return <ProviderBlock text={text} raw={<Plain text={text} />} />;
    case 'image':
    case 'file':
    case 'opaque':
      return <Plain text={text} />;
  }
}

function Plain({ text }: { readonly text: string }) {
  return (
    <pre className="part-plain mono" dir="auto">
      <AnsiText text={prettyIfJson(text) ?? text} />
    </pre>
  );
}
