// Files of tools that have no reader here: none is taken by another format with most of it lost and nothing said.
import { describe, expect, it } from 'vitest';
import { corpusClaims, isSilentLoss } from '../support/claims.ts';

const claims = corpusClaims('corpus-2');

describe.skipIf(claims.length === 0)('files of other tools (skipped where there is no shared material)', () => {
  it('are there', () => expect(claims.length).toBeGreaterThan(100));

  it('are read, refused, or taken with a warning', () => {
    expect(claims.filter(isSilentLoss)).toEqual([]);
  });

  it.each([
    ['qwen', ''],
    ['grok', 'chat_history'],
    ['opencode-disk', 'part'],
    ['cursor', 'transcripts'],
    ['droid', 'stream_json'],
  ])('%s %s: no format claims them', (tool, place) => {
    const own = claims.filter(({ name }) => name.startsWith(`corpus-2/${tool}/`) && name.includes(place));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ format }) => format !== null)).toEqual([]);
  });
});
