// @vitest-environment happy-dom
// The find bar, its strip and its answer: what they say, and what keys and clicks do.
import { fireEvent, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { LibraryHit, TextTrace } from '../../core/protocol/types.ts';
import { useGlobalKeys } from '../../renderer/app/useGlobalKeys.ts';
import { FindBar } from '../../renderer/find/FindBar.tsx';
import { FindStrip } from '../../renderer/find/FindStrip.tsx';
import { FindTab } from '../../renderer/find/FindTab.tsx';
import { FoundText } from '../../renderer/search/FoundText.tsx';
import { SearchHitLine } from '../../renderer/search/SearchHitLine.tsx';
import { hitText, useHitPresence } from '../../renderer/search/useHitPresence.ts';
import type { App } from '../../renderer/state/app.ts';
import { loadAhead } from '../../renderer/ui/lazily.tsx';
import { makePlace, makePoint, makeRow, makeTextLoss, makeTextTrace } from '../renderer/support.ts';
import { draw } from './support.tsx';

/** The state of an app whose find bar has an answer. */
function answered(app: App, trace: TextTrace, chosen: number | null = null): void {
  app.store.setState(({ session }) => ({
    session: { ...session, id: 'mock', info: { messages: 60, compactionMarks: [] } as never },
  }));
  app.store.setState(({ find, series }) => ({
    find: { ...find, isOpen: true, text: trace.text, trace, chosen },
    series: {
      ...series,
      series: { points: trace.points.map(({ at }) => makePoint(at, [10])) } as never,
    },
  }));
}

const LOST = makeTextTrace('noogg', {
  sentence: 'Is not in the request since call #8. Stage 1, Recorded compaction, took #3.',
  places: [
    makePlace(3, { present: false }),
    makePlace(5, { present: true, label: 'Bash call #5' }),
    makePlace(12, { present: false, after: true }),
  ],
  firstLoss: makeTextLoss(8, { replacedBy: 'see prompt/engine.go' }),
  now: {
    at: 10,
    turn: 4,
    state: 'gone',
    places: [],
    total: 0,
    since: 8,
    loss: makeTextLoss(8, { replacedBy: 'see prompt/engine.go' }),
    replacedBy: 'see prompt/engine.go',
    anchors: [
      { text: 'prompt/engine.go', present: true },
      { text: 'config/segment.go', present: false },
    ],
  },
});

describe('the answer', () => {
  const drawn = (trace: TextTrace) => {
    const all = draw(<FindTab />);
    answered(all.app, trace);
    all.redraw(<FindTab />);
    return all;
  };

  it('begins with the sentence, whose call points and messages are links', () => {
    const { getByTestId, app } = drawn(LOST);
    const sentence = getByTestId('find-sentence');
    expect(sentence.textContent?.trim()).toBe(LOST.sentence);
    expect(sentence.querySelector('b')?.textContent).toBe('Is not in the request since call #8.');
    fireEvent.click(within(sentence).getByRole('button', { name: 'call #8' }));
    expect(app.store.getState().projection.at).toBe(8);
  });

  it('marks each place, and divides what was said after this request', () => {
    const { getAllByTestId, getByTestId, getByRole } = drawn(LOST);
    const marks = getAllByTestId('find-place').map((one) => [
      one.dataset.index,
      one.querySelector('.presence')?.getAttribute('aria-label'),
    ]);
    expect(marks).toEqual([
      ['3', 'not in this request'],
      ['5', 'in this request'],
      ['12', 'said after this request'],
    ]);
    const list = getByTestId('find-divider').closest('ul');
    const lines = [...(list?.children ?? [])].map((one) => one.textContent ?? '');
    expect(lines[2]).toBe('call #10 · said after it');
    expect(getByRole('region', { name: 'Places' }).textContent).toContain('Places1 of 2 in this request');
  });

  it('names stage, rule and reason of the first loss', () => {
    const { getAllByTestId } = drawn(LOST);
    expect(getAllByTestId('find-loss').map((one) => one.textContent)).toEqual([
      'First lost at call #8 turn 3 · stage 1, Recorded compaction: the runtime did not carry it forward · rule recorded_compaction',
    ]);
  });

  it('shows what stands there, its surviving words marked, and all key words', () => {
    const { getByTestId } = drawn(LOST);
    expect(getByTestId('find-instead').querySelector('mark')?.textContent).toBe('prompt/engine.go');
    const words = [...getByTestId('find-anchors').querySelectorAll('li')].map((one) => [
      one.textContent,
      one.dataset.present,
    ]);
    expect(words).toEqual([
      ['prompt/engine.go', 'true'],
      ['config/segment.go', 'false'],
    ]);
  });

  it('says that nothing replaced it', () => {
    const loss = makeTextLoss(8);
    const { getByText } = drawn({ ...LOST, now: { ...LOST.now, loss, replacedBy: null, anchors: null } });
    expect(getByText('Nothing replaced it.')).toBeTruthy();
  });

  it('counts requests, and a click goes to the next such call point', () => {
    const { getByTestId, getByRole, app } = drawn(LOST);
    expect(getByTestId('find-requests').textContent).toBe('In 2 of 4 requests since it was said');
    fireEvent.click(getByRole('button', { name: /^original: 2 requests/ }));
    expect(app.store.getState().projection.at).toBe(4);
  });

  it('never says what the model knew or saw', () => {
    const { container } = drawn(LOST);
    expect(container.textContent).not.toMatch(/model|knew|sees|saw/i);
  });

  it('offers a wider search where nothing is found', () => {
    const all = drawn(makeTextTrace('nn', { text: 'x' }));
    all.app.store.setState(({ find }) => ({ find: { ...find, matchCase: true } }));
    all.redraw(<FindTab />);
    expect(all.getByTestId('find-nowhere').textContent).toContain('Nowhere in this transcript.');
    fireEvent.click(all.getByRole('button', { name: 'Ignore case' }));
    expect(all.app.store.getState().find.matchCase).toBe(false);
  });
});

function Bar() {
  useGlobalKeys();
  return (
    <>
      <button type="button">elsewhere</button>
      <FindBar />
    </>
  );
}

describe('the find bar', () => {
  const drawn = () => {
    const all = draw(<Bar />);
    all.app.store.setState(({ session }) => ({ session: { ...session, id: 'mock' } }));
    return all;
  };

  it('opens by Ctrl+F, has the focus before the next key comes, and gives it back on Escape', () => {
    const { getByRole, getByTestId, queryByTestId } = drawn();
    const elsewhere = getByRole('button', { name: 'elsewhere' });
    elsewhere.focus();
    fireEvent.keyDown(elsewhere, { key: 'f', ctrlKey: true });
    const field = getByTestId('find-input');
    expect(document.activeElement).toBe(field);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(queryByTestId('find-bar')).toBeNull();
    expect(document.activeElement).toBe(elsewhere);
  });

  it('counts places, and its switches say what they are', async () => {
    const { app, redraw, getByTestId, getByRole } = drawn();
    answered(app, LOST, 1);
    redraw(<Bar />);
    expect(getByTestId('find-count').textContent).toBe('2 of 3 places');
    expect(getByTestId('find-now').textContent).toBe('not in this request');
    const whole = getByRole('button', { name: 'Whole word' });
    expect(whole.getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(whole);
    expect(app.store.getState().find.wholeWord).toBe(true);
    expect(app.store.getState().find.trace, 'the answer was to another question').toBeNull();
  });

  it('goes to the next place by Enter and back by Shift+Enter', () => {
    const { app, redraw, getByTestId } = drawn();
    answered(app, LOST);
    redraw(<Bar />);
    const field = getByTestId('find-input');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(app.store.getState().find.chosen).toBe(0);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(app.store.getState().find.chosen).toBe(1);
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect(app.store.getState().find.chosen).toBe(0);
  });
});

describe('the find strip', () => {
  it('goes from change to change by the arrow keys', async () => {
    await loadAhead();
    const { app, redraw, getByTestId } = draw(<FindStrip />);
    answered(app, LOST);
    redraw(<FindStrip />);
    const strip = getByTestId('find-strip');
    app.actions.setAt(10);
    fireEvent.keyDown(strip, { key: 'ArrowLeft' });
    expect(app.store.getState().projection.at).toBe(8);
    fireEvent.keyDown(strip, { key: 'ArrowLeft' });
    expect(app.store.getState().projection.at).toBe(4);
    redraw(<FindStrip />);
    expect(strip.getAttribute('aria-valuetext')).toBe('call #4: original');
  });

  it('is not there while nothing is looked for', () => {
    const { queryByTestId } = draw(<FindStrip />);
    expect(queryByTestId('find-strip')).toBeNull();
  });
});

describe('a row', () => {
  const LONG = `${'before '.repeat(20)}the lamp flickers`;

  it('is cut so that the text stays in view, marked', () => {
    const row = makeRow({ index: 3, text: LONG });
    const { app, redraw, container } = draw(<FoundText row={row} text={LONG} />);
    expect(container.querySelector('mark')).toBeNull();
    answered(app, LOST);
    redraw(<FoundText row={row} text={LONG} />);
    expect(container.querySelector('mark')?.textContent).toBe('lamp');
    expect(container.textContent).toMatch(/^….{0,12}lamp flickers$/);
  });

  it('that a summary was moved to shows the place in it', () => {
    const row = makeRow({ key: 's0', kind: 'synthetic', index: 0, to: 12, raw: null, text: 'Continued.' });
    const { app, redraw, container } = draw(<FoundText row={row} text="Continued." />);
    const place = { index: null, synthetic: 0, front: null, part: 0, from: 0, to: 4, label: 'summary #5' };
    answered(app, { ...LOST, now: { ...LOST.now, places: [place] } });
    redraw(<FoundText row={row} text="Continued." />);
    expect(container.textContent).toBe('…the lamp flickers');
    redraw(<FoundText row={{ ...row, key: 's1' }} text="Continued." />);
    expect(container.textContent).toBe('Continued.');
  });

  it('shows the place where its own text does not reach so far', () => {
    const row = makeRow({ index: 5, text: 'the beginning' });
    const { app, redraw, container } = draw(<FoundText row={row} text="the beginning" />);
    answered(app, LOST);
    redraw(<FoundText row={row} text="the beginning" />);
    expect(container.textContent).toBe('…the lamp flickers');
    const other = makeRow({ index: 6, text: 'the beginning' });
    redraw(<FoundText row={other} text="the beginning" />);
    expect(container.textContent).toBe('the beginning');
  });
});

describe('a hit of the search', () => {
  const hit = (index: number, text: string): LibraryHit => ({
    transcriptId: 'mock',
    index,
    part: 0,
    label: 'user',
    origin: null,
    tool: null,
    isError: false,
    timestamp: null,
    occurrences: 1,
    role: 'user',
    snippet: {
      text: `the ${text} flickers`,
      marks: [{ start: 4, end: 4 + text.length }],
      cutBefore: false,
      cutAfter: false,
    },
  });

  it.each([
    ['here', 'In the request'],
    ['elsewhere', 'In the request, in another place'],
    ['gone', 'Not in the request'],
    ['after', 'Said after the call point'],
  ] as const)('whose words are %s says so', (presence, words) => {
    const { getByRole } = draw(
      <SearchHitLine
        hit={hit(3, 'lamp')}
        number={0}
        count={1}
        isSelected
        presence={presence}
        onOpen={() => undefined}
      />,
    );
    expect(getByRole('img').getAttribute('aria-label')).toBe(words);
  });

  it('has no mark while that is not known', () => {
    const { queryByRole } = draw(
      <SearchHitLine
        hit={hit(3, 'lamp')}
        number={0}
        count={1}
        isSelected
        presence={undefined}
        onOpen={() => undefined}
      />,
    );
    expect(queryByRole('img')).toBeNull();
  });

  it('is asked about by the words that were found in it', async () => {
    const asked: unknown[] = [];
    const { app, findByText } = draw(<Presence hits={[hit(3, 'Lamp'), hit(5, 'lamp'), hit(8, 'fuse')]} />, {
      'trace.present': (params) => {
        asked.push([params.text, params.places.map(({ index }) => index), params.at]);
        return { presence: params.places.map(({ index }) => (index === 5 ? 'gone' : 'here')) };
      },
    });
    await app.actions.open('mock');
    await findByText('3.0 here, 5.0 gone, 8.0 here');
    expect(asked).toEqual([
      ['lamp', [3, 5], 60],
      ['fuse', [8], 60],
    ]);
  });

  it('of several words has none of its own', () => {
    const one = hit(3, 'lamp');
    expect(hitText(one)).toBe('lamp');
    const marks = [...one.snippet.marks, { start: 9, end: 13 }];
    expect(hitText({ snippet: { ...one.snippet, marks } })).toBeNull();
    expect(hitText({ snippet: { ...one.snippet, marks: [] } })).toBeNull();
  });
});

function Presence({ hits }: { readonly hits: readonly LibraryHit[] }) {
  const presences = useHitPresence(hits);
  return <p>{[...presences].map(([key, presence]) => `${key} ${presence}`).join(', ')}</p>;
}
