import type { Category } from '../model/category.ts';
import type { PartPlace } from '../model/exchanges.ts';
import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Budget } from '../tokens/budget.ts';
import type { Countable } from '../tokens/partTokens.ts';
import type { Sha256 } from '../util/hash.ts';
import type { IncrementalContext, IncrementalRun } from './incremental.ts';
import type { StageTraits } from './stageTraits.ts';

/** What became of a source message or of a part. Every source message before the call point has exactly one. */
export type FateKind = 'kept' | 'redacted' | 'rewritten' | 'dropped' | 'summarised' | 'merged';

/**
 * Of each part of an edited or made message, in the order of its facts, the raw parts that it is, or is made of; none =
 * a stage wrote it. `message` is a source index, which need not be that of the item: merged turns name several.
 */
export type Origins = readonly (readonly PartPlace[])[];

/** A message of the raw transcript in a view: as it was, or with its JSON text edited by stages. */
export interface SourceItem {
  readonly kind: 'source';
  /** Source index. */
  readonly index: number;
  /** The edited JSON text; absent = exactly the raw text. */
  readonly text?: string;
  /** Which part became which. Absent = the parts are those of the raw message, as many and in their order. */
  readonly origins?: Origins;
  /** It is sent, but the provider does not show it to the model: it costs nothing, and says nothing. */
  readonly unrendered?: true;
}

/** A message that no one wrote: a summary, a repair. Stands for a span of source messages. */
export interface SyntheticItem {
  readonly kind: 'synthetic';
  /** Its JSON text. */
  readonly text: string;
  /** The raw parts in it, where it holds some: a message that was moved, a copy. Absent = none. */
  readonly origins?: Origins;
  /** Source span it covers, end exclusive; empty span (from = to) = inserted before `from`. */
  readonly covers: { readonly from: number; readonly to: number };
  /** Position in the spec of the stage that made it. */
  readonly stage: number;
  /** Why it is there, where the stage can say more than its title: for the row's chip and its tooltip. */
  readonly made?: {
    readonly rule: string;
    readonly chip: string;
    readonly reason: string;
    /** What the provider would have in its place, where only the provider can make that. */
    readonly instead?: string;
    /** Which of the summaries written for its place it is. */
    readonly version?: number;
  };
}

/** The chip of a made message in whose place a summary is to be written. */
export const PLACEHOLDER_CHIP = 'placeholder';

export type ViewItem = SourceItem | SyntheticItem;

/** What a stage takes and gives: the ordered messages the next request would hold. Never edited in place. */
export interface View {
  readonly items: readonly ViewItem[];
}

/** The fate of a part where it differs from that of its message as a whole. */
export interface PartFate {
  /** Position of the part in MessageFacts.parts of the raw message. */
  readonly part: number;
  readonly kind: FateKind;
  readonly reason: string;
}

/**
 * The fate of one source message: which stage, under which rule, why. `kept` by no stage has stage null.
 * `reason` is the sentence shown in tooltip, drawer and CLI alike: it names the threshold and the value.
 */
export interface Fate {
  readonly kind: FateKind;
  /** Position of the deciding stage in the spec; null = no stage touched it. */
  readonly stage: number | null;
  /** Stable rule name within the stage's family, e.g. `repaired_later`, `stale_tool_result_unreachable`. */
  readonly rule: string | null;
  readonly reason: string;
  /** A short chip for the row, e.g. `repaired at #210`, `−4,751`; absent = the kind says enough. */
  readonly chip?: string;
  /** Source index of a message that explains it (the later success, the root that kept it). */
  readonly because?: number;
  /** The identifier that kept a result reachable, and others like it: evidence, for people. */
  readonly evidence?: string;
  readonly parts?: readonly PartFate[];
  /** The stage put the message back, or back into its words: what earlier stages did to it does not hold any more. */
  readonly back?: true;
  readonly pointers?: readonly RedactionPointer[];
}

