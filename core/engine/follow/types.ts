import type { FollowInfo } from '../../protocol/types.ts';
import type { FollowedPath } from '../../store/index.ts';

/** What a follower says: how its paths are, and which transcripts changed since it last spoke. */
export interface FollowNews {
  readonly follows: readonly FollowInfo[];
  readonly changed: readonly string[];
}

/** Follows paths, somewhere. */
export interface Following {
  /** From now on these paths, and no others. */
  follow(paths: readonly FollowedPath[]): void;
  onNews: (news: FollowNews) => void;
}
