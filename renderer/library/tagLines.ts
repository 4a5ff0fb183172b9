import type { TagInfo } from '../../core/protocol/types.ts';

/** A tag to give or take: on all of the transcripts, on some, on none, or not there yet. */
export interface TagLine extends TagInfo {
  readonly state: 'all' | 'some' | 'none' | 'new';
}

/** The tags that contain what was typed, those in use on the transcripts first; last, to make it if it is not there. */
export function tagLines(
  tags: readonly TagInfo[],
  on: readonly (readonly string[])[],
  typed: string,
): readonly TagLine[] {
  const name = typed.trim().replace(/\s+/g, ' ');
  const wanted = name.toLowerCase();
  const lines = tags
    .filter((tag) => tag.name.toLowerCase().includes(wanted))
    .map((tag): TagLine => {
      const carriers = on.filter((names) => names.includes(tag.name)).length;
      return { ...tag, state: carriers === 0 ? 'none' : carriers === on.length ? 'all' : 'some' };
    });
  const rank = ({ state, name: own }: TagLine) => (own.toLowerCase() === wanted ? 0 : state === 'none' ? 2 : 1);
  lines.sort((a, b) => rank(a) - rank(b));
  const isThere = tags.some((tag) => tag.name.toLowerCase() === wanted);
  return wanted === '' || isThere ? lines : [...lines, { name, color: 0, count: 0, state: 'new' }];
}
