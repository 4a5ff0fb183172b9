// A message while rules work on it. Untouched drafts are shared between runs (in the memo), so what was read of a
// message is read once however often a slider moves.
import type { MessageFacts } from '../../model/message.ts';
import { readEdited } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { assert } from '../../util/assert.ts';
import { isRecord } from '../../util/unknown.ts';
import { ItemMap } from '../../view/itemMap.ts';
import { composeOrigins, mapWithout, messagesIn, originsOf } from '../../view/origins.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { Origins, StageMemo, SyntheticItem, View, ViewItem } from '../../view/types.ts';
import { type AnswerFacts, readAnswerFacts } from './answerFacts.ts';
import type { Joint } from './rules/joint.ts';
import { inspectMessage, plainResults, type Traits } from './traits.ts';
import { type Change, RULE_NAMES, type RuleName } from './types.ts';

/** A parsed message; one that is not an object is an empty one to the rules, and stays as it is. */
export type Fields = Readonly<Record<string, unknown>>;

/** Longer texts are made again each time: memory is dearer than time. */
const KEPT_CHARS = 100_000;

/** Whether a message holds calls (of the assistant), and results. */
export interface Pairing {
  readonly calls: boolean;
  readonly results: boolean;
}

const PAIRINGS: readonly Pairing[] = [
  { calls: false, results: false },
  { calls: true, results: false },
  { calls: false, results: true },
  { calls: true, results: true },
];

function pairingOf({ role, parts }: MessageFacts): Pairing {
  const calls = role === 'assistant' && parts.some(({ kind }) => kind === 'tool_call');
  const results = parts.some(({ kind }) => kind === 'tool_result');
  return PAIRINGS[(calls ? 1 : 0) + (results ? 2 : 0)] ?? { calls, results };
}

/** The new id of a part (its position in facts.parts). */
export interface NewId {
  readonly at: number;
  readonly id: string;
}

