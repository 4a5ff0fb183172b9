import type { Rng } from '../../../core/util/rng.ts';

const START = Date.UTC(2026, 0, 5, 8, 30, 0);
const DAY = 86_400_000;

/** What all lines of a session share. */
export interface Ids {
  readonly sessionId: string;
  readonly cwd: string;
  readonly branch: string;
}

/** The clock of a session: seconds between lines, now and then a break. */
export class SessionClock {
  readonly #rng: Rng;
  #now: number;

  constructor(day: number, rng: Rng) {
    this.#rng = rng;
    this.#now = START + day * DAY;
  }

  /** The next line's time as ISO-8601. */
  tick(): string {
    this.#now += 400 + this.#rng.below(9_000) + (this.#rng.chance(0.004) ? this.#rng.below(3_600_000) : 0);
    return new Date(this.#now).toISOString();
  }
}

/** The fields around every line's own, in the tool's order. */
export function recordFrame(ids: Ids, type: string, uuid: string, parentUuid: string | null, timestamp: string) {
  const { sessionId, cwd, branch } = ids;
  const frame = { parentUuid, isSidechain: false, userType: 'external', cwd, sessionId, version: '2.0.14' };
  return { ...frame, gitBranch: branch, type, uuid, timestamp };
}
