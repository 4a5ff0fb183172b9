// What is decided about a tool result, and said of its message: the same for a run over a view and along call points.
import type { MessageFacts, Part } from '../../model/message.ts';
import type { Problem } from '../../model/problem.ts';
import { withLazyPointers } from '../../view/lazyPointers.ts';
import { ownPartOf } from '../../view/origins.ts';
import { redactionPointer } from '../../view/redactionPointer.ts';
import { countedBody } from '../../view/replaceResult.ts';
import type { Fate, PartFate, RedactionPointer, SourceItem, StageContext } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';
import { EXPIRED } from './expiry.ts';
import type { RetentionParams, RetentionRule } from './retentionRules.ts';
import { KeptDescriptions, type RetentionDecision } from './retentionWords.ts';

/** The policy that pointers name. */
const POLICY = 'tool_result_retention';

const NEVER: RetentionRule = { mode: 'never', value: 0 };

/** A result's place in time: its age in turns, later results of its tool, and whether the stage has acted since. */
export interface ResultAge {
  readonly turns: number;
  readonly later: number;
  readonly isDue: boolean;
}

type JudgeContext = Pick<StageContext, 'stage' | 'source' | 'memo' | 'sha256'>;

/** What has gone of a message. */
interface Gone {
  readonly item: SourceItem;
  readonly verdicts: readonly RetentionDecision[];
}

