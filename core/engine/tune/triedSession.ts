// Specs tried on a session: sums over every request of it. Specs that begin alike share their first stages.
import { sampleEvenly } from '../../insight/places.ts';
import type { TunedSession } from '../../insight/tune/point.ts';
import { followTogether } from '../../insight/tune/together.ts';
import { WatchedTexts } from '../../insight/tune/watch.ts';
import type { WatchedQuery } from '../../insight/watch/types.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { type PolicyScopes, withScopes } from '../../projection/contextScopes.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { projectSteps } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { StageAnswer, StageEffect } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { SessionRequests } from '../requests/sessionRequests.ts';

/** Does what a stage asks for. */
export type Answering = (effect: StageEffect) => Promise<StageAnswer> | StageAnswer;

/** How a session is tried. */
export interface TryOptions {
  readonly answer: Answering;
  /** Looked at once a call point: throws where nobody waits for the answer any more. */
  readonly check: () => void;
  /** Cells that the views of one walk may have together: what is beyond waits for the next walk. */
  readonly cells: number;
}

/** Call points at which a winner is projected by itself. */
const PROOFS = 12;

/** What is watched in a session: texts given for all sessions, and its own. */
interface WatchedIn {
  readonly texts: readonly string[];
  readonly own: readonly WatchedQuery[];
}

/** A session that specs are tried on. */
export class TriedSession {
  readonly #requests: SessionRequests;
  readonly #scopes: PolicyScopes;
  readonly #watched: WatchedTexts;
  readonly #options: TryOptions;

  constructor(requests: SessionRequests, scopes: PolicyScopes, { texts, own }: WatchedIn, options: TryOptions) {
    this.#requests = requests;
    this.#scopes = scopes;
    this.#watched = new WatchedTexts(requests.source, requests.meta, texts, own);
    this.#options = options;
  }

  /** Watched texts that nothing in it says. */
  get unsaid(): readonly string[] {
    return this.#watched.unsaid;
  }

  /** Tries specs. All must be variations of one: options of stages differ, nothing else. */
  try(specs: readonly ProjectionSpec[]): Promise<readonly TunedSession[]> {
    return this.#inPieces(
      specs.map((spec) => this.#parsed(spec)),
      (piece) => this.#walk(piece),
    );
  }

  /** The sums of every request under each spec as a hash; null = the spec is not accepted. */
  async signatures(specs: readonly ProjectionSpec[]): Promise<readonly (string | null)[]> {
    const isAccepted = specs.map((spec) => parseSpec(spec, STAGES).ok);
    const accepted = specs.filter((_, at) => isAccepted[at]).map((spec) => this.#parsed(spec));
    const found = (await this.#inPieces(accepted, (piece) => this.#sign(piece))).values();
    return isAccepted.map((each) => (each ? (found.next().value ?? null) : null));
  }

  /** Projects a spec by itself at the largest request, the last, and some between: whether each holds what was summed up. */
  async proves(spec: ProjectionSpec, session: TunedSession): Promise<boolean> {
    const requests = this.#requests;
    const parsed = this.#parsed(spec);
    const options = await requests.inputs(parsed);
    const chosen = new Set(sampleEvenly([...requests.points.keys()], PROOFS));
    if (session.peakAt !== null) chosen.add(requests.points.indexOf(session.peakAt));
    for (const position of chosen) {
      const at = requests.points[position];
      if (at === undefined) continue;
      const run = projectSteps(requests.source, parsed.stages, at, options);
      let step = run.next();
      while (step.done !== true) {
        this.#options.check();
        step = run.next(await this.#options.answer(step.value));
      }
      if (requests.tokensOf(step.value.view) !== session.totals[position]) return false;
    }
    return true;
  }

  #parsed(spec: ProjectionSpec): ParsedSpec {
    const parsed = parseSpec(spec, STAGES);
    if (parsed.ok) return withScopes(parsed.value, this.#scopes, STAGES);
    throw new Error(parsed.error.map(({ text }) => text).join(' '));
  }

  async #inPieces<T>(
    specs: readonly ParsedSpec[],
    take: (piece: readonly ParsedSpec[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const size = Math.max(1, Math.floor(this.#options.cells / (this.#requests.source.length + 1)));
    const found: T[] = [];
    for (let from = 0; from < specs.length; from += size) found.push(...(await take(specs.slice(from, from + size))));
    return found;
  }

  async #sign(specs: readonly ParsedSpec[]): Promise<readonly string[]> {
    const tracks = specs.map(() => ({ figures: this.#requests.figures(), hash: nodeSha256() }));
    await this.#follow(specs, (spec, point) => {
      const track = tracks[spec];
      const { items, byCategory, counts, prefix } = track?.figures(point) ?? {};
      track?.hash.update(JSON.stringify([items, byCategory, counts, prefix?.tokens]));
    });
    return tracks.map(({ hash }) => hash.hex());
  }

  async #walk(specs: readonly ParsedSpec[]): Promise<readonly TunedSession[]> {
    const requests = this.#requests;
    const [first] = specs;
    if (first === undefined) return [];
    const limits = await requests.limits(first);
    const tracks = specs.map(() => ({
      ...requests.summer(limits),
      watch: this.#watched.follow(),
      uses: requests.countedUses(),
    }));
    await this.#follow(specs, (spec, point) => {
      const track = tracks[spec];
      track?.take(point);
      track?.watch.take(point);
      track?.uses.take(point);
    });
    const provenance = requests.counting?.provenance ?? 'estimated';
    return tracks.map(({ summer, watch, uses }) => {
      const { uses: found, gone } = uses;
      return {
        ...summer.sums,
        ...{ provenance, totals: summer.totals, uses: found, usesGone: gone, watchpointsGone: watch.gone },
      };
    });
  }

  async #follow(specs: readonly ParsedSpec[], take: (spec: number, point: ReachedPoint) => void): Promise<void> {
    const { source, points } = this.#requests;
    const [first] = specs;
    if (first === undefined) return;
    const options = await this.#requests.inputs(first);
    const run = followTogether({ source, specs: specs.map(({ stages }) => stages), points, options });
    let answer: StageAnswer | null = null;
    for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
      answer = step.value.kind === 'effect' ? await this.#options.answer(step.value.effect) : null;
      if (step.value.kind !== 'point') continue;
      this.#options.check();
      take(step.value.figures.spec, step.value.figures.point);
    }
  }
}
