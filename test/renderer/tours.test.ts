import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isSample } from '../../renderer/state/sourceActions.ts';
import { type Box, cardPlace } from '../../renderer/tours/place.ts';
import { TOURS } from '../../renderer/tours/tours.ts';
import { importedIn, tickedFirst, transcriptOf } from '../../renderer/welcome/imported.ts';
import { filesBelow } from '../support/shared.ts';

const WINDOW = { width: 1024, height: 700 };
const CARD = { width: 320, height: 170 };

describe('the card of a tour', () => {
  const overlaps = (a: Box, b: Box) =>
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

  it.each<[string, Box]>([
    ['a row at the top', { left: 240, top: 180, width: 780, height: 24 }],
    ['a drawer at the bottom', { left: 240, top: 460, width: 780, height: 210 }],
    ['a panel on the right, as high as the window', { left: 712, top: 40, width: 312, height: 634 }],
    ['a list on the left, as high as the window', { left: 0, top: 40, width: 236, height: 634 }],
    ['a button in the corner', { left: 980, top: 660, width: 30, height: 24 }],
  ])('stands beside %s, within the window', (_what, target) => {
    const card = { ...cardPlace(target, CARD, WINDOW), ...CARD };
    expect(overlaps(card, target)).toBe(false);
    expect(card.left).toBeGreaterThanOrEqual(8);
    expect(card.top).toBeGreaterThanOrEqual(8);
    expect(card.left + card.width).toBeLessThanOrEqual(WINDOW.width - 8);
    expect(card.top + card.height).toBeLessThanOrEqual(WINDOW.height - 8);
  });

  it('is in the window without a target, and over one that fills it', () => {
    for (const target of [null, { left: 0, top: 0, ...WINDOW }]) {
      const { left, top } = cardPlace(target, CARD, WINDOW);
      expect(left).toBeLessThanOrEqual(WINDOW.width - CARD.width - 8);
      expect(top).toBeLessThanOrEqual(WINDOW.height - CARD.height - 8);
    }
  });
});

describe('the tours', () => {
  it('are three, of a handful of steps, each with something to say and to press', () => {
    expect(TOURS.map(({ id }) => id)).toEqual(['gone', 'compare', 'report']);
    for (const { steps } of TOURS) {
      expect(steps.length).toBeGreaterThan(1);
      expect(steps.length).toBeLessThan(6);
      for (const { title, text, next } of steps) expect([title, text, next].every(Boolean)).toBe(true);
    }
  });

  it('point at controls that there are', () => {
    const renderer = fileURLToPath(new URL('../../renderer/', import.meta.url));
    const source = filesBelow(renderer)
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => readFileSync(file.startsWith('/') ? file : join(renderer, file), 'utf8'))
      .join('\n');
    const ids = TOURS.flatMap(({ steps }) => steps.flatMap(({ target }) => target)).flatMap(
      (selector) => /data-testid="([\w-]+)"/.exec(selector)?.[1] ?? [],
    );
    expect(ids.length).toBeGreaterThan(8);
    // In a list of buttons an id is a member.
    for (const id of ids) expect(source).toMatch(new RegExp(`data-testid="${id}"|testid: '${id}'`));
  });
});

describe('what is in the library already', () => {
  const one = (path: string) => ({ files: [path] });
  const session = (path: string) => ({
    path,
    title: path,
    project: null,
    bytes: 1,
    modifiedAt: '2026-01-01T00:00:00Z',
  });

  it.each([
    ['/home/a/.claude/projects', ['/home/a/.claude/projects/x/1.jsonl', '/home/a/.claude/projects2/2.jsonl'], 1],
    ['/home/a/', ['/home/a/1.jsonl'], 1],
    ['C:\\s', ['C:\\s\\1.jsonl', 'C:\\s\\1.jsonl'], 1],
    ['/home/b', ['/home/a/1.jsonl'], 0],
  ])('is counted by file below %s', (folder, files, expected) => {
    expect(importedIn(files.map(one), folder)).toBe(expected);
  });

  it('is not ticked; what is new is, if there is little of it', () => {
    const known = [one('/a')];
    expect(tickedFirst(['/a', '/b'].map(session), known)).toEqual(new Set(['/b']));
    expect(tickedFirst(['/b', '/c', '/d', '/e'].map(session), known).size).toBe(0);
    expect(transcriptOf(known, '/a')).toBe(known[0]);
    expect(transcriptOf(known, '/b')).toBeNull();
  });

  it('knows the sample by its file, wherever the library is', () => {
    expect(isSample(one('/x/sample/agent-that-forgets-the-port.jsonl'))).toBe(true);
    expect(isSample(one('C:\\x\\sample\\agent-that-forgets-the-port.jsonl'))).toBe(true);
    expect(isSample(one('/x/other.jsonl'))).toBe(false);
  });
});