/** Where the raw body of a redacted tool result is, in the words and field names of Harn's projection. */
export interface RedactionPointer {
  readonly policy: string;
  /** `transcript.messages[I].content` or `transcript.messages[I].content[B].content`. */
  readonly source: string;
  readonly source_index: number;
  readonly source_block_index: number | null;
  /** `sha256:` + hex of the raw content. */
  readonly content_hash: string;
  /** Unicode scalars. */
  readonly content_chars: number;
  readonly estimated_tokens_reclaimed: number;
  readonly tool_call_id: string | null;
  readonly tool_name: string | null;
  readonly reason: string;
}

/** What one stage did at this call point. Counts are of source messages. */
export interface StageReport {
  readonly stage: number;
  readonly kind: string;
  readonly title: string;
  readonly enabled: boolean;
  /** One line for the stage's card: `14 results reclaimed`. What that saved is said by core/projection/savings.ts. */
  readonly summary: string;
  readonly reason: string;
  /** How many messages the stage touched, by what it did; messages that it left alone are not counted. */
  readonly counts: Readonly<Partial<Record<FateKind, number>>>;
  readonly reclaimedChars: number;
  readonly reclaimedTokens: number;
  readonly rootsConsulted: readonly string[];
  /** Set if provider safety refused the stage's result: index of the signed message that blocked it. */
  readonly blockedBy: number | null;
  readonly problems: readonly Problem[];
  /** Set if the stage wanted a summary and none applies: the span it would have to cover, end exclusive. */
  readonly needsSummary?: { readonly from: number; readonly to: number };
  /** What the stage's source of rules calls its result's metadata, for people and `--json`. */
  readonly meta?: Readonly<Record<string, string | number | boolean | null>>;
  /** Of options that are neither defaults nor the spec's own: the scope that gave them. */
  readonly sources?: Readonly<Record<string, 'request' | 'transcript' | 'workspace' | 'default'>>;
}

/** One value of a `choice`, or one that a `list` offers. */
export interface ParamChoice {
  readonly value: string;
  /** Other words for it that specs may use. */
  readonly aliases?: readonly string[];
  readonly help: string;
}

/** The value of an option as a spec holds it. `rules`: rows by name, e.g. per tool, each with the schema's `fields`. */
export type ParamDefault =
  | number
  | boolean
  | string
  | null
  | readonly string[]
  | Readonly<Record<string, Readonly<Record<string, number | boolean | string | null>>>>;

/**
 * How an option is changed so that a stage takes less: what core/insight/keep tries to keep a message. Absent = no value of it
 * keeps more.
 */
export type Relax =
  /**
   * A number: larger or smaller values take less. `upTo` = the largest that says anything (absent: what the unit counts in the
   * session); `step` of numbers with decimals; `unlimited` = a value that stands for no limit at all; `uneven` = a larger value
   * may take again what a smaller one spares.
   */
  | {
      readonly towards: 'more' | 'less';
      readonly upTo?: number;
      readonly step?: number;
      readonly unlimited?: number;
      readonly uneven?: true;
    }
  /** Other values that may take less. */
  | { readonly values: readonly ParamDefault[] }
  /** A list of what is spared: the tool concerned, each choice that is missing, the rule that took it. */
  | { readonly adds: 'tools' | 'choices' | 'rule'; readonly unlessEmpty?: true }
  /** Rows by tool: one for the tool concerned, which begins as the stage's own options of these names are. */
  | { readonly adds: 'row'; readonly like: readonly string[] };

/** The description of one option of a stage: enough to draw its control, validate it and explain it. */
export interface ParamSchema {
  /** As a spec writes it. */
  readonly name: string;
  /** As the screen calls it, in a few plain words: a stage of the program has one for each. Default: the name. */
  readonly label?: string;
  readonly aliases?: readonly string[];
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | 'text' | 'code' | 'choice' | 'list' | 'rules';
  readonly default: ParamDefault;
  /** `choice`: the accepted values; `list`: those that are offered. */
  readonly choices?: readonly ParamChoice[];
  /** `list`, `rules`: what the screen offers besides: names of the tools that the transcript calls. */
  readonly offers?: 'tools';
  /** `list`: an entry may hold white space and commas; a single string is one entry. */
  readonly whole?: true;
  /** `list`: what an empty one means, in its field; default `none`. */
  readonly empty?: string;
  /** `rules`: the options of each row. */
  readonly fields?: readonly ParamSchema[];
  /** The control is shown only while another option has one of these values. */
  readonly when?: { readonly param: string; readonly is: readonly (string | number | boolean)[] };
  readonly min?: number;
  /** Upper end of the slider; larger values may be typed. */
  readonly softMax?: number;
  readonly unit?: string;
  /** Where another option says what is counted: the unit by that option's value. */
  readonly unitBy?: { readonly param: string; readonly units: Readonly<Record<string, string>> };
  /** How it takes less; absent = not at all. */
  readonly relax?: Relax;
  /** One or two sentences: what it means, what a larger value does. */
  readonly help: string;
}

