// The window: from the newest unit back, for as long as it fits. Plain numbers, so that a table can test it.

/** A unit as the window sees it. */
export interface WindowUnit {
  readonly tokens: number;
  readonly messages: number;
  /** Turns that begin after it. */
  readonly turnsAfter: number;
}

/** What limits the window. Unit: tokens, for history alone. */
export interface WindowLimits {
  /** The token budget. */
  readonly budget: number;
  /** What not even the last turns may exceed. */
  readonly hard: number;
  readonly keepLastTurns: number;
  /** 0 = no limit. */
  readonly maxMessages: number;
}

/** Which limit ended the window. */
export type WindowEnd = 'token_budget' | 'hard_total' | 'max_messages';

/** What the window takes, and what ends it, without its units. */
export interface WindowTotals {
  readonly tokens: number;
  readonly messages: number;
  readonly end: WindowEnd | null;
  readonly refused: WindowUnit | null;
}

/** What the window holds. `tokens`, `messages` = of all units taken; `end` null = all of the history fits. */
export interface HistoryWindow<U extends WindowUnit> extends WindowTotals {
  /** From the newest. */
  readonly taken: readonly U[];
  /** The first unit that did not fit. */
  readonly refused: U | null;
}

/**
 * Takes units from the newest for as long as they fit. Those of the last turns fill the hard total, all others the token
 * budget; the first that does not fit ends the window, so that history has no holes.
 */
export function windowOf<U extends WindowUnit>(units: Iterable<U>, limits: WindowLimits): HistoryWindow<U> {
  const taken: U[] = [];
  let [tokens, messages] = [0, 0];
  for (const unit of units) {
    const end = refusal(unit, tokens, messages, limits);
    if (end !== null) return { taken, tokens, messages, end, refused: unit };
    taken.push(unit);
    tokens += unit.tokens;
    messages += unit.messages;
  }
  return { taken, tokens, messages, end: null, refused: null };
}

/** True for a unit of the last turns. */
export function isOfLastTurns({ turnsAfter }: WindowUnit, { keepLastTurns }: WindowLimits): boolean {
  return turnsAfter < keepLastTurns;
}

/** What keeps a unit out, if those newer take `tokens` and `messages`; null = it is taken. */
export function refusal(unit: WindowUnit, tokens: number, messages: number, limits: WindowLimits): WindowEnd | null {
  const { budget, hard, maxMessages } = limits;
  if (maxMessages > 0 && messages + unit.messages > maxMessages) return 'max_messages';
  const isLast = isOfLastTurns(unit, limits);
  if (tokens + unit.tokens <= (isLast ? hard : budget)) return null;
  return isLast ? 'hard_total' : 'token_budget';
}
