import { describe, expect, it } from 'vitest';
import { decodeLink, encodeLink } from '../../core/protocol/link.ts';
import { COMMANDS } from '../../renderer/app/features.ts';
import { linkOf } from '../../renderer/moving/links.ts';
import { titleOf } from '../../renderer/moving/useTitle.ts';
import { createApp } from '../../renderer/state/app.ts';
import { MENUS } from '../../renderer/state/menus.ts';
import { isStep, linkTo, type Place, placeOf, placeOfLink } from '../../renderer/state/places.ts';
import { type Answers, spokenEngine } from '../support/spokenEngine.ts';

const HERE: Place = { id: 't1', mode: 'timeline', message: 20, part: 0, at: null };
const MESSAGES = 60;

describe('a step, which back undoes', () => {
  it.each<[string, Partial<Place>, boolean]>([
    ['another transcript', { id: 't2' }, true],
    ['no transcript', { id: null }, true],
    ['another mode', { mode: 'compare' }, true],
    ['the library in place of everything', { mode: 'library' }, true],
    ['a jump to a message far away', { message: 45 }, true],
    ['the next message', { message: 21 }, false],
    ['another part', { part: 1 }, false],
    ['nothing selected any more', { message: null }, false],
    ['a jump of the call point', { at: 12 }, true],
    ['the call point before', { at: 58 }, false],
  ])('%s', (_, change, is) => {
    expect(isStep(HERE, { ...HERE, ...change }, MESSAGES)).toBe(is);
  });

  it('is a place that its address leads back to', () => {
    for (const change of [
      {},
      { message: 3, part: 2 },
      { message: null },
      { at: 7 },
      { mode: 'tune' },
      { mode: 'library' },
    ] as const) {
      const place: Place = { ...HERE, ...change };
      const link = linkTo(place);
      expect(placeOfLink(link && decodeLink(encodeLink(link, '#/') ?? ''))).toEqual(place);
    }
    expect(linkTo({ ...HERE, id: null })).toBeNull();
    expect(placeOfLink(null).id).toBeNull();
  });
});

async function opened(answers: Answers = {}) {
  const engine = spokenEngine(answers);
  const app = createApp(engine.client);
  await app.actions.start();
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, info: {} });
  return { app, ...engine };
}