/** What a stage may use besides its view. Everything in it is deterministic. */
export interface StageContext {
  readonly source: TranscriptSource;
  /** Call point: the view was built from messages [0, at). */
  readonly at: number;
  /** Position of this stage in the spec. */
  readonly stage: number;
  readonly memo: StageMemo;
  /** The host's SHA-256; all give the same digests, some are faster. */
  readonly sha256: Sha256;
  readonly tokens: StageTokens;
  /** What the request may hold; null = the window is not known. */
  readonly budget: Budget | null;
}

/**
 * Tokens as a stage may use them. Raw messages cost a look-up. While a transcript is being counted, what is not counted
 * yet is estimated (`exact` false), and the projection is made again when the counts are there.
 */
export interface StageTokens {
  /** Tokenizer id, or `estimate`. */
  readonly tokenizer: string;
  /** True if no count is an estimate. */
  readonly exact: boolean;
  /** Of an image of unknown size. */
  readonly image: number;
  /** Names the counts: the same text, the same counts. Absent = they are compared by identity. */
  readonly state?: string;
  /** By what all counts are multiplied to be the provider's (core/tokens/calibrated.ts); absent = 1. */
  readonly factor?: number;
  /** Tokens of each part of a raw message, in the order of MessageFacts.parts. */
  parts(index: number): readonly number[];
  /** All parts of a raw message. */
  message(index: number): number;
  /** All parts of the raw messages [from, to). */
  range(from: number, to: number): number;
  /** Of a text that is in no raw message; of several, that are one part, together. */
  text(...texts: string[]): number;
  /** Of texts and images of a part that is in no raw message, together; absent = each image is of unknown size. */
  together?(part: Countable): number;
  /** How many texts were guessed because counting them would have kept people waiting; absent = none ever is. */
  readonly guesses?: number;
}

/**
 * Per-transcript memory for derived data that does not depend on parameters (identifiers of a result, the text of
 * a redaction). Keys are namespaced by the stage. A stage must give the same result with an empty memo. A transcript
 * may grow at its end while its memo lives: what was derived of all messages goes with their number.
 */
export interface StageMemo {
  get<T>(key: string, make: () => T): T;
}

/** What a stage gives back. `fates` lists only messages the stage touched, or explains. */
export interface StageOutput {
  readonly view: View;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly report: StageReport;
  /**
   * Why a message that `fates` does not name stays, by its position in the view that the stage was given: which rule, with
   * which value against which threshold. Asked of every message, so it must be cheap: share fates, make few sentences.
   */
  readonly explain?: (position: number) => Fate;
}

/** A stage read out where it is: `fates` makes each when it is asked for, and only while the stage is there. */
export interface StageRead extends StageOutput {
  /** By source index what it does to a message, as a number of TOUCHED_KINDS; messages beyond it are left alone. */
  readonly kinds: Uint8Array;
  /** Why it takes a message out, in short (see `causeOf` of IncrementalRun); null = its fate says. */
  causeOf(index: number): string | null;
  explain(position: number): Fate;
}

/** The one thing a stage cannot compute by itself: the run of the user's code in the sandbox. */
export interface RunUserCode {
  readonly effect: 'run_user_code';
  readonly code: string;
  /** JSON array text of the view's messages. */
  readonly messagesJson: string;
}

