// What points to something else: a stub in place of a file that was read before, the path of output that was put aside, the
// id of a sub-agent, a tool that is named and defined elsewhere. It dangles in a request that holds it and not the other.

import { parsedJson } from '../../model/decode.ts';
import { toolName, toolReferences } from '../../model/toolLoading.ts';
import { anchorsOf } from '../anchors/anchors.ts';
import type { EvidenceTexts } from './evidence.ts';
import { placedFields, type SaidMessage, type SaidPart } from './said.ts';
import type { Confidence, UseSource } from './types.ts';

/** Something that points. */
export interface Pointer {
  /** Evidence that points, and evidence that it points to; null = a definition that is in front of the messages, if at all. */
  readonly mention: number;
  readonly target: number | null;
  /** The words that point: a stub, a path, an id, a tool's name. */
  readonly text: string;
  /** Where what it points to was said. */
  readonly sources: readonly UseSource[];
  readonly confidence: Confidence;
}

const STUB_MOST = 600;
const STUB =
  /\b(?:file|content|output|result)s?\b[^.\n]{0,60}\b(?:unchanged|not changed|has ?n[o']t changed|identical|same as)\b|\b(?:refer|see|look)\b[^.\n]{0,20}\b(?:to|at)?\b[^.\n]{0,20}\b(?:earlier|previous|prior|above)\b[^.\n]{0,30}\b(?:read|result|output|call|tool_result)\b/i;

/** True if a result says nothing but that it was given before. */
export function isStub(text: string): boolean {
  return text.length <= STUB_MOST && STUB.test(text);
}

const PUT_ASIDE =
  /\b(?:full|complete|entire|whole)\s+(?:output|result|content|log)s?\b[^\n]{0,80}?\b(?:saved|written|persisted|stored)\s+(?:to|at|in):?\s+["'`]?(\S[^\n"'`]{3,400})/gi;
const AGENT = /\bagent_?id["']?\s*[:=]\s*["']?([A-Za-z0-9][\w-]{5,80})/gi;

/** The names that a result gives to something outside of it: paths of output put aside, ids of sub-agents. */
function introducedBy(text: string): readonly string[] {
  const paths = [...text.matchAll(PUT_ASIDE)].flatMap(([, rest = '']) => {
    const [path] = anchorsOf(rest);
    return path?.kind === 'path' && path.from <= 1 ? [path.text] : [];
  });
  const ids = [...text.matchAll(AGENT)].flatMap(([, id = '']) => (/\d/.test(id) ? [id] : []));
  return [...new Set([...paths, ...ids])];
}

/** Keeps what points, in the order of the session. */
export class Pointers {
  readonly #evidence: EvidenceTexts;
  readonly #all: Pointer[] = [];
  readonly #introduced = new Set<string>();
  readonly #tools: { readonly name: string; readonly place: UseSource }[] = [];

  constructor(evidence: EvidenceTexts) {
    this.#evidence = evidence;
  }

  get all(): readonly Pointer[] {
    return this.#all;
  }

  /** A result that only says it was given before, and those that it means. */
  addStub(text: string, place: UseSource, target: number): void {
    const mention = this.#evidence.resultId([place], null, Number.POSITIVE_INFINITY);
    this.#evidence.used(target, Number.POSITIVE_INFINITY);
    const sources = this.#evidence.at(target).places.slice(0, 3);
    this.#all.push({ mention, target, text: text.trim(), sources, confidence: 'certain' });
  }

  /** A message that may introduce something. */
  add(index: number, said: SaidMessage): void {
    for (const part of said.parts) if (part.part.kind === 'tool_result') this.#addIntroduced(index, part);
    for (const { name, block, how, definition } of toolReferences(said.message)) {
      if (how === 'removal' || definition !== null) continue;
      const part = Math.max(
        0,
        said.parts.findIndex(({ part: { path } }) => path[0] === 'content' && path[1] === block),
      );
      this.#tools.push({ name, place: { index, part, from: 0, to: 0 } });
    }
  }

  /** Tools that messages refer to and that are not defined; none where no definitions are recorded. */
  undefinedTools(toolsJson: string | undefined): readonly Pick<Pointer, 'text' | 'sources'>[] {
    const tools = parsedJson(toolsJson ?? 'null');
    if (!Array.isArray(tools)) return [];
    const defined = new Set(tools.map(toolName));
    return this.#tools.flatMap(({ name, place }) => (defined.has(name) ? [] : [{ text: name, sources: [place] }]));
  }

  #addIntroduced(index: number, said: SaidPart): void {
    for (const [field, offset] of placedFields(said)) {
      for (const name of introducedBy(field)) {
        if (this.#introduced.has(name)) continue;
        this.#introduced.add(name);
        const from = Math.max(0, field.replaceAll('\\', '/').indexOf(name));
        const place = { index, part: said.at, from: from + offset, to: from + offset + name.length };
        const forever = Number.POSITIVE_INFINITY;
        const target = this.#evidence.resultId([place], null, forever);
        const mention = this.#evidence.textId([{ text: name, isWhole: true }], forever);
        this.#all.push({ mention, target, text: name, sources: [place], confidence: 'probable' });
      }
    }
  }
}
