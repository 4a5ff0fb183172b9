// The find bar's answers: always to the text, the policy and the transcript on screen.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { COMMANDS } from '../../renderer/app/features.ts';
import { createApp } from '../../renderer/state/app.ts';
import { textLane } from '../../renderer/state/textLane.ts';
import { matchScore } from '../../renderer/ui/matchScore.ts';
import { reader } from './reader.ts';
import { policy, slowEngine } from './slowEngine.ts';
import { makePlace, makeTextTrace } from './support.ts';

const realImmediate = setImmediate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function opened() {
  const engine = slowEngine({ a: 40, b: 30 });
  await engine.prepare();
  const app = createApp(engine.client);
  reader(app);
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((done) => realImmediate(done));
  };
  const rest = async () => {
    await vi.advanceTimersByTimeAsync(400);
    while (engine.waiting().length > 0) {
      engine.answer(0);
      await settle();
    }
  };
  const giveTrace = async (which = 0) => {
    const places = engine.waiting().flatMap((method, place) => (method === 'trace.text' ? [place] : []));
    const place = places.at(which);
    if (place === undefined) throw new Error(`no text is followed: ${engine.waiting().join(', ')}`);
    engine.answer(place);
    await settle();
  };
  const typed = async (text: string) => {
    app.actions.setFindText(text);
    await vi.advanceTimersByTimeAsync(400);
  };
  void app.actions.start();
  await settle();
  await rest();
  void app.actions.open('a');
  await settle();
  await rest();
  return { engine, app, actions: app.actions, find: () => app.store.getState().find, settle, rest, giveTrace, typed };
}

describe('find', () => {
  it('asks for the text on screen, with the policy shown and at the call point shown', async () => {
    const { engine, actions, find, typed, giveTrace } = await opened();
    actions.openFind('lamp');
    await typed('lamp');
    expect(engine.asked('trace.text').at(-1)).toMatchObject({ id: 'a', text: 'lamp', at: 40, matchCase: false });
    await giveTrace();
    expect(find()).toMatchObject({ isLoading: false, trace: { sentence: 'lamp at 40' } });
  });

  it('drops an answer to a text that is not in the field any more', async () => {
    const { actions, find, typed, giveTrace } = await opened();
    actions.openFind('');
    await typed('lamp');
    await typed('fuse');
    await giveTrace(1);
    expect(find().trace?.text).toBe('fuse');
    await giveTrace(0);
    expect(find().trace?.text).toBe('fuse');
    await typed('wire');
    expect(find().trace, 'nothing is said of another text').toBeNull();
  });

  it('drops an answer that comes when the bar is closed', async () => {
    const { actions, find, typed, giveTrace } = await opened();
    actions.openFind('');
    await typed('lamp');
    actions.closeFind();
    await giveTrace();
    expect(find()).toMatchObject({ isOpen: false, trace: null, text: 'lamp' });
  });

  it('asks again in another transcript, and says nothing of the one before', async () => {
    const { engine, actions, find, typed, giveTrace, settle, rest } = await opened();
    actions.openFind('');
    await typed('lamp');
    void actions.open('b');
    await settle();
    expect(find().trace).toBeNull();
    await giveTrace();
    expect(find().trace, 'that was of transcript a').toBeNull();
    await rest();
    await rest();
    expect(find().trace?.sentence).toBe('lamp at 30');
    expect(engine.waiting()).toEqual([]);
  });

  it('asks again when policy or call point are others', async () => {
    const { actions, find, typed, rest } = await opened();
    actions.openFind('');
    await typed('lamp');
    await rest();
    actions.setAt(12);
    await rest();
    await rest();
    expect(find().trace?.sentence).toBe('lamp at 12');
    actions.setPolicy(policy(3));
    await rest();
    await rest();
    expect(find().isLoading).toBe(false);
  });

  it('is answered where the engine ended the question by itself: nobody asked another', async () => {
    const { engine, actions, find, typed, settle, rest } = await opened();
    actions.openFind('');
    await typed('lamp');
    const place = engine.waiting().indexOf('trace.text');
    engine.answer(place, 'request.superseded');
    await settle();
    expect(find()).toMatchObject({ isLoading: true, error: null });
    await rest();
    await rest();
    expect(find()).toMatchObject({ isLoading: false, trace: { text: 'lamp' } });
  });

  // A slow engine answers in any order, ends questions, and has no projection yet when somebody asks.
  it.each(Array.from({ length: 60 }, (_, seed) => [seed]))(
    'answers what is in the field, in whatever order: seed %i',
    async (seed) => {
      const rng = seededRng(seed);
      const { engine, actions, find, settle, rest } = await opened();
      const steps = [
        () => void actions.open(rng.pick(['a', 'b'])),
        () => actions.openFind(rng.pick([null, 'lamp', 'fuse'])),
        () => actions.setFindText(rng.pick(['lamp', 'fuse', 'wire'])),
        () => actions.setAt(rng.below(30)),
        () => actions.setPolicy(policy(2 + rng.below(4))),
        () => engine.grow('a', 1),
        () => void engine.answer(rng.below(Math.max(1, engine.waiting().length))),
        () => void engine.answer(engine.waiting().indexOf('trace.text'), 'request.superseded'),
        () => vi.advanceTimersByTimeAsync(rng.pick([10, 100, 170, 400])),
      ];
      for (let step = 0; step < 30; step++) {
        await rng.pick(steps)();
        if (rng.below(2) === 0) await settle();
      }
      actions.openFind('lamp');
      for (let turn = 0; turn < 4; turn++) await rest();
      expect(find()).toMatchObject({
        isOpen: true,
        isLoading: false,
        error: null,
        text: 'lamp',
        trace: { text: 'lamp' },
      });
    },
  );

  it('goes with the transcript when that is closed', async () => {
    const { actions, find, typed, rest } = await opened();
    actions.openFind('');
    await typed('lamp');
    await rest();
    actions.close();
    expect(find().isOpen).toBe(false);
  });

  it('goes from place to place, round and round, and selects them', async () => {
    const { app, actions, find, typed, rest } = await opened();
    const selected = () => app.store.getState().selection;
    actions.openFind('');
    await typed('lamp');
    await rest();
    for (const [chosen, index] of [
      [0, 3],
      [1, 9],
      [0, 3],
    ] as const) {
      void actions.stepPlace(1);
      await rest();
      expect([find().chosen, selected()]).toEqual([chosen, { kind: 'message', index, part: 0 }]);
    }
    void actions.stepPlace(-1);
    await rest();
    expect(find().chosen).toBe(1);
  });

  it('leads to the next request in a state', async () => {
    const { app, actions, typed, rest } = await opened();
    actions.openFind('');
    await typed('lamp');
    await rest();
    actions.goToState('original');
    expect(app.store.getState().projection.at).toBe(2);
  });

  it('shows the drawer as it was when it is closed', async () => {
    const { app, actions } = await opened();
    const shown = () => {
      const { drawerOpen, drawerTab } = app.store.getState().ui;
      return { drawerOpen, drawerTab };
    };
    actions.showDrawer('json');
    actions.toggleDrawer();
    actions.openFind('lamp');
    expect(shown()).toEqual({ drawerOpen: true, drawerTab: 'find' });
    actions.closeFind();
    expect(shown()).toEqual({ drawerOpen: false, drawerTab: 'json' });
    actions.openFind(null);
    actions.showDrawer('events');
    actions.closeFind();
    expect(shown(), 'what was chosen meanwhile stays').toEqual({ drawerOpen: true, drawerTab: 'events' });
  });
});

