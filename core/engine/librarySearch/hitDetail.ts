import { hasFailed } from '../../model/failure.ts';
import type { MessageFacts, MessageMeta, Part } from '../../model/message.ts';
import { provenanceWords } from '../../model/provenance.ts';
import { messageOrigin } from '../../model/provenanceOf.ts';
import { readMessage } from '../../model/readMessage.ts';
import { toolSide } from '../../model/toolSide.ts';
import type { LibraryHit } from '../../protocol/types.ts';
import { findMarks, type Mark } from '../../search/marks.ts';
import { searchRole, searchText } from '../../search/messageText.ts';
import { snippetOf } from '../../search/snippet.ts';
import type { Expr, Query, Tag } from '../../search/types.ts';
import { readStored } from '../../store/index.ts';
import type { SearchMark } from '../../store/search/searchMarks.ts';
import { labelOf } from '../rows/render.ts';

/** What a hit looks like; `json` is the message without its binary payloads. */
export type HitDetail = Omit<LibraryHit, 'transcriptId' | 'index' | 'timestamp'>;

interface PartMarks {
  readonly at: number;
  readonly part: Part;
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly score: number;
}

/** Reads a message that was found: the part to show, what of it, and how often the query is in it. */
export function hitDetail(json: string, query: Query, mark: OriginMark, meta: Failures): HitDetail {
  const message: unknown = readStored(json);
  const facts = readMessage(message);
  const tags = positiveTags(query.expr);
  const parts = facts.parts.map((part, at): PartMarks => {
    const text = searchText(message, part);
    const marks = findMarks(text, query.terms);
    return { at, part, text, marks, score: scoreOf(part, text, marks, tags, meta) };
  });
  const shown = parts.reduce<PartMarks | null>(
    (best, one) => (best !== null && best.score >= one.score ? best : one),
    null,
  );
  return {
    part: shown?.at ?? 0,
    ...namesOf(facts, shown?.part, meta),
    origin: originLabel(message, mark),
    occurrences: parts.reduce((sum, { marks }) => sum + marks.length, 0),
    snippet: snippetOf(shown === null ? '' : snippetText(shown), shown?.marks ?? []),
  };
}

/** Of what is recorded beside the message, what search keeps at hand. */
type OriginMark = Pick<SearchMark, 'injected' | 'queued'>;

/** Its own record, where that names calls that failed. */
type Failures = Pick<MessageMeta, 'failedCallIds'>;

function originLabel(message: unknown, { injected, queued }: OriginMark): string | null {
  if (queued) return provenanceWords({ kind: 'queued_prompt' }).label;
  const said = messageOrigin(message, {})?.label;
  return said ?? (injected ? provenanceWords({ kind: 'context' }).label : null);
}

function namesOf(
  facts: MessageFacts,
  part: Part | undefined,
  meta: Failures,
): Pick<HitDetail, 'label' | 'role' | 'tool' | 'isError'> {
  return {
    label: part === undefined ? facts.role : labelOf(part, facts.role),
    role: searchRole(facts),
    tool: part?.name ?? null,
    isError: part !== undefined && hasFailed(part, meta),
  };
}

function snippetText({ part, text }: PartMarks): string {
  // Line ends in arguments are written as in JSON; two characters for two, so that marks stay where they are.
  if (part.kind === 'tool_call') return text.replace(/\\[nrt]/g, '  ');
  if (text !== '') return text;
  if (part.kind === 'image' || part.kind === 'file') return `[${part.kind}]`;
  return part.kind === 'opaque' ? '[encrypted]' : '';
}

/** More different words of the query first; then what the filters ask for; then any text at all. */
function scoreOf(part: Part, text: string, marks: readonly Mark[], tags: readonly Tag[], meta: Failures): number {
  const terms = new Set(marks.map(({ term }) => term)).size;
  const wanted = tags.filter((tag) => partFits(part, tag, meta)).length;
  return terms * 100 + wanted * 10 + (text === '' ? 0 : 1);
}

const KINDS: Readonly<Record<string, Part['kind']>> = {
  thinking: 'thinking',
  encrypted: 'opaque',
  image: 'image',
  file: 'file',
};

function partFits(part: Part, { tag, value }: Tag, meta: Failures): boolean {
  const side = toolSide(part);
  if (tag === 'tool') return side !== null;
  if (tag === 'is') return hasFailed(part, meta);
  if (tag === 'has') return value === 'signature' ? part.signed === true : side === value || part.kind === KINDS[value];
  return false;
}

function positiveTags(expr: Expr): readonly Tag[] {
  if (expr.kind === 'tag') return [expr];
  return expr.kind === 'and' || expr.kind === 'or' ? expr.of.flatMap(positiveTags) : [];
}