/** The sandbox's answer: the JSON text of what the function returned, or where and why it failed. */
export type UserCodeAnswer =
  | { readonly ok: true; readonly resultJson: string; readonly steps: number; readonly logs: readonly string[] }
  | {
      readonly ok: false;
      readonly code: 'syntax' | 'threw' | 'steps' | 'memory' | 'stack' | 'result' | 'wall';
      readonly message: string;
      readonly line: number | null;
      readonly column: number | null;
      readonly logs: readonly string[];
    };

/** An image to make smaller. Pure code plans; a host that has an image library encodes. */
export interface ResizeImage {
  readonly effect: 'resize_image';
  /** Names the image and the plan; the answer is kept under it. */
  readonly key: string;
  /** Base64 of the image as it is. */
  readonly data: string;
  /** Longest sides to try, in pixels, descending; never larger than the image. */
  readonly sides: readonly number[];
  /** JPEG qualities to try for each side, descending. The first result within the limit wins. */
  readonly qualities: readonly number[];
  /** Decoded bytes. */
  readonly maxBytes: number;
}

/** The host's answer. `unavailable` = there is no image library here; `failed` = it could not do it. */
export type ResizeAnswer =
  | { readonly effect: 'resize_image'; readonly ok: true; readonly data: string; readonly mime: string }
  | {
      readonly effect: 'resize_image';
      readonly ok: false;
      readonly code: 'unavailable' | 'failed';
      readonly message: string;
    };

/** A moment in which a host may do something else; the answer means nothing. */
export interface Pause {
  readonly effect: 'pause';
}

/** All that a stage may ask of its host. */
export type StageEffect = RunUserCode | ResizeImage | Pause;

/** What a host answers: to user code how its run ended, to an image what became of it, to a pause that it is over. */
export type StageAnswer = UserCodeAnswer | ResizeAnswer | Pause;

/** The pause, and its answer. */
export const PAUSE: Pause = { effect: 'pause' };

/** Part of a stage's run over all messages, which pauses: `yield*` it. */
export type Pausing<T> = Generator<Pause, T, unknown>;

/** Messages between two pauses of a stage that edits them: a few milliseconds. */
export const PAUSE_EVERY = 256;

/** A stage's run: plain computation, which may ask its host for something and resumes with the answer. */
export type StageRun = Generator<StageEffect, StageOutput, StageAnswer>;

/**
 * Whether thinking stays valid on models that hold it against the conversation it was made in. `no` = the client edits
 * messages, and blocks behind an edit fail; `provider` = the provider edits on its side, what was sent stays; `recorded` =
 * what the runtime really did; `yes` = it changes nothing.
 */
export type KeepsThinking = 'no' | 'provider' | 'recorded' | 'yes';

/**
 * One kind of stage. `P` = its parsed parameters. It is written once (core/view/incremental.ts); its projection at one call
 * point is one step from nothing. Registered once; duplicates are refused.
 */
export interface StageDefinition<P> {
  /** Begins it before the first call point. */
  incremental(params: P, context: IncrementalContext): IncrementalRun;
  /** Name in specs, e.g. `reachability_gc`. */
  readonly kind: string;
  readonly aliases: readonly string[];
  readonly family: 'recorded' | 'harn' | 'reducers' | 'context' | 'vendors' | 'pin' | 'hygiene';
  readonly title: string;
  readonly help: string;
  readonly params: readonly ParamSchema[];
  /** True if the result depends on token counts: it is made again when they change. */
  readonly usesTokens?: boolean;
  /** True if it reads the whole view again at each call point: to follow it along all of them takes their number squared. */
  readonly rereads?: boolean;
  /** What others may know of it without knowing which stage it is; absent = nothing. */
  readonly traits?: StageTraits;
  /** What it leaves of the conversation that thinking blocks are bound to; absent = `no`. */
  keepsThinking?(params: P): KeepsThinking;
  /** Parses options (aliases resolved, defaults filled); problems carry `where.path`. */
  parse(options: Readonly<Record<string, unknown>>): {
    readonly params: P | null;
    readonly problems: readonly Problem[];
  };
}

/** Tokens by category (slots of CATEGORIES) of a view. */
export type TokensByCategory = Readonly<Record<Category, number>>;