describe('a link', () => {
  it('leads to a message of another transcript, at a call point', async () => {
    const { app } = await opened();
    await app.actions.openLink({ id: 't2', message: 5, part: 0, at: 30 });
    expect(placeOf(app.store.getState())).toEqual({ id: 't2', mode: 'timeline', message: 5, part: 0, at: 30 });
    app.stop();
  });

  it('leads to a place of the open transcript, and to a mode', async () => {
    const { app } = await opened();
    await app.actions.openLink({ id: 't1', message: 40, mode: 'compare' });
    expect(placeOf(app.store.getState())).toEqual({ id: 't1', mode: 'compare', message: 40, part: 0, at: null });
    app.stop();
  });

  it.each([
    ['to what the library has not', { id: 'ffffffffffffffffffffffff', message: 1 }, /does not have the transcript/],
    ['that cannot be read', null, /could not be read/],
  ] as const)('%s says so, and moves nothing', async (_, link, said) => {
    const { app } = await opened();
    const before = placeOf(app.store.getState());
    await app.actions.openLink(link);
    expect(placeOf(app.store.getState())).toEqual(before);
    expect(app.store.getState().toasts.at(-1)?.text).toMatch(said);
    app.stop();
  });

  it('to a message that the transcript has not opens it, and says which is its last', async () => {
    const { app } = await opened();
    await app.actions.openLink({ id: 't2', message: 900 });
    expect(app.store.getState().session.id).toBe('t2');
    expect(app.store.getState().toasts.at(-1)).toMatchObject({ text: 'The transcript has no message #900.' });
    app.stop();
  });

  it('offers its policy: nothing is set until the person says so', async () => {
    const { app } = await opened();
    const { presets } = app.store.getState().describe ?? { presets: [] };
    const [preset] = presets.filter(({ spec }) => spec.stages.length > 0);
    const before = app.store.getState().projection.spec;
    await app.actions.openLink({ id: 't1', policy: preset?.name ?? '' });
    expect(app.store.getState().projection.spec).toEqual(before);
    const offer = app.store.getState().toasts.at(-1);
    expect(offer).toMatchObject({ tone: 'info', action: { label: 'Use it' } });
    offer?.action?.run();
    expect(app.store.getState().projection.spec.stages).toEqual(preset?.spec.stages);
    app.stop();
  });

  it.each([
    ['a preset that there is not', { policy: 'nothing' }, /no preset/],
    ['no JSON', { spec: '{' }, /not JSON/],
  ])('with %s offers nothing', async (_, field, detail) => {
    const { app } = await opened();
    await app.actions.openLink({ id: 't1', ...field });
    const said = app.store.getState().toasts.at(-1);
    expect(said?.action).toBeUndefined();
    expect(said?.detail).toMatch(detail);
    app.stop();
  });

  it('with code in its policy offers nothing: one click must not run a stranger’s', async () => {
    const spec = { version: 1 as const, stages: [{ kind: 'custom', options: { code: 'while (true) {}' } }] };
    const { app } = await opened({ 'spec.parse': () => ({ spec, problems: [] }) });
    const describe = app.store.getState().describe;
    const param = { name: 'code', type: 'code', default: '', help: '' } as never;
    const custom = { kind: 'custom', family: 'context', title: 'Custom', help: '', params: [param] } as never;
    app.store.setState({ describe: describe && { ...describe, stages: [...describe.stages, custom] } });
    await app.actions.openLink({ id: 't1', spec: JSON.stringify(spec) });
    expect(app.store.getState().toasts.at(-1)).toMatchObject({ tone: 'error', detail: /contains code/ });
    expect(app.store.getState().toasts.at(-1)?.action).toBeUndefined();
    app.stop();
  });

  it('is made of what is on screen: the message, the call point, the policy', async () => {
    const { app } = await opened();
    app.actions.clearSelection();
    expect(linkOf(app.store.getState(), 'message')).toBeNull();
    await app.actions.goToMessage(7);
    app.actions.setAt(30);
    expect(linkOf(app.store.getState(), 'message')).toEqual({ id: 't1', message: 7, at: 30 });
    expect(linkOf(app.store.getState(), 'callPoint')).toEqual({ id: 't1', at: 30 });
    const { presets } = app.store.getState().describe ?? { presets: [] };
    const preset = presets.find(({ spec }) => spec.stages.length > 0);
    if (preset) app.actions.setPolicy(preset.spec);
    expect(linkOf(app.store.getState(), 'policy')).toMatchObject({ id: 't1', policy: preset?.name });
    const own = { version: 1 as const, name: 'mine', stages: [{ kind: 'sliding_window', options: { keep: 3 } }] };
    app.actions.setPolicy(own);
    expect(JSON.parse(linkOf(app.store.getState(), 'policy')?.spec ?? 'null')).toMatchObject(own);
    app.stop();
  });
});

describe('the title of the window', () => {
  it('names transcript and mode; what cannot be seen is there by its code', async () => {
    const { app } = await opened();
    const { info } = app.store.getState().session;
    expect(titleOf(app.store.getState())).toBe(`${info?.title} – Timeline – Parallax`);
    app.actions.setMode('compare');
    expect(titleOf(app.store.getState())).toBe(`${info?.title} – Compare – Parallax`);
    const state = app.store.getState();
    const spoof = info && { ...info, title: 'a\u202Eexe.txt' };
    expect(titleOf({ ...state, session: { ...state.session, info: spoof } })).toContain('<U+202E>');
    app.actions.close();
    expect(titleOf(app.store.getState())).toBe('Parallax');
    app.stop();
  });
});

describe('menus', () => {
  it('name commands that there are, each once', () => {
    const ids = new Set(COMMANDS.map(({ id }) => id));
    for (const groups of Object.values(MENUS)) {
      const all = groups.flat();
      expect(all.filter((id) => !ids.has(id))).toEqual([]);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});
