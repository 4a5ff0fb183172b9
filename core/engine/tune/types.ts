// The messages between a sweep and its threads.
import type { ImportedTranscript } from '../../importers/memory.ts';
import type { CachePointsMode } from '../../insight/cachePoints.ts';
import type { Price } from '../../insight/prices.ts';
import type { TunedSession } from '../../insight/tune/point.ts';
import type { WatchedQuery } from '../../insight/watch/types.ts';
import type { PolicyScopes } from '../../projection/contextScopes.ts';
import type { ProjectionSpec } from '../../projection/types.ts';

/** Where a thread reads a session: in the library, or it is given whole. */
export type SessionSource =
  | { readonly from: 'library'; readonly dir: string; readonly id: string }
  | { readonly from: 'memory'; readonly transcript: ImportedTranscript };

/** A session that specs are tried on. */
export interface GivenSession {
  readonly name: string;
  readonly source: SessionSource;
  /** Policies behind the spec's own. */
  readonly scopes: PolicyScopes;
  /** Its watchpoints, which are watched with the texts given for all sessions. */
  readonly watched?: readonly WatchedQuery[];
}

/** How sessions are counted and priced, and what is watched in them. */
export interface SweepOptions {
  /** False = estimates in place of counts. */
  readonly tokens: boolean;
  /** Counts as they are, not the provider's. */
  readonly plain: boolean;
  readonly cachePoints: CachePointsMode;
  readonly prices: readonly Price[];
  readonly texts: readonly string[];
}

/** What a thread is started with. */
export interface TuneWorkerData {
  readonly options: SweepOptions;
  /** See TryOptions. */
  readonly cells: number;
}

/** What is asked of a session. */
export type TuneAsk =
  | { readonly kind: 'try'; readonly specs: readonly ProjectionSpec[] }
  | { readonly kind: 'signatures'; readonly specs: readonly ProjectionSpec[] }
  | { readonly kind: 'proves'; readonly spec: ProjectionSpec; readonly found: TunedSession }
  | { readonly kind: 'unsaid' };

/** What is answered to each. */
export interface TuneAnswers {
  readonly try: readonly TunedSession[];
  readonly signatures: readonly (string | null)[];
  readonly proves: boolean;
  readonly unsaid: readonly string[];
}

/** What is sent to a thread. One at a time. `given` where the session is not the one it has open. */
export interface ToTuneWorker {
  readonly session: number;
  readonly given: GivenSession | null;
  readonly ask: TuneAsk;
}
