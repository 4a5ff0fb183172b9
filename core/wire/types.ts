import type { TranscriptMeta } from '../model/transcript.ts';
import type { Wire } from '../stages/hygiene/index.ts';
import type { AssetBytes } from './assets.ts';

/** The requests that can be written. */
export const WIRE_TARGETS = ['anthropic', 'openai', 'responses', 'gemini'] as const;
/** One of them. */
export type WireTarget = (typeof WIRE_TARGETS)[number];

/** What a target is: the lint's name for it, its title, where it is posted, and the formats that already speak it. */
export interface TargetFacts {
  readonly wire: Wire;
  readonly title: string;
  /** `MODEL` stands for the model where it is part of the address. */
  readonly url: string;
  readonly formats: readonly string[];
  /** The hygiene profile that makes a history valid for it. */
  readonly profile: 'anthropic' | 'openai' | 'openai-responses' | 'google';
}

/** The targets. Sources: the API references of Anthropic, OpenAI and Google for the four requests. */
export const TARGETS: Readonly<Record<WireTarget, TargetFacts>> = {
  anthropic: {
    wire: 'anthropic',
    title: 'Anthropic Messages',
    url: 'https://api.anthropic.com/v1/messages',
    formats: ['anthropic-messages', 'claude-code'],
    profile: 'anthropic',
  },
  openai: {
    wire: 'openai-chat',
    title: 'OpenAI chat completions',
    url: 'https://api.openai.com/v1/chat/completions',
    formats: ['openai-chat'],
    profile: 'openai',
  },
  responses: {
    wire: 'openai-responses',
    title: 'OpenAI Responses',
    url: 'https://api.openai.com/v1/responses',
    formats: ['openai-responses', 'codex'],
    profile: 'openai-responses',
  },
  gemini: {
    wire: 'gemini',
    title: 'Gemini generateContent',
    url: 'https://generativelanguage.googleapis.com/v1beta/models/MODEL:generateContent',
    formats: ['gemini-contents', 'gemini-cli'],
    profile: 'google',
  },
};

/** What kinds of thing cannot be carried. */
export const LOSS_KINDS = [
  'signature',
  'thinking',
  'encrypted',
  'citation',
  'cache_control',
  'image',
  'image_url',
  'file',
  'audio',
  'server_tool',
  'custom_tool',
  'error_flag',
  'role',
  'id',
  'name',
  'arguments',
  'refusal',
  'compaction',
  'order',
  'tool',
  'block',
  'field',
  'metadata',
  'message',
] as const;
/** One of them. */
export type LossKind = (typeof LOSS_KINDS)[number];

/** Something the request does not carry as the history has it. */
export interface Loss {
  readonly kind: LossKind;
  /** `changed`: it is there in another form; `left_out`: it is not there. */
  readonly how: 'left_out' | 'changed';
  /** Source index; null for messages that no one wrote, for system and tools. */
  readonly index: number | null;
  /** Position in the projected view; null for system and tools. */
  readonly position: number | null;
  /** Where in the message (or in system, tools): `content[2].signature`. Empty = the whole of it. */
  readonly path: string;
  /** What, and why. One sentence without its full stop. */
  readonly text: string;
}

/** A value of the request that the transcript does not record: chosen here, and by what rule. */
export interface Chosen {
  readonly field: string;
  readonly value: string;
  readonly why: string;
}

/** What the request is to hold besides the messages. What is absent is taken from the transcript, else chosen. */
export interface WireOptions {
  readonly meta: Pick<TranscriptMeta, 'format' | 'bundle' | 'systemJson' | 'toolsJson' | 'settingsJson' | 'models'>;
  readonly model?: string;
  /** Tokens of the answer. */
  readonly maxTokens?: number;
  /** What a budget keeps free for the answer: its length where one must be said and none is recorded. */
  readonly reserved?: number;
  /** What is to become of thinking that is bound to another conversation (Anthropic); absent = as recorded. */
  readonly onMismatch?: 'error' | 'drop_block' | undefined;
  /** JSON texts in place of those recorded, in any of the four forms; null = none. */
  readonly systemJson?: string | null;
  readonly toolsJson?: string | null;
  /**
   * True: fields that the published types of the target do not know are left out (and reported), also where the history was
   * recorded on that very wire. False (default): what was recorded on the wire goes out byte for byte.
   */
  readonly strict?: boolean;
  /** Bytes of the assets that messages name by id; absent = none is to be had. */
  readonly assets?: AssetBytes;
}

/** A message of the request as the lint reads it, and where it comes from. */
export interface WireEntry {
  /** As it is in the body. */
  readonly json: string;
  readonly message: string;
  readonly index: number | null;
  readonly position: number;
}

/** A request. `chunks` joined are its JSON text. */
export interface WireBody {
  readonly target: WireTarget;
  readonly chunks: readonly string[];
  /** JSON text of an object: the body without its messages. */
  readonly head: string;
  readonly url: string;
  readonly model: string;
  readonly losses: readonly Loss[];
  readonly chosen: readonly Chosen[];
  readonly entries: readonly WireEntry[];
}
