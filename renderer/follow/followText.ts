import type { DiscoveredPlace, FollowInfo, LiveFile } from '../../core/protocol/types.ts';
import { formatBytes, plural } from '../ui/format.ts';

/** `3 s ago`, `5 min ago`, `2 h ago`, `4 days ago`; times to come read as now. */
export function agoText(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${plural(Math.floor(seconds / 86_400), 'day')} ago`;
}

/** What a followed path is at, in one line. */
export function followText(follow: FollowInfo, now: number): string {
  const { state, kind, files, live, problem } = follow;
  const reading = live.find(({ progress }) => progress !== null);
  switch (state) {
    case 'starting':
      return 'looking at it';
    case 'reading':
      return reading === undefined ? 'reading what is new' : `reading, ${Math.floor((reading.progress ?? 0) * 100)}%`;
    case 'missing':
      return kind === 'file' ? 'the file is not there' : 'the folder is not there';
    case 'failed':
      return problem?.text ?? 'it could not be read';
    case 'following': {
      const [newest] = live;
      const changed = newest === undefined ? 'no new lines lately' : `new lines ${agoText(newest.changedAt, now)}`;
      return kind === 'file' ? changed : `${plural(files, 'file')}, ${changed}`;
    }
  }
}

/** Of a place where a tool keeps sessions. */
export function placeText({ files, bytes, newestAt }: DiscoveredPlace, now: number): string {
  return `${plural(files, 'file')}, ${formatBytes(bytes)}, last written ${agoText(newestAt, now)}`;
}

/** How a transcript is followed; null if it is not. `live` = its file changed lately. */
export interface FollowedAs {
  readonly follow: FollowInfo;
  readonly live: LiveFile | null;
}

/** Finds the followed path that a transcript comes from, by its id or by the paths of its files. */
export function followOf(
  follows: readonly FollowInfo[],
  { id, files }: { readonly id: string; readonly files: readonly string[] },
): FollowedAs | null {
  for (const follow of follows) {
    const live = follow.live.find(({ transcriptIds }) => transcriptIds.includes(id));
    if (live !== undefined) return { follow, live };
  }
  const follow = follows.find(({ path, kind }) => files.some((file) => isIn(file, path, kind)));
  return follow === undefined ? null : { follow, live: null };
}

function isIn(file: string, path: string, kind: FollowInfo['kind']): boolean {
  if (kind === 'file') return file === path;
  return file.startsWith(path) && /[/\\]/.test(file.charAt(path.length) || file.charAt(path.length - 1));
}

const LIVE_MS = 60_000;

/** Whether new lines came within the last minute: what a moving dot stands for. */
export function isMoving(live: LiveFile | null, now: number): boolean {
  return live !== null && now - Date.parse(live.changedAt) < LIVE_MS;
}