describe('the lane of texts', () => {
  it('lets askers wait for each other: the engine ends a question at the next one', async () => {
    const waiting: { text: string; done: (value: never) => void }[] = [];
    const call = (_: string, { text }: { text: string }) =>
      new Promise((done) => void waiting.push({ text, done: done as (value: never) => void }));
    const lane = textLane({ call, on: () => () => undefined } as never);
    const params = (text: string) => ({ id: 'a', spec: 'raw', text, at: null });
    const answers: string[] = [];
    const note = (trace: { readonly text: string }) => void answers.push(trace.text);
    void lane.ask('find', params('one')).then(note);
    void lane.ask('why', params('two')).then(note);
    void lane.ask('find', params('three')).then(note);
    expect(waiting.map(({ text }) => text)).toEqual(['one', 'three']);
    for (const { text, done } of waiting.splice(0)) done(makeTextTrace('o', { text, places: [makePlace(1)] }) as never);
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ text }) => text)).toEqual(['two']);
    expect(answers).toEqual(['one', 'three']);
  });
});

describe('the palette', () => {
  it.each(['forgot', 'forgotten', 'lost', 'missing', 'gone', 'why is it gone'])('finds it under %s', (typed) => {
    const scored = COMMANDS.map((one) => ({
      id: one.id,
      score: matchScore(`${one.title} ${one.also ?? ''}`, typed),
    })).sort((a, b) => b.score - a.score);
    expect(scored[0]).toMatchObject({ id: 'find' });
    expect(scored[0]?.score).toBeGreaterThan(0);
  });

  it('the bar has Ctrl+F, the filter of the library keeps its key', () => {
    const keysOf = (id: string) => COMMANDS.find((one) => one.id === id)?.keys;
    expect(keysOf('find')).toEqual(['mod+f']);
    expect(keysOf('library.filter')).toEqual(['/']);
  });
});