/** Judges results under one set of parameters, at one beat (`actedAt`, see RetentionParams.every). */
export class RetentionDecider {
  readonly #params: RetentionParams;
  readonly #context: JudgeContext;
  readonly #kept: KeptDescriptions;
  /** Where the raw bodies are of what has gone of a message. */
  readonly #pointers = ({ item, verdicts }: Gone): readonly RedactionPointer[] =>
    verdicts.flatMap((verdict) => pointerTo(item, verdict, this.#context));

  constructor(params: RetentionParams, context: JudgeContext, actedAt: number | null) {
    this.#params = params;
    this.#context = context;
    this.#kept = new KeptDescriptions(context.stage, params, actedAt);
  }

  /** The turn at which the stage acted last; null = it acts at every request. */
  get actedAt(): number | null {
    return this.#kept.actedAt;
  }

  /** What becomes of a result of this tool. */
  judge(part: number, name: string | null, { turns, later, isDue }: ResultAge): RetentionDecision {
    const { rule, own } = ruleFor(this.#params, name);
    if (rule.mode === 'never') {
      const isListed = name !== null && this.#params.neverEvict.has(name);
      return { part, name, expired: false, kept: this.#kept.never(name, own, isListed) };
    }
    if (!isDue) return { part, name, expired: false, kept: this.#kept.notDue() };
    const value = rule.mode === 'age' ? turns : later;
    if (value < rule.value) return { part, name, expired: false, kept: this.#kept.young(rule, value, name, own) };
    return { part, name, expired: true, why: this.#kept.expired(rule, value, name, own) };
  }

  /** The fate of a message that stays as it is, by what was decided about its results; `held` where a cap is set. */
  keptFate(verdicts: readonly RetentionDecision[], held: HeldByResults | null): Fate | undefined {
    const kept = this.#keptByRule(verdicts);
    return kept === undefined || held === null ? kept : this.#kept.underCap(kept, held);
  }

  #keptByRule(verdicts: readonly RetentionDecision[]): Fate | undefined {
    const [only] = verdicts;
    if (verdicts.length === 1 && only?.expired === false) return only.kept;
    const kept = verdicts.map((verdict) => (verdict.expired ? this.#kept.already() : verdict.kept));
    const first = kept.find((fate) => fate !== undefined);
    const reasons = [...new Set(kept.map((fate) => fate?.reason ?? ''))];
    return first === undefined || reasons.length === 1 ? first : { ...first, reason: reasons.join('; ') };
  }

  /** The fate of a message some results of which have expired. */
  expiredFate(
    item: SourceItem,
    facts: MessageFacts,
    verdicts: readonly RetentionDecision[],
    gone: readonly RetentionDecision[],
  ): Fate {
    const { stage } = this.#context;
    const rawPart = (part: number): number | null => ownPartOf(item, part);
    const fate: Fate = {
      kind: 'redacted',
      stage,
      rule: gone.every((verdict) => verdict.early === true) ? EARLY : IN_TIME,
      reason: reasonOf(gone),
      chip: `−${grouped(savedChars(facts, gone))}`,
      ...(facts.parts.length > 1 && { parts: partFates(verdicts, rawPart) }),
    };
    return withLazyPointers(fate, this.#pointers, { item, verdicts: gone });
  }
}

const IN_TIME = 'result_expired';
const EARLY = 'over_tier_cap';

// A result names its tool seldom; the call it answers does.
function pointerTo(
  item: SourceItem,
  { part, name, early }: RetentionDecision,
  context: JudgeContext,
): RedactionPointer[] {
  const raw = ownPartOf(item, part);
  const pointer = raw === null ? null : redactionPointer(item.index, raw, EXPIRED, POLICY, context);
  if (pointer === null) return [];
  return [{ ...pointer, tool_name: pointer.tool_name ?? name, reason: early === true ? EARLY : IN_TIME }];
}

function reasonOf(gone: readonly RetentionDecision[]): string {
  const [only] = gone;
  return gone.length === 1 ? (only?.why ?? '') : [...new Set(gone.map((verdict) => verdict.why ?? ''))].join('; ');
}

/** Durable facts first; then the tool's own rule, wholly; then the default. A result of an unknown call has no tool. */
export function ruleFor(
  { rule, perTool, neverEvict }: RetentionParams,
  name: string | null,
): { readonly rule: RetentionRule; readonly own: boolean } {
  if (name === null) return { rule, own: false };
  if (neverEvict.has(name)) return { rule: NEVER, own: true };
  const own = perTool.get(name);
  return own === undefined ? { rule, own: false } : { rule: own, own: true };
}

/** Characters that a message gives up. */
export function savedChars(facts: MessageFacts, gone: readonly RetentionDecision[]): number {
  return gone.reduce((sum, { part }) => sum + saved(facts.parts[part]), 0);
}

function saved(part: Part | undefined): number {
  return part === undefined ? 0 : Math.max(0, part.chars - countedBody(part, EXPIRED).length);
}

function partFates(verdicts: readonly RetentionDecision[], rawPart: (part: number) => number | null): PartFate[] {
  return verdicts.flatMap((verdict): PartFate[] => {
    const part = rawPart(verdict.part);
    if (part === null) return [];
    return [
      verdict.expired
        ? { part, kind: 'redacted', reason: verdict.why ?? '' }
        : { part, kind: 'kept', reason: verdict.kept?.reason ?? '' },
    ];
  });
}

/** Said of a result of so many tokens that goes before its time; `all` = what all results take. */
export function describeEarly(all: number, cap: number, tokens: number): string {
  return `expired early: tool results take ${grouped(all)} tokens, over their cap of ${grouped(cap)}; the oldest go first, this one of ${grouped(tokens)}`;
}

/** How the results stand to the tier's cap: tokens before and after some went early. */
export interface HeldByResults {
  readonly cap: number;
  readonly before: number;
  readonly after: number;
  readonly early: number;
  /** True if some never expire. */
  readonly someNever: boolean;
}

/** What is said of results that are over their cap still; null = they are not. */
export function overCap({ cap, after, someNever }: HeldByResults): Problem | null {
  if (after <= cap) return null;
  const short = 'is not longer than the words in place of a result';
  const left = someNever ? `never expires (never_evict, mode never), or ${short}` : short;
  const step = someNever ? 'Raise the cap, or let those results expire too.' : 'Raise the cap.';
  const text = `Tool results take ${grouped(after)} tokens, ${grouped(after - cap)} over their cap of ${grouped(cap)}; what is left ${left}. ${step}`;
  return { code: 'retention.over_cap', severity: 'warning', text, where: { path: 'budget.caps.tool_result' } };
}
