import type { SeenPath } from '../../core/model/mapping/preview.ts';

const MOST = 60;

/**
 * The paths that go with what is typed: those that begin with it, those of which a step does, those that hold it. All
 * of them, if it is one of them: then another is wanted.
 */
export function suggestions(seen: readonly SeenPath[], typed: string): readonly SeenPath[] {
  const text = typed.trim().toLowerCase();
  if (text === '' || seen.some(({ path }) => path.toLowerCase() === text)) return seen.slice(0, MOST);
  const bare = withoutRoot(text);
  const ranked = seen.flatMap((one) => {
    const rank = rankOf(withoutRoot(one.path.toLowerCase()), bare);
    return rank === null ? [] : [{ one, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
    .slice(0, MOST);
}

function withoutRoot(path: string): string {
  return path.replace(/^[@$]\.?/, '');
}

function rankOf(path: string, typed: string): number | null {
  if (path.startsWith(typed)) return 0;
  if (path.split(/[.[\]']+/).some((step) => step.startsWith(typed))) return 1;
  return path.includes(typed) ? 2 : null;
}
