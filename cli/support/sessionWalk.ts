import { countingOf, followPoints, requestPricing, stageInputs } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import {
  type Alternative,
  type Finding,
  findingsOf,
  RefusedFollower,
  type RefusedRun,
} from '../../core/insight/findings/index.ts';
import { PRICES } from '../../core/insight/prices.ts';
import type { Pricing } from '../../core/insight/pricing.ts';
import { type Use, UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { sameStages } from '../../core/projection/policyName.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import type { StageMemo, StageTokens } from '../../core/view/types.ts';
import { aboutOf, requestedFrom } from './inputs.ts';
import type { Projector } from './projecting.ts';
import { parsedOrFail } from './spec.ts';
import { usageReport } from './usage.ts';

/** A policy to be named in an answer. */
export interface NamedPolicy {
  readonly name: string;
  readonly parsed: ParsedSpec;
}

/** One session, walked under one policy after the other. */
export class SessionWalk {
  readonly callPoints: readonly number[];
  readonly #projector: Projector;
  readonly #transcript: ImportedTranscript;
  readonly #source: TranscriptSource;
  readonly #finder: UseFinder;
  readonly #memo: StageMemo = createMemo();
  readonly tokens: StageTokens;
  readonly pricing: Pricing;

  private constructor(
    projector: Projector,
    transcript: ImportedTranscript,
    source: TranscriptSource,
    tokens: StageTokens,
  ) {
    this.#projector = projector;
    this.#transcript = transcript;
    this.#source = source;
    this.callPoints = callPoints(source);
    this.#finder = new UseFinder(source);
    for (const _ of this.#finder.grow());
    this.tokens = tokens;
    this.pricing = requestPricing(requestedFrom(transcript, source), PRICES);
  }

  static async open(
    projector: Projector,
    transcript: ImportedTranscript,
    source: TranscriptSource,
    options: { readonly tokens: boolean },
  ): Promise<SessionWalk> {
    const counting = options.tokens ? await countingOf(source, {}, aboutOf(transcript)) : null;
    const tokens = counting === null ? estimatedTokens(source) : countedTokens(source, counting);
    return new SessionWalk(projector, transcript, source, tokens);
  }

  async walk(parsed: ParsedSpec): Promise<{ readonly uses: readonly Use[]; readonly refused: readonly RefusedRun[] }> {
    const { tokens, pricing } = this;
    const about = aboutOf(this.#transcript);
    const follower = new UsesFollower({
      ...{ source: this.#source, finder: this.#finder, front: this.#transcript.meta, tokens, pricing },
    });
    const refused = new RefusedFollower();
    const options = { ...(await stageInputs(this.#source, parsed, about)), memo: this.#memo };
    const walk = { source: this.#source, parsed, points: this.callPoints, options };
    await followPoints(this.#projector, walk, (point) => {
      follower.take(point);
      refused.take(point);
    });
    return { uses: follower.all, refused: refused.runs };
  }

  /** What is found under a policy, dearest first. */
  async findings(parsed: ParsedSpec): Promise<readonly Finding[]> {
    const source = this.#source;
    const own = await this.walk(parsed);
    const isHistory = isAsRecorded(parsed.spec, source);
    const misses = isHistory ? (await usageReport(this.#transcript)).report.misses : [];
    // A request that was made was not refused.
    const refused = isHistory ? own.refused.filter(({ to }) => to >= source.length) : own.refused;
    return findingsOf({
      ...{ source, uses: own.uses, misses, refused, callPoints: this.callPoints, pricing: this.pricing },
      tokens: (index, part) => this.tokens.parts(index)[part] ?? 0,
      usageAt: (index) => this.#transcript.messages[index]?.meta.usage ?? null,
    });
  }

  /** The session under every preset and the `further` policies, where any of the findings depends on the policy. */
  async alternatives(
    findings: readonly Finding[],
    own: ParsedSpec,
    further: readonly NamedPolicy[] = [],
  ): Promise<readonly Alternative[]> {
    if (!findings.some(({ kind, uses }) => kind === 'refused' || uses.length > 0)) return [];
    const found: Alternative[] = [];
    const presets = PRESETS.map(({ name, spec }) => ({ name, parsed: parsedOrFail(spec) }));
    for (const { name, parsed } of [...further, ...presets]) {
      if (!sameStages(parsed.spec, own.spec)) found.push({ name, ...(await this.walk(parsed)) });
    }
    return found;
  }
}