function isSame(a: readonly NewId[], b: readonly NewId[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every(({ at, id }, i) => at === b[i]?.at && id === b[i]?.id);
}

const NONE: readonly Change[] = [];

const BITS = new Map<RuleName, number>(RULE_NAMES.map((rule, at) => [rule, 1 << at]));

/** The bit of a rule, for {@link Draft.judged}. */
export function bitOf(rule: RuleName): number {
  return BITS.get(rule) ?? 0;
}

/** Reads messages of the view. */
interface DraftReader {
  readonly source: TranscriptSource;
  facts(item: ViewItem): MessageFacts;
}

interface DraftState {
  readonly edited?: string | null;
  readonly origins?: Origins | null;
  readonly moved?: boolean;
  /** Several turns that are one: in place of text and origins, which it gives when they are asked for. */
  readonly joint?: Joint | null;
}

/** A message of the view, edited, moved, or made by a rule. Immutable; what it reads of itself is kept. */
export class Draft {
  /** The item of the view it stems from; null = a rule made it. */
  readonly item: ViewItem | null;
  /** Set if a rule moved it: it then stands for its source message elsewhere. */
  readonly moved: boolean;
  readonly #reader: DraftReader;
  #edited: string | null;
  /** Null = those of its item, or of the turns that it was joined from. */
  #origins: Origins | null;
  readonly #joint: Joint | null;
  /** In pieces, once another was to be joined to it. */
  #pieces: Joint | null = null;
  #facts: MessageFacts | null = null;
  #traits: Traits | null = null;
  #answerFacts: AnswerFacts | null = null;
  /** What was last made of it: the next run, with another option, mostly makes the same. */
  #derived: Draft | null = null;
  #joined: { readonly later: Draft; readonly made: Draft | null } | null = null;
  #role: string | null = null;
  #pairing: Pairing | null = null;
  #holdsImage: boolean | null = null;
  /** What local rules said of it under these options: those that left it alone by bit, the changes of the others. */
  #judgedUnder: object | null = null;
  #passed = 0;
  #changes: readonly Change[] = NONE;
  #renaming: { readonly ids: readonly NewId[]; readonly mode: string; readonly change: Change } | null = null;
  #asItem: ViewItem | null = null;

  constructor(
    reader: DraftReader,
    item: ViewItem | null,
    { edited = null, origins = null, moved = false, joint = null }: DraftState = {},
  ) {
    this.item = item;
    this.moved = moved;
    this.#reader = reader;
    this.#edited = edited;
    this.#origins = origins;
    this.#joint = joint;
  }

  /** Source index, null if it stems from no source message. */
  get index(): number | null {
    return this.item?.kind === 'source' ? this.item.index : null;
  }

  /** True if its text is no longer that of its item. */
  get isEdited(): boolean {
    return this.#edited !== null || this.#joint !== null;
  }

  get text(): string {
    if (this.#joint !== null) this.#edited ??= this.#joint.render();
    if (this.#edited !== null) return this.#edited;
    assert(this.item !== null, 'a message that a rule made has a text');
    return itemText(this.item, this.#reader.source);
  }

  /** The parsed message, read again each time: holding all of them would double the transcript. */
  get value(): Fields {
    const value: unknown = JSON.parse(this.text);
    return isRecord(value) ? value : {};
  }

  get facts(): MessageFacts {
    const raw = !this.isEdited && this.item?.kind === 'source' && this.item.text === undefined;
    if (raw && this.index !== null) return this.#reader.source.facts(this.index);
    this.#facts ??= this.#read();
    return this.#facts;
  }

  #read(): MessageFacts {
    // Other stages have mostly read it.
    if (!this.isEdited && this.item !== null) return this.#reader.facts(this.item);
    const made = messagesIn(this.index, this.#ownOrigins ?? this.item?.origins);
    return readEdited(
      JSON.parse(this.text),
      made.map((index) => this.#reader.source.facts(index)),
    );
  }

  /** What it holds, as an answer. */
  get answerFacts(): AnswerFacts {
    this.#answerFacts ??= readAnswerFacts(this.text, () => this.value);
    return this.#answerFacts;
  }

  get role(): string {
    this.#role ??= this.facts.role;
    return this.#role;
  }

  /** Whether calls or results are in it: kept, because every reading of pairs asks it of every message. */
  get pairing(): Pairing {
    this.#pairing ??= pairingOf(this.facts);
    return this.#pairing;
  }

  /** What rules ask first, so that they parse only messages they are about to change. */
  get traits(): Traits {
    this.#traits ??= plainResults(this.text, this.facts) ?? inspectMessage(this.value, this.facts);
    return this.#traits;
  }

  /** Whether there is an image in it with its payload: kept, because most messages hold none. */
  get holdsImage(): boolean {
    this.#holdsImage ??= this.traits.images.length > 0;
    return this.#holdsImage;
  }

  get #ownOrigins(): Origins | null {
    if (this.#joint !== null) this.#origins ??= this.#joint.origins(this.value);
    return this.#origins;
  }

  /** Which raw parts its parts are. */
  get origins(): Origins {
    return this.#ownOrigins ?? (this.item === null ? [] : originsOf(this.item, this.facts.parts.length));
  }

  /** Its origins without some of its parts (positions in facts.parts). */
  originsWithout(gone: ReadonlySet<number>): Origins {
    return composeOrigins(this.origins, mapWithout(this.facts.parts.length, gone));
  }

  /**
   * The same message with another text; itself if the text is the same. `origins` of the parts behind the edit; absent =
   * they are as many as they were, and in their order.
   */
  with(text: string, origins: Origins | null = this.#ownOrigins): Draft {
    if (text === this.text) return this;
    if (this.#derived === null || this.#derived.#edited !== text) {
      const made = new Draft(this.#reader, this.item, { edited: text, origins, moved: this.moved });
      if (text.length > KEPT_CHARS) return made;
      this.#derived = made;
    }
    return this.#derived;
  }

  /**
   * This message with a later one joined to it, as `join` says; null = they do not join. Costs what the later one holds, not
   * what was joined before. Made once as long as it is the same one that is joined.
   */
  joinedWith(
    later: Draft,
    open: (draft: Draft) => Joint,
    join: (first: Joint, later: Joint) => Joint | null,
  ): Draft | null {
    if (this.#joined?.later === later) return this.#joined.made;
    const own = this.#inPieces(open);
    const joint = join(own, later.#inPieces(open));
    const made = joint === null ? null : own.isSame(joint) ? this : this.#asJoint(joint);
    if ((joint?.pieces.chars ?? 0) <= KEPT_CHARS) this.#joined = { later, made };
    return made;
  }

  #inPieces(open: (draft: Draft) => Joint): Joint {
    const known = this.#joint ?? this.#pieces;
    if (known !== null) return known;
    const pieces = open(this);
    if (pieces.pieces.chars <= KEPT_CHARS) this.#pieces = pieces;
    return pieces;
  }

  #asJoint(joint: Joint): Draft {
    return new Draft(this.#reader, this.item, { joint, moved: this.moved });
  }

  /**
   * What a rule that looks at one message only said of this one, under the same options (by identity): its change, null =
   * it left it alone, undefined = it was not asked yet.
   */
  judged(rule: RuleName, bit: number, under: object): Change | null | undefined {
    if (this.#judgedUnder !== under) return undefined;
    if ((this.#passed & bit) !== 0) return null;
    return this.#changes === NONE ? undefined : this.#changes.find((change) => change.rule === rule);
  }

  /** True if all rules of these bits left it alone under these options. */
  passes(bits: number, under: object): boolean {
    return this.#judgedUnder === under && (this.#passed & bits) === bits;
  }

  /** Keeps what such a rule said. */
  keepJudgement(rule: RuleName, under: object, change: Change | null): void {
    if (this.#judgedUnder !== under) {
      this.#judgedUnder = under;
      this.#passed = 0;
      this.#changes = NONE;
    }
    if (change === null) this.#passed |= bitOf(rule);
    else if ((change.after?.text.length ?? 0) <= KEPT_CHARS) this.#changes = [...this.#changes, change];
  }

  /** The change of its ids, made once as long as the ids are the same, and what is asked of ids (`mode`). */
  renamed(ids: readonly NewId[], mode: string, make: () => Change): Change {
    const known = this.#renaming;
    if (known !== null && known.mode === mode && isSame(known.ids, ids)) return known.change;
    const change = make();
    if ((change.after?.text.length ?? 0) <= KEPT_CHARS) this.#renaming = { ids, mode, change };
    return change;
  }

  /** The item of an edited message that stands for its source, the same as long as it is this draft. */
  editedItem(item: ViewItem): ViewItem {
    this.#asItem ??= { ...item, text: this.text, ...(this.#ownOrigins !== null && { origins: this.#ownOrigins }) };
    return this.#asItem;
  }

  /** The same message, elsewhere. */
  asMoved(): Draft {
    const state = { edited: this.#edited, origins: this.#origins, joint: this.#joint };
    return new Draft(this.#reader, this.item, { ...state, moved: true });
  }

  /** A new message that no one wrote; `origins` where it holds parts that somebody did. */
  make(text: string, origins: Origins | null = null): Draft {
    return new Draft(this.#reader, null, { edited: text, origins });
  }
}

/** The drafts of a view's items; those of untouched items are kept in the memo. */
export function openDrafts(view: View, source: TranscriptSource, memo: StageMemo): readonly Draft[] {
  return view.items.map(draftsIn(source, memo));
}

/** The same item by item. */
export function draftsIn(source: TranscriptSource, memo: StageMemo): (item: ViewItem) => Draft {
  const known = memo.get('hygiene.drafts', () => new ItemMap<Draft>());
  const reader: DraftReader = { source, facts: (item) => itemFacts(item, source, memo) };
  return (item) => {
    const found = known.get(item);
    if (found !== undefined) return found;
    const draft = new Draft(reader, item);
    known.set(item, draft);
    return draft;
  };
}

/** The item of a draft. `next` = the source message that stands next behind it, the call point if there is none. */
export function toItem(
  draft: Draft,
  stage: number,
  next: number,
  whyOf: (draft: Draft) => SyntheticItem['made'],
): ViewItem {
  const { item, index } = draft;
  if (item !== null && (index === null || !draft.moved)) return draft.isEdited ? draft.editedItem(item) : item;
  const covers = index === null ? { from: next, to: next } : { from: index, to: index + 1 };
  const made = whyOf(draft);
  const { origins } = draft;
  const isOfSomebody = origins.some((places) => places.length > 0);
  return {
    kind: 'synthetic',
    text: draft.text,
    ...(isOfSomebody && { origins }),
    covers,
    stage,
    ...(made !== undefined && { made }),
  };
}
