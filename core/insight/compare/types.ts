import type { FateKind } from '../../view/types.ts';

/** `only_a`, `only_b` = one request holds it; `text` = both do, in other words; `fate` = neither does, for another reason. */
export type MessageDifference = 'only_a' | 'only_b' | 'text' | 'fate';

/** What became of a message under one of two policies. */
export interface SideFate {
  readonly fate: FateKind;
  /** Position of the deciding stage in the spec; null = no stage touched it. */
  readonly stage: number | null;
  readonly rule: string | null;
  readonly reason: string;
}

/** A message of the transcript that is not the same in both requests. */
export interface DifferingMessage {
  /** Source index. */
  readonly index: number;
  readonly differs: MessageDifference;
  readonly a: SideFate;
  readonly b: SideFate;
}

/** A message that a stage made, and that is in one of the requests alone. */
export interface DifferingMade {
  readonly side: 'a' | 'b';
  /** Source span [from, to) that it stands for; empty = it was put in before `from`. */
  readonly covers: readonly [number, number];
  readonly stage: number;
  readonly rule: string | null;
  /** Its JSON text. */
  readonly text: string;
}

/** How two requests at one call point differ. `equal` = their messages are the same, one by one, as they would be sent. */
export interface RequestDifference {
  readonly equal: boolean;
  readonly messages: readonly DifferingMessage[];
  readonly made: readonly DifferingMade[];
}
