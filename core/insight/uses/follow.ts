// The uses of a session under a policy, from call point to call point.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { estimatedTokens } from '../../view/tokens.ts';
import type { StageTokens } from '../../view/types.ts';
import type { Pricing } from '../pricing.ts';
import type { RecordedFront } from '../text/places.ts';
import { DanglingUses } from './dangling.ts';
import type { UseFinder } from './finder.ts';
import { StandingEvidence } from './standing.ts';
import type { FoundUse, Use, UsesSummary } from './types.ts';
import { UsesIndex } from './usesIndex.ts';

/** What is followed. `front` = what is in front of the messages, where it is recorded. */
export interface UsesInput {
  readonly source: TranscriptSource;
  /** Grown to the end of the source. */
  readonly finder: UseFinder;
  readonly front: RecordedFront;
  /** Absent: a quarter of the characters. */
  readonly tokens?: Pick<StageTokens, 'parts'>;
  /** What the input of requests costs; absent: nothing is known. */
  readonly pricing?: Pricing;
}

/** Give it every call point of a walk, in order. */
export class UsesFollower {
  readonly #input: UsesInput;
  readonly #standing: StandingEvidence;
  readonly #tokens: Pick<StageTokens, 'parts'>;
  /** Those of the call points so far, by their messages. */
  readonly index = new UsesIndex();
  readonly #dangling: DanglingUses;

  constructor(input: UsesInput) {
    this.#input = input;
    this.#standing = new StandingEvidence(input.source, input.finder, input.front);
    this.#dangling = new DanglingUses(input.finder, input.front, this.#standing);
    this.#tokens = input.tokens ?? estimatedTokens(input.source);
  }

  /** The uses of the assistant message whose request is the call point reached. */
  take(point: ReachedPoint): readonly Use[] {
    this.#standing.take(point);
    const own = this.#input.finder.usesAt(point.at).map((use) => this.#underPolicy(use));
    const found = [...own, ...this.#dangling.take(point)];
    for (const use of found) this.index.add(use);
    return found;
  }

  /** Those of the call points so far, in their order. */
  get all(): readonly Use[] {
    return this.index.all;
  }

  /** What they come to. */
  get summary(): UsesSummary {
    return this.index.figures.summary;
  }

  #underPolicy({ evidenceId, ...found }: FoundUse): Use {
    const outcome = this.#standing.outcome(evidenceId);
    const tokens = found.again === null ? 0 : (this.#tokens.parts(found.again.message)[found.again.part] ?? 0);
    const price = this.#input.pricing?.at(found.at).price ?? null;
    return {
      ...found,
      outcome,
      ignored: found.kind === 'reread' && !found.changed && outcome !== 'gone',
      loss: this.#standing.loss(evidenceId),
      tokens,
      cost: price && (tokens * price.input) / 1e6,
    };
  }
}

/** As UsesFollower, for who wants to know only how many there are. */
export class UsesCounter {
  readonly #finder: UseFinder;
  readonly #standing: StandingEvidence;
  readonly #dangling: DanglingUses;
  uses = 0;
  gone = 0;

  /** The finder has grown to the end of the source. */
  constructor(source: TranscriptSource, finder: UseFinder, front: RecordedFront) {
    this.#finder = finder;
    this.#standing = new StandingEvidence(source, finder, front, { losses: false });
    this.#dangling = new DanglingUses(finder, front, this.#standing);
  }

  take(point: ReachedPoint): void {
    this.#standing.take(point);
    for (const id of this.#finder.evidenceOf(point.at)) {
      this.uses++;
      if (this.#standing.outcome(id) === 'gone') this.gone++;
    }
    const dangling = this.#dangling.take(point).length;
    this.uses += dangling;
    this.gone += dangling;
  }
}
