import { describe, expect, it } from 'vitest';
import { textPattern } from '../../core/util/textPattern.ts';
import { marksOf, marksOfWords } from '../../renderer/find/textMarks.ts';
import {
  describeCount,
  describeLoss,
  describeRequest,
  describeRun,
  placeName,
  placeState,
  saidIn,
  sentencePieces,
  splitSentence,
  withoutReason,
  writtenPlaces,
} from '../../renderer/find/words.ts';
import { barStates, nextInState, nextTurn, stateAt, stripRuns } from '../../renderer/state/textPoints.ts';
import { makePlace, makeTextLoss, makeTextTrace } from './support.ts';

const bars = (...at: readonly number[]) => at.map((one) => ({ at: one }));

describe('the find strip', () => {
  it('has the state of each call point under its bar', () => {
    const { points } = makeTextTrace('nnoogge');
    expect(barStates(bars(2, 4, 6, 8, 10, 12, 14), points)).toEqual([
      'not_yet',
      'not_yet',
      'original',
      'original',
      'gone',
      'gone',
      'elsewhere',
    ]);
  });

  it('shows the worst of the call points that share a bar', () => {
    const { points } = makeTextTrace('noogoo');
    expect(barStates(bars(4, 8, 12), points)).toEqual(['original', 'gone', 'original']);
    expect(barStates(bars(12), makeTextTrace('npeo').points)).toEqual(['partly']);
  });

  it('leaves blank what is not known, and goes on with what was known last', () => {
    const { points } = makeTextTrace('og');
    expect(barStates(bars(1, 2, 3, 4, 9), points)).toEqual([null, 'original', 'original', 'gone', 'gone']);
    expect(stripRuns(bars(1, 2), [])).toEqual([]);
  });

  it('is drawn by runs, each with the call point it begins at', () => {
    const { points } = makeTextTrace('nooge');
    const runs = stripRuns(bars(2, 4, 6, 8, 10), points);
    expect(runs).toEqual([
      { state: 'not_yet', from: 0, to: 1, at: 2 },
      { state: 'original', from: 1, to: 3, at: 4 },
      { state: 'gone', from: 3, to: 4, at: 8 },
      { state: 'elsewhere', from: 4, to: 5, at: 10 },
    ]);
    expect(runs.map((run) => describeRun(run, run.at))[1]).toBe('original at call #4');
    expect(describeRun({ state: 'gone', from: 0, to: 3, at: 8 }, 12)).toBe('gone from call #8 to #12');
  });

  it('finds the next call point in a state, round and round', () => {
    const { points } = makeTextTrace('oggoge');
    expect(nextInState(points, 2, 'gone')).toBe(4);
    expect(nextInState(points, 6, 'gone')).toBe(10);
    expect(nextInState(points, 10, 'gone')).toBe(4);
    expect(nextInState(points, 2, 'partly')).toBeNull();
  });

  it('goes from change to change', () => {
    const { points } = makeTextTrace('noogg');
    expect([nextTurn(points, 2, 1), nextTurn(points, 4, 1), nextTurn(points, 8, 1)]).toEqual([4, 8, null]);
    expect([nextTurn(points, 10, -1), nextTurn(points, 8, -1), nextTurn(points, 2, -1)]).toEqual([8, 4, null]);
  });

  it('knows the state at any call point', () => {
    const { points } = makeTextTrace('og');
    expect([1, 2, 3, 4, 99].map((at) => stateAt(points, at))).toEqual([null, 'original', 'original', 'gone', 'gone']);
  });
});

const plain = { matchCase: false, wholeWord: false };
const found = (text: string, wanted: string, switches = plain) => {
  const pattern = textPattern(wanted, switches);
  return pattern === null ? [] : marksOf(text, pattern).map(({ start, end }) => text.slice(start, end));
};

