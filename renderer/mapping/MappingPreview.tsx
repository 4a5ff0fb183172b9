import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { MappingPreview as Preview, PreviewMessage, PreviewPart } from '../../core/model/mapping/preview.ts';
import type { Problem } from '../../core/model/problem.ts';
import { plural } from '../ui/format.ts';

interface Props {
  readonly preview: Preview | null;
  /** It is of an earlier draft. */
  readonly isOld: boolean;
}

const PARTS_SHOWN = 8;

/** The first messages as the mapping understands them. */
export function MappingPreview({ preview, isOld }: Props) {
  if (preview === null) {
    return (
      <p className="mapping-note mute">
        {isOld ? 'Reading…' : 'Nothing to show: the fields marked red are not valid paths yet.'}
      </p>
    );
  }
  const { messages, counts, problems, whole } = preview;
  return (
    <div className="mapping-preview" data-old={isOld} data-testid="mapping-preview" data-messages={counts.messages}>
      <p className="mapping-counts mute" role="status">
        {plural(counts.messages, 'message')} in {plural(counts.transcripts, 'transcript')}
        {counts.events > 0 && `, ${plural(counts.events, 'record')} kept as events`}
        {!whole && ', in the beginning of the file'}
      </p>
      {problems.slice(0, 6).map((problem) => (
        <ProblemLine key={`${problem.code} ${problem.text}`} problem={problem} />
      ))}
      <ol className="preview-rows">
        {messages.map((message, at) => (
          <MessageRow
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are known by their place
            key={at}
            message={message}
            heading={message.transcript === messages[at - 1]?.transcript ? null : transcriptTitle(preview, message)}
          />
        ))}
      </ol>
    </div>
  );
}

function transcriptTitle({ titles, counts }: Preview, { transcript }: PreviewMessage): string | null {
  return counts.transcripts === 1 ? null : (titles[transcript] ?? `Transcript ${transcript + 1}`);
}

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

function ProblemLine({ problem: { severity, text, where } }: { readonly problem: Problem }) {
  const Icon = ICONS[severity];
  return (
    <p className={`finding finding-${severity} mapping-problem`}>
      <Icon size={13} aria-hidden />
      <span>
        {text}
        {where?.line !== undefined && where.line > 1 && <span className="faint"> (line {where.line})</span>}
      </span>
    </p>
  );
}

function MessageRow({ message, heading }: { readonly message: PreviewMessage; readonly heading: string | null }) {
  const { role, parts } = message;
  return (
    <>
      {heading !== null && <li className="preview-heading ellipsis">{heading}</li>}
      <li className="preview-row" data-testid="preview-row" data-role={role}>
        <span className="preview-role" data-role={role}>
          {role}
        </span>
        <div className="preview-parts">
          {parts.length === 0 && <span className="faint">nothing in it</span>}
          {parts.slice(0, PARTS_SHOWN).map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are known by their place
            <PartLine key={at} part={part} />
          ))}
          {parts.length > PARTS_SHOWN && <span className="faint">… {parts.length - PARTS_SHOWN} more</span>}
        </div>
      </li>
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  thinking: 'reasoning',
  tool_call: 'call',
  tool_result: 'result',
  other: 'other',
  image: 'image',
  file: 'file',
  opaque: 'opaque',
};

function PartLine({ part: { kind, name, isError, text } }: { readonly part: PreviewPart }) {
  const word = WORDS[kind];
  return (
    <p className="preview-part" data-kind={kind}>
      {word !== undefined && (
        <span className="chip preview-chip" data-kind={kind}>
          {word}
          {name !== null && ` ${name}`}
          {isError && ', failed'}
        </span>
      )}{' '}
      <span className={kind === 'tool_call' || kind === 'tool_result' ? 'mono' : undefined}>{text}</span>
    </p>
  );
}
