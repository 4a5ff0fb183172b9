// @vitest-environment happy-dom
// The dialog of a bug report: what is found and decided, what goes out, what stops it, and what is said of it.
import { act, fireEvent } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ReviewFinished, ReviewInfo, ReviewKind, ReviewPlace } from '../../core/protocol/reviewTypes.ts';
import type { HostBridge } from '../../renderer/host/types.ts';
import { ReviewDialog } from '../../renderer/review/ReviewDialog.tsx';
import { WrittenBundle } from '../../renderer/review/WrittenBundle.tsx';
import { sliceWords, statusLine } from '../../renderer/review/words.ts';
import type { Answers } from '../support/spokenEngine.ts';
import { draw } from './support.tsx';

const kind = (over: Partial<ReviewKind>): ReviewKind => ({
  ...{ kind: 'home', title: 'Home folder', group: 'personal', tier: 'definite' },
  ...{ count: 217, masked: 217, values: 1, messages: 104, decision: 'mask', undecided: 0 },
  ...over,
});
const GUESS = kind({
  ...{ kind: 'password', title: 'Password', group: 'secret', tier: 'candidate' },
  ...{ count: 2, masked: 0, messages: 1, decision: null, undecided: 1 },
});
const IMAGE = kind({
  ...{ kind: 'image', title: 'Image', group: 'unreadable', count: 1, masked: 1, messages: 1, decision: 'take_out' },
});
const INFO: ReviewInfo = {
  ...{ reviewId: 'review 1', version: 0, at: 60, kinds: [kind({}), IMAGE, GUESS], found: 220, masked: 218 },
  ...{ messages: 105, undecided: 1, rules: { words: ['Project Heron'], patterns: [] } },
};
const DECIDED: ReviewInfo = {
  ...INFO,
  ...{ version: 1, masked: 220, undecided: 0 },
  kinds: [kind({}), IMAGE, { ...GUESS, masked: 2, decision: 'mask', undecided: 0 }],
};
const PLACE: ReviewPlace = {
  ...{
    value: 4,
    index: 7,
    part: 0,
    where: 'user, tool result',
    path: ['content'],
    decision: null,
    count: 2,
    image: null,
  },
  before: { lead: 'pw: ', value: 'brightlamp42', tail: ' end' },
  out: { lead: 'pw: ', value: 'brightlamp42', tail: ' end' },
};
const PAGE = { reviewId: 'review 1', name: 'lamp-at-60.parallax.html' };
const FINISHED: ReviewFinished = {
  ...{
    name: 'lamp-at-60.parallax.json',
    pageName: 'lamp-at-60.parallax.html',
    bytes: 1_904_221,
    lines: 2,
    rows: 2,
    left: [],
    leftCount: 0,
    sameOutcome: true,
    compared: 60,
  },
  ...{
    tokens: { original: 400_879, written: 400_902, sign: '≈' },
    prefixHash: 'sha256:77',
    signatures: 3,
    slice: null,
  },
};

function drawn(answers: Answers = {}) {
  let decided = false;
  const made = draw(<ReviewDialog dialog={{ kind: 'export' }} onClose={() => undefined} />, {
    'review.open': () => INFO,
    'review.places': ({ from }) => ({ from, total: 2, places: [PLACE, { ...PLACE, index: 9 }] }),
    'review.decide': () => {
      decided = true;
      return DECIDED;
    },
    'review.finish': () => FINISHED,
    'review.rows': ({ from }) => ({ from, total: 2, rows: [{ line: 1, text: '{"a":1}', marks: [] }] }),
    'review.close': () => ({}),
    ...answers,
  });
  return { ...made, isDecided: () => decided };
}

const find = <E extends HTMLElement>(testId: string): E | null =>
  document.querySelector<E>(`[data-testid="${testId}"]`);
const status = () => find('review-status')?.textContent;
const button = () => find<HTMLButtonElement>('export-button');

async function opened(answers?: Answers) {
  const made = drawn(answers);
  await made.app.actions.open('p0');
  await expect.poll(() => status()).toContain('found');
  return made;
}