describe('marks of a text', () => {
  it.each([
    ['the lamp\n  flickers', 'lamp flickers', ['lamp\n  flickers']],
    ['a (b) [c] a+b $1 \\d', 'a+b $1 \\d', ['a+b $1 \\d']],
    ['D:\\oh-my-posh\\references', '\\references', ['\\references']],
    ['LAMP lamp', 'Lamp', ['LAMP', 'lamp']],
    ['漢字の漢字', '漢字', ['漢字', '漢字']],
    ['anything', '   ', []],
  ])('of %j, %j', (text, wanted, expected) => {
    expect(found(text, wanted)).toEqual(expected);
  });

  it('heed case and whole words only if asked', () => {
    expect(found('LAMP lamp', 'lamp', { ...plain, matchCase: true })).toEqual(['lamp']);
    expect(found('Fable diffable', 'fable')).toHaveLength(2);
    expect(found('Fable diffable', 'fable', { ...plain, wholeWord: true })).toEqual(['Fable']);
    expect(found('x --data y', '--data', { ...plain, wholeWord: true })).toEqual(['--data']);
  });

  it('of several words do not overlap', () => {
    const text = 'see prompt/engine.go and engine.go, 658';
    const marks = marksOfWords(text, ['engine.go', 'prompt/engine.go', '658']);
    expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['prompt/engine.go', 'engine.go', '658']);
  });
});

describe('what the find bar says', () => {
  it('counts places and requests', () => {
    const trace = makeTextTrace('nooeg', { places: [makePlace(1), makePlace(4)] });
    expect(describeCount(trace, false, null)).toBe('2 places');
    expect(describeCount(trace, false, 1)).toBe('2 of 2 places');
    expect(describeCount(null, true, null)).toBe('Searching…');
    expect(describeCount(makeTextTrace('n'), false, null)).toBe('No places');
    expect(describeRequest(trace)).toBe('In 3 of 4 requests since it was said');
    expect(describeRequest(makeTextTrace('nn'))).toBeNull();
  });

  it('tells presence by place', () => {
    expect(placeState(makePlace(1))).toBe('original');
    expect(placeState(makePlace(1, { present: false }))).toBe('gone');
    expect(placeState(makePlace(9, { present: false, after: true }))).toBe('not_yet');
  });

  it('names what a stage wrote, once each', () => {
    const place = { index: null, front: null, part: 0, from: 0, to: 4 };
    const { now } = makeTextTrace('e');
    const places = [
      { ...place, synthetic: 0, label: 'the summary of #0–#8' },
      { ...place, synthetic: 0, label: 'the summary of #0–#8' },
      { ...place, synthetic: 1, label: 'summary #9' },
      { ...place, synthetic: null, index: 3, label: '#3' },
    ];
    expect(writtenPlaces({ now: { ...now, places } })).toEqual(['the summary of #0–#8']);
  });

  it('names places', () => {
    expect(placeName(makePlace(12, { label: 'Bash call #12' }))).toEqual({ number: '#12', kind: 'Bash call' });
    const event = makePlace(5, { where: 'event', label: 'event queue-operation before #5' });
    expect(placeName(event)).toEqual({ number: '#5', kind: 'event' });
    expect(placeName(makePlace(0, { where: 'system', index: null, label: 'system prompt' }))).toEqual({
      number: '',
      kind: 'system prompt',
    });
  });

  it('says stage and reason of a loss', () => {
    expect(describeLoss(makeTextLoss(8))).toBe('stage 1, Recorded compaction: the runtime did not carry it forward');
    expect(describeLoss(makeTextLoss(8, { stage: null, stageTitle: null, reason: '' }))).toBe('');
  });

  it('does not say a reason twice', () => {
    const sentence = 'Gone from the request since call #8: GC, older than 8 messages.';
    expect(withoutReason(sentence, 'older than 8 messages')).toBe('Gone from the request since call #8.');
    expect(withoutReason(sentence, 'another')).toBe(sentence);
    expect(saidIn({ sentence }, makeTextLoss(8))).toBe(false);
    expect(saidIn({ sentence }, makeTextLoss(8, { reason: '' }))).toBe(false);
  });

  it('links what a sentence names', () => {
    const sentence = 'Still there, in summary #271 since call #276; the original #124 is gone since #276.';
    expect(sentencePieces(sentence).flatMap(({ to }) => to ?? [])).toEqual([
      { kind: 'message', index: 271 },
      { kind: 'call', index: 276 },
      { kind: 'message', index: 124 },
      { kind: 'call', index: 276 },
    ]);
    expect(
      sentencePieces(sentence)
        .map(({ text }) => text)
        .join(''),
    ).toBe(sentence);
    expect(splitSentence(sentence)).toEqual([
      'Still there, in summary #271 since call #276;',
      ' the original #124 is gone since #276.',
    ]);
    expect(splitSentence('Gone')).toEqual(['Gone', '']);
  });
});
