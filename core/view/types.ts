import type { Category } from '../model/category.ts';
import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Sha256 } from '../util/hash.ts';

/** What became of a source message or of a part. Every source message before the call point has exactly one. */
export type FateKind = 'kept' | 'redacted' | 'rewritten' | 'dropped' | 'summarised' | 'merged';

/** A message of the raw transcript in a view: as it was, or with its JSON text edited by stages. */
export interface SourceItem {
  readonly kind: 'source';
  /** Source index. */
  readonly index: number;
  /** The edited JSON text; absent = exactly the raw text. */
  readonly text?: string;
}

/** A message that no one wrote: a summary, a repair. Stands for a span of source messages. */
export interface SyntheticItem {
  readonly kind: 'synthetic';
  /** Its JSON text. */
  readonly text: string;
  /** Source span it covers, end exclusive; empty span (from = to) = inserted before `from`. */
  readonly covers: { readonly from: number; readonly to: number };
  /** Position in the spec of the stage that made it. */
  readonly stage: number;
  /** Why it is there, where the stage can say more than its title: for the row's chip and its tooltip. */
  readonly made?: { readonly rule: string; readonly chip: string; readonly reason: string };
}

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
  /** One line for the stage's card: `14 results reclaimed · −52,310 tok`. */
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
}

/** The description of one option of a stage: enough to draw its control, validate it and explain it. */
export interface ParamSchema {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly type: 'integer' | 'boolean' | 'string' | 'text' | 'code';
  readonly default: number | boolean | string | null;
  readonly min?: number;
  /** Upper end of the slider; larger values may be typed. */
  readonly softMax?: number;
  readonly unit?: string;
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

/** All that a stage may ask of its host. */
export type StageEffect = RunUserCode | ResizeImage;

/** What a host answers: to user code how its run ended, to an image what became of it. */
export type StageAnswer = UserCodeAnswer | ResizeAnswer;

/** A stage's run: plain computation, which may ask its host for something and resumes with the answer. */
export type StageRun = Generator<StageEffect, StageOutput, StageAnswer>;

/** One kind of stage. `P` = its parsed parameters. Registered once; duplicates are refused. */
export interface StageDefinition<P> {
  /** Name in specs, e.g. `reachability_gc`. */
  readonly kind: string;
  readonly aliases: readonly string[];
  readonly family: 'recorded' | 'harn' | 'reducers' | 'context' | 'vendors' | 'hygiene';
  readonly title: string;
  readonly help: string;
  readonly params: readonly ParamSchema[];
  /** Parses options (aliases resolved, defaults filled); problems carry `where.path`. */
  parse(options: Readonly<Record<string, unknown>>): {
    readonly params: P | null;
    readonly problems: readonly Problem[];
  };
  run(view: View, params: P, context: StageContext): StageRun;
}

/** Tokens by category (slots of CATEGORIES) of a view. */
export type TokensByCategory = Readonly<Record<Category, number>>;