describe('a review', () => {
  it('says which stages of the policy are off and which were refused, and lists neither as applied', async () => {
    const { app } = await opened();
    const [one] = app.store.getState().projection.info?.reports ?? [];
    if (one === undefined) throw new Error('the policy has no stage');
    const reports = [
      { ...one, title: 'Recorded compaction', enabled: false },
      { ...one, title: 'Clean tool repair', blockedBy: 3 },
      { ...one, title: 'Reachability GC' },
    ];
    act(() =>
      app.store.setState(({ projection }) => ({
        projection: { ...projection, info: projection.info && { ...projection.info, reports } },
      })),
    );
    expect(find('export-policy')?.textContent).toBe(
      'Reachability GC; refused: Clean tool repair; off: Recorded compaction',
    );
  });

  it('lists sure finds and guesses, shows the undecided first, and waits for it', async () => {
    await opened();
    const kinds = [...document.querySelectorAll('[data-testid="review-kind"]')];
    expect(kinds.map((one) => one.querySelector('.review-kind-name')?.textContent)).toEqual([
      'Home folder2171 value, 104 messages',
      'Image11 value, 1 message',
      'Password21 value, 1 message, 1 undecided',
    ]);
    expect(kinds.map((one) => one.getAttribute('data-selected'))).toEqual(['false', 'false', 'true']);
    expect(status()).toContain('220 found, 217 masked, 1 taken out, 1 value undecided in 2 places');
    await expect.poll(() => find('review-size')?.textContent).toBe('1.9 MB');
    expect(button()?.disabled).toBe(true);
    expect(find('review-outcome')?.textContent).toContain('60 messages with the same outcomes');
    expect(find('review-outcome')?.textContent).toContain('tokens ≈400,879 → ≈400,902');
  });

  it('decides about a value with a key and about a kind with a button; then it may be written', async () => {
    const { engine } = await opened();
    await expect.poll(() => document.querySelectorAll('[data-testid="review-place"]').length).toBe(2);
    const show = document.querySelector<HTMLElement>('.review-place-show');
    expect(show?.textContent).toBe('#7');
    fireEvent.keyDown(show ?? document.body, { key: 'n' });
    expect(document.activeElement?.textContent).toBe('#9');
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'm' });
    await expect.poll(() => status()).toContain('220 found, 219 masked, 1 taken out, 0 kept');
    expect(engine.calls.findLast(({ method }) => method === 'review.decide')?.params).toEqual({
      ...{ reviewId: 'review 1', decision: 'mask', value: 4 },
    });
    await expect.poll(() => button()?.disabled).toBe(false);
    const password = document.querySelector('[data-kind="password"]');
    const keep = [...(password?.querySelectorAll('button') ?? [])].find((one) => one.textContent === 'Keep');
    fireEvent.click(keep ?? document.body);
    await expect
      .poll(() => engine.calls.findLast(({ method }) => method === 'review.decide')?.params)
      .toEqual({ reviewId: 'review 1', decision: 'keep', kind: 'password', tier: 'candidate' });
    // What cannot be searched is kept or taken out, nothing between.
    const image = document.querySelector('[data-kind="image"]');
    expect([...(image?.querySelectorAll('.segment') ?? [])].map((one) => one.textContent)).toEqual([
      'Keep',
      'Take out',
    ]);
  });

  it('sends what was expected and what happened with the file, and shows the text for the issue', async () => {
    const write = (): never => {
      throw new Error('not yet');
    };
    const { engine } = await opened({ 'review.open': () => DECIDED, 'export.write': write });
    fireEvent.change(find('review-expected') ?? document.body, { target: { value: 'parallel' } });
    fireEvent.change(find('review-happened') ?? document.body, { target: { value: 'one by one' } });
    await expect.poll(() => button()?.disabled).toBe(false);
    fireEvent.click(button() ?? document.body);
    await expect.poll(() => document.querySelector('.review-failed')?.textContent).toContain('Not written: not yet');
    expect(engine.calls.findLast(({ method }) => method === 'export.write')?.params).toMatchObject({
      ...{ reviewId: 'review 1', path: null, note: { expected: 'parallel', happened: 'one by one' } },
    });
  });

  it('says so where the file is written and its copy of the text is not', () => {
    const problem = '/tmp/bug.json.md: no space left';
    const { place, ...written } = {
      ...{ path: '/tmp/bug.json', place: '/tmp/bug.json', bytes: 10 },
      prefixHash: 'sha256:00',
    };
    const shown = (besideProblem: string | null) =>
      draw(
        <WrittenBundle
          written={{ ...written, place, markdown: '### Bug', besideProblem }}
          host={{ kind: 'electron', platform: 'linux' } as HostBridge}
          page={PAGE}
        />,
      );
    const { unmount } = shown(problem);
    expect(find('issue-problem')?.textContent).toContain(problem);
    expect(document.body.textContent).not.toContain('also saved next to the file');
    unmount();
    shown(null);
    expect(find('issue-problem')).toBeNull();
    expect(document.body.textContent).toContain('also saved next to the file');
  });

  it('takes watched texts into the file that are chosen, none unasked', async () => {
    const watched = { id: 'w1', text: 'brightlamp', name: null, color: 0, matchCase: false, wholeWord: false };
    const { engine } = await opened({ 'watch.list': () => ({ watchpoints: [watched] }) });
    const asked = () => engine.calls.findLast(({ method }) => method === 'review.open')?.params;
    await expect.poll(() => find('export-watchpoints')?.textContent).toContain('brightlamp');
    expect(asked()).not.toHaveProperty('watchpoints');
    fireEvent.click(find('export-watchpoints')?.querySelector('input') ?? document.body);
    await expect.poll(asked).toMatchObject({ watchpoints: ['w1'] });
  });

  it('writes the page where the person says, and says so; a failure keeps the way open', async () => {
    const written = { path: '/tmp/bug.json', place: '/tmp/bug.json', bytes: 10, prefixHash: 'sha256:00' };
    let isFull = true;
    const host: Pick<HostBridge, 'kind' | 'saveExport'> = {
      kind: 'electron',
      saveExport: (make) => make('handle').then(({ path }) => path),
    };
    const { engine } = draw(
      <WrittenBundle
        written={{ ...written, markdown: '### Bug', besideProblem: null }}
        host={host as HostBridge}
        page={{ ...PAGE, note: { expected: 'a', happened: 'b' } }}
      />,
      {
        'export.page': () => {
          if (isFull) throw new Error('no space left');
          return { path: '/tmp/bug.html', bytes: 512_000 };
        },
      },
    );
    fireEvent.click(find('write-page') ?? document.body);
    await expect
      .poll(() => document.querySelector('.page-choice [role="alert"]')?.textContent)
      .toContain('no space left');
    isFull = false;
    fireEvent.click(find('write-page') ?? document.body);
    await expect.poll(() => find('page-done')?.textContent).toBe(' Written, 512 kB: /tmp/bug.html');
    expect(engine.calls.at(-1)?.params).toEqual({
      ...{ reviewId: 'review 1', path: 'handle', note: { expected: 'a', happened: 'b' } },
    });
    expect(find('write-page')?.textContent).toBe('Write it again…');
  });

  it('stops where the finished file still holds something: kind and place, no value, and no way to write it', async () => {
    const left = [{ title: 'GitHub token', place: 'raw.messages[3].content', index: 3 }];
    await opened({ 'review.open': () => DECIDED, 'review.finish': () => ({ ...FINISHED, left, leftCount: 1 }) });
    await expect
      .poll(() => find('review-stopped')?.textContent)
      .toContain('still contains 1 value that must not be shared');
    expect(find('review-stopped')?.textContent).toContain('raw.messages[3].content');
    expect(button()?.disabled).toBe(true);
  });

  it('leaves out the words that the result does not need, when asked, and says how many', async () => {
    const { engine } = await opened({
      'review.open': () => DECIDED,
      'review.finish': ({ slice = false }) => ({ ...FINISHED, slice: slice ? { emptied: 41, minimal: true } : null }),
      'export.write': (): never => {
        throw new Error('not yet');
      },
    });
    const words = () => find('review-slice-words')?.textContent;
    expect(words()).toContain('go out without their words');
    fireEvent.click(find('review-slice') ?? document.body);
    await expect.poll(words).toContain('41 messages without words');
    await expect.poll(() => button()?.disabled).toBe(false);
    fireEvent.click(button() ?? document.body);
    await expect.poll(() => engine.calls.some(({ method }) => method === 'export.write')).toBe(true);
    expect(engine.calls.findLast(({ method }) => method === 'export.write')?.params).toMatchObject({ slice: true });
    expect(sliceWords({ emptied: 0, minimal: true })).toBe('The result needs the words of every message.');
    expect(sliceWords({ emptied: 1, minimal: false })).toContain('The search was ended');
  });

  it('says where stand-ins change what the policy decides', async () => {
    await opened({ 'review.open': () => DECIDED, 'review.finish': () => ({ ...FINISHED, sameOutcome: false }) });
    await expect.poll(() => find('review-outcome')?.textContent).toContain('stand-ins change what the policy decides');
  });

  it('adds an own word, says what is wrong with an expression, and looks through all again', async () => {
    const refused = 'This is not a regular expression: (';
    const { engine } = await opened({
      'scrub.setRules': ({ words, patterns }) => {
        if (patterns.length > 0) throw Object.assign(new Error(refused), { code: 'scrub.bad_rule' });
        return { words, patterns };
      },
    });
    fireEvent.click(find('review-add-rule') ?? document.body);
    fireEvent.change(find('review-rule') ?? document.body, { target: { value: 'contoso' } });
    fireEvent.submit(find('review-rule') ?? document.body);
    const asked = () => engine.calls.filter(({ method }) => method === 'review.open').length;
    await expect.poll(asked).toBe(2);
    expect(engine.calls.find(({ method }) => method === 'scrub.setRules')?.params).toEqual({
      ...{ words: ['Project Heron', 'contoso'], patterns: [] },
    });
    const expression = [...document.querySelectorAll('.review-rule-form .segment')].at(1);
    fireEvent.click(expression ?? document.body);
    fireEvent.change(find('review-rule') ?? document.body, { target: { value: '(' } });
    fireEvent.submit(find('review-rule') ?? document.body);
    await expect.poll(() => document.querySelector('.review-rules [role="alert"]')?.textContent).toContain(refused);
    expect(asked()).toBe(2);
  });

  it('says so where nothing was found, and shows the whole file', async () => {
    const none = { ...INFO, kinds: [], found: 0, masked: 0, messages: 0, undecided: 0 };
    const made = drawn({ 'review.open': () => none });
    await made.app.actions.open('p0');
    await expect.poll(() => status()).toMatch(/^Nothing found; [\d.]+ [kM]?B$/);
    expect(statusLine(none)).toBe('Nothing found');
    expect(document.body.textContent).not.toContain('0 in 0');
    await expect.poll(() => find('review-rows')).not.toBeNull();
  });
});
