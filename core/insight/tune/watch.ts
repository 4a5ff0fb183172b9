// Texts that are watched along a walk: in which requests each is gone, once it was said (insight.md §1).
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { textPattern } from '../../util/textPattern.ts';
import { type FollowedText, TextFollower } from '../text/follow.ts';
import { type RecordedFront, searchFront } from '../text/places.ts';
import { TranscriptSearch } from '../text/search.ts';
import type { TextState } from '../text/types.ts';
import type { WatchedQuery } from '../watch/types.ts';

/** Any white space alike, capitals too: as `trace --text` looks by default. */
const SWITCHES = { matchCase: false, wholeWord: false };

/** Texts found in a transcript; followed once for each policy. */
export class WatchedTexts {
  readonly #texts: readonly FollowedText[];
  /** Those of `texts` that nothing in the transcript says, in the order given. */
  readonly unsaid: readonly string[];

  /** `own` = the transcript's watchpoints; one that `texts` has, too, counts once. */
  constructor(
    source: TranscriptSource,
    front: RecordedFront,
    texts: readonly string[],
    own: readonly WatchedQuery[] = [],
  ) {
    const unsaid: string[] = [];
    const given = texts.flatMap((text) => {
      const found = findText(source, front, { text, ...SWITCHES });
      if (found === null || (found.raw.first === null && !found.inFront)) unsaid.push(text);
      return found ?? [];
    });
    const others = own.filter((query) => query.matchCase || query.wholeWord || !texts.includes(query.text));
    this.#texts = [...given, ...others.flatMap((query) => findText(source, front, query) ?? [])];
    this.unsaid = unsaid;
  }

  /** Follows them along one walk. */
  follow(): WatchFollower {
    return new WatchFollower(this.#texts.map((text) => new TextFollower(text)));
  }
}

function findText(source: TranscriptSource, front: RecordedFront, wanted: WatchedQuery): FollowedText | null {
  const pattern = textPattern(wanted.text, wanted);
  if (pattern === null) return null;
  const query = { pattern, finder: null };
  const steps = new TranscriptSearch(source, query).finish();
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const inFront = searchFront(front, query).places.length > 0;
  return { query, raw: step.value, inFront, anchors: new Set(), anchorsInFront: [] };
}

/** Give it each call point of a walk, in order. */
export class WatchFollower {
  readonly #followers: readonly TextFollower[];
  readonly #gone: Uint8Array;

  constructor(followers: readonly TextFollower[]) {
    this.#followers = followers;
    this.#gone = new Uint8Array(followers.length);
  }

  take(point: ReachedPoint): void {
    for (const [at, follower] of this.#followers.entries()) {
      if (GONE.includes(follower.take(point))) this.#gone[at] = 1;
    }
  }

  /** How many of the texts at least one request did not hold, once they were said. */
  get gone(): number {
    return this.#gone.reduce((sum, each) => sum + each, 0);
  }
}

const GONE: readonly TextState[] = ['gone', 'partly'];
