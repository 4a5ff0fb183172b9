// The rows of a transcript under a projection, as filters ask of them. One object moves from row to row, so that
// none of 100,000 rows is made into an object.
import { turnAt } from '../insight/places.ts';
import { hasFailed } from '../model/failure.ts';
import type { MessageFacts, MessageMeta, Part, PartKind } from '../model/message.ts';
import { toolSide } from '../model/toolSide.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { findMarks } from '../search/marks.ts';
import { contentMarks, searchRole, searchText } from '../search/messageText.ts';
import type { Term } from '../search/types.ts';
import { millisecondsOf } from '../util/instant.ts';
import type { RowUses } from './rowUses.ts';
import type { PartStanding } from './standing.ts';
import type { FilterRow, NumberField, ValueField } from './types.ts';

/** A stage as `stage:` finds it. */
export interface StageName {
  readonly kind: string;
  readonly title: string;
}

/** Where the facts of rows come from. */
export interface RowsInput {
  readonly source: Pick<TranscriptSource, 'length' | 'facts' | 'text'>;
  readonly meta: (index: number) => MessageMeta;
  readonly turnStarts: readonly number[];
  /** Model of the transcript, for messages that record none. */
  readonly model: string | null;
  /** Tokens of a raw part; null = not counted. */
  readonly tokens: (index: number, part: number) => number | null;
  readonly standing: (index: number, part: number) => PartStanding;
  readonly stages: readonly StageName[];
  /** Null = they were not looked for: no row has any. */
  readonly uses: RowUses | null;
  /** The tool of each call, where it is at hand; see toolsByCall. */
  readonly tools?: ReadonlyMap<string, string>;
  /** Where words were looked for already; without it the text of each row is read. */
  readonly says?: (term: Term, index: number, part: number) => boolean;
}

const KINDS: Readonly<Record<PartKind, string>> = {
  text: 'text',
  thinking: 'thinking',
  tool_call: 'call',
  tool_result: 'result',
  image: 'image',
  file: 'file',
  opaque: 'opaque',
  other: 'other',
};

/** The kind of a part as filters name it, and as its row does: what a provider ran itself is a call, or a result. */
export function partKindWord(part: Part | undefined): string {
  return part === undefined ? KINDS.other : (toolSide(part) ?? KINDS[part.kind]);
}

const NO_FACTS: MessageFacts = { role: '', parts: [], signed: false, beginsTurn: false };

/** A row: part `part` of message `index`. Move it with `at`. */
export class TranscriptRow implements FilterRow {
  readonly #input: RowsInput;
  #toolOfCall: ReadonlyMap<string, string> | null;
  readonly #stages: readonly (readonly string[])[];
  #index = -1;
  #part = 0;
  #facts = NO_FACTS;
  #meta: MessageMeta | null = null;
  #standing: PartStanding | null = null;
  #marks: ReturnType<typeof contentMarks> | null = null;
  #message: { readonly value: unknown } | null = null;

  constructor(input: RowsInput) {
    this.#input = input;
    this.#toolOfCall = input.tools ?? null;
    this.#stages = input.stages.map(({ kind, title }) => [kind.toLowerCase(), title.toLowerCase()]);
  }

  /** Moves to a row. */
  at(index: number, part: number): this {
    if (index !== this.#index) {
      this.#index = index;
      this.#facts = this.#input.source.facts(index);
      this.#meta = null;
      this.#marks = null;
      this.#message = null;
    }
    this.#part = part;
    this.#standing = null;
    return this;
  }

  values(field: ValueField): string | readonly string[] | null {
    switch (field) {
      case 'role':
        return searchRole(this.#facts);
      case 'kind':
        return partKindWord(this.#own);
      case 'tool':
        return this.#tool();
      case 'call':
      case 'result':
        return this.#own !== undefined && toolSide(this.#own) === field ? this.#tool() : null;
      case 'is':
        return this.#flags();
      case 'has':
        this.#marks ??= contentMarks(this.#facts);
        return this.#marks.flatMap(({ tag, value }) => (tag === 'has' ? [value] : []));
      case 'model':
        return (this.#recorded.model ?? this.#input.model)?.toLowerCase() ?? null;
      case 'used':
        return usedValues(this.#input.uses?.of(this.#index, this.#part));
      case 'use':
        return this.#input.uses?.of(this.#index, this.#part).kinds ?? null;
      default:
        return this.#projected(field);
    }
  }

  number(field: NumberField): number | null {
    switch (field) {
      case 'tokens':
        return this.#own === undefined ? 0 : this.#input.tokens(this.#index, this.#part);
      case 'chars':
        return this.#own?.chars ?? 0;
      case 'index':
        return this.#index;
      case 'turn':
        return turnAt(this.#input.turnStarts, this.#index + 1);
      case 'uses':
        return this.#input.uses?.of(this.#index, this.#part).later ?? null;
    }
  }

  time(): number | null {
    return millisecondsOf(this.#recorded.timestamp);
  }

  says(term: Term): boolean {
    const { says, source } = this.#input;
    if (says !== undefined) return says(term, this.#index, this.#part);
    const part = this.#own;
    if (part === undefined) return false;
    this.#message ??= { value: JSON.parse(source.text(this.#index)) };
    return findMarks(searchText(this.#message.value, part), [term]).length > 0;
  }

  #projected(field: 'fate' | 'stage' | 'rule' | 'in'): string | readonly string[] | null {
    this.#standing ??= this.#input.standing(this.#index, this.#part);
    const { fate, where, stage, rule } = this.#standing;
    switch (field) {
      case 'fate':
        return fate === 'redacted' ? 'cleared' : fate;
      case 'rule':
        return rule?.toLowerCase() ?? null;
      case 'stage':
        return stage === null ? null : (this.#stages[stage] ?? null);
      case 'in':
        return where === null ? null : where === 'own' ? 'request' : ['request', 'elsewhere'];
    }
  }

  get #own(): Part | undefined {
    return this.#facts.parts[this.#part];
  }

  get #recorded(): MessageMeta {
    this.#meta ??= this.#input.meta(this.#index);
    return this.#meta;
  }

  #tool(): string | null {
    const part = this.#own;
    if (part === undefined || toolSide(part) === null) return null;
    if (part.name) return part.name.toLowerCase();
    this.#toolOfCall ??= toolsByCall(this.#input.source);
    return (part.callId ? this.#toolOfCall.get(part.callId)?.toLowerCase() : null) ?? null;
  }

  #flags(): readonly string[] {
    const meta = this.#recorded;
    const part = this.#own;
    const flags: string[] = [];
    if (part !== undefined && hasFailed(part, meta)) flags.push('error');
    if (part?.signed === true) flags.push('signed');
    if (meta.injected === true) flags.push('injected');
    if (meta.provenance?.kind === 'queued_prompt') flags.push('queued');
    if (meta.compactSummary === true) flags.push('compaction');
    if (meta.sidechain === true) flags.push('sidechain');
    if (meta.typed === true) flags.push('typed');
    return flags;
  }
}

function usedValues(use: { readonly later: number; readonly gone: number } | undefined): readonly string[] | null {
  if (use === undefined) return null;
  if (use.later === 0) return ['never'];
  return use.gone > 0 ? ['later', 'gone'] : ['later'];
}

/** The tool of each call, by the call's id. */
export function toolsByCall(source: Pick<TranscriptSource, 'length' | 'facts'>): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (let index = 0; index < source.length; index++) {
    for (const { kind, callId, name } of source.facts(index).parts) {
      if (kind === 'tool_call' && callId && name) tools.set(callId, name);
    }
  }
  return tools;
}
