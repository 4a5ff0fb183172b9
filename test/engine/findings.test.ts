// Findings over the protocol: the same as the command line makes, and the presets that prevent each.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsesFollower } from '../../core/insight/uses/index.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { ONE_TURN, readAgain, readAgainJson } from '../support/readAgain.ts';
import { failureOf, testEngine, whenCounted } from './support.ts';

const MESSAGES = readAgain();

test('a session under a policy: what is found, what it cost, and the presets under which it would not have happened', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  expect(await client.call('findings.session', { id, spec: 'raw' })).toEqual({ findings: [], looksAtCache: false });
  const { findings } = await client.call('findings.session', { id, spec: ONE_TURN });
  const forgotten = findings.find(({ kind }) => kind === 'forgotten');
  expect(forgotten).toMatchObject({ at: 7, sources: [2], certainty: 'certain', dependsOnPolicy: true });
  expect(forgotten?.loss).toMatchObject({ since: 5, stageTitle: 'Sliding window' });
  expect(forgotten?.cost).toBeGreaterThan(0);
  const { kind = 'forgotten', at = 0, evidence = '' } = forgotten ?? {};
  const { presets } = await client.call('findings.preventedBy', { id, spec: ONE_TURN, kind, at, evidence });
  const names = presets.map(({ name }) => name);
  expect(names).toContain('raw');
  // Each of them really held it in that request; no other one did.
  for (const { name, spec } of PRESETS) {
    const { projectionId } = await client.call('projection.set', { id, spec, at: 7 });
    const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
    expect([name, text.includes('berth_9917')]).toEqual([name, names.includes(name)]);
  }
});

test('saved policies are tried with the presets, and one that cannot be is named with why', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const { findings } = await client.call('findings.session', { id, spec: ONE_TURN });
  const { kind, at, evidence } = findings.find((one) => one.kind === 'forgotten') ?? {
    kind: 'rule',
    at: 0,
    evidence: '',
  };
  const window = (turns: number) => ({ version: 1, stages: [{ kind: 'sliding_window', options: { turns } }] });
  const policies = [
    { name: 'All turns', spec: window(50) },
    { name: 'The same', spec: ONE_TURN },
    { name: 'None', spec: { version: 1, stages: [{ kind: 'no_such_stage' }] } },
  ];
  const { presets, saved, failed } = await client.call('findings.preventedBy', {
    ...{ id, spec: ONE_TURN, kind, at, evidence, policies },
  });
  expect(presets.map(({ name }) => name)).toContain('raw');
  expect(saved).toEqual(['All turns']);
  expect(failed).toEqual([{ name: 'None', error: expect.stringContaining('no_such_stage') }]);
});

test('a finding that is none is told', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: MESSAGES }));
  await client.call('transcript.open', { id });
  const ask = client.call('findings.preventedBy', { id, spec: 'raw', kind: 'rule', at: 1, evidence: 'x' });
  expect(await failureOf(ask)).toMatchObject({ code: 'findings.unknown' });
});

test('uses and findings of a policy are walked once, whoever asks first', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const steps = vi.spyOn(UsesFollower.prototype, 'take');
  onTestFinished(() => steps.mockRestore());
  await client.call('uses.session', { id, spec: ONE_TURN });
  const once = steps.mock.calls.length;
  expect(once).toBeGreaterThan(0);
  const { findings } = await client.call('findings.session', { id, spec: ONE_TURN });
  expect(findings.map(({ kind }) => kind)).toContain('forgotten');
  await client.call('uses.message', { id, spec: ONE_TURN, index: 2 });
  expect(steps.mock.calls.length).toBe(once);
  await client.call('findings.session', { id, spec: 'raw' });
  await client.call('uses.session', { id, spec: 'raw' });
  expect(steps.mock.calls.length).toBe(2 * once);
});

test('chosen findings go into a bundle as data, those about later messages stay out, and the bundle verifies', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const { findings } = await client.call('findings.session', { id, spec: ONE_TURN });
  const forgotten = findings.find(({ kind }) => kind === 'forgotten');
  if (forgotten === undefined) throw new Error('nothing was forgotten');
  const write = async (at: number) => {
    const { path, markdown } = await client.call('export.write', {
      id,
      spec: ONE_TURN,
      at,
      path: null,
      findings: [forgotten],
    });
    return { report: await client.call('verify.file', { path }), text: readFileSync(path, 'utf8'), path, markdown };
  };
  const whole = await write(9);
  expect(whole.report).toMatchObject({ same: true, findings: [{ kind: 'forgotten', at: 7, sources: [2] }] });
  expect(whole.markdown).toContain('- #7 forgotten (certain)');
  const early = await write(5);
  expect(early.report).toMatchObject({ same: true, findings: [] });
  expect(JSON.parse(early.text)).not.toHaveProperty('findings');
  // Opened, it shows what was chosen; pointing beyond the slice is a difference.
  const info = await client.call('transcript.open', { id: await add('report.json', whole.text) });
  expect(info.bundle?.findings).toEqual(whole.report.findings);
  const bent = join(mkdtempSync(join(tmpdir(), 'parallax-findings-')), 'bent.json');
  writeFileSync(bent, whole.text.replace('"sources":[2]', '"sources":[400]'));
  expect(await client.call('verify.file', { path: bent })).toMatchObject({
    same: false,
    differences: [{ what: 'finding 0', expected: '#7, #400' }],
  });
});

test('uses of rows are those of the session under that policy, row by row', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const messages = MESSAGES.map((_, index) => index);
  const rowsUnder = async (spec: unknown) => (await client.call('uses.rows', { id, spec, messages })).rows;
  const raw = await rowsUnder('raw');
  expect(raw.find(({ index }) => index === 2)).toMatchObject({ users: [7], later: 1, gone: 0, goneSince: null });
  expect(raw.some(({ gone, lacked }) => gone > 0 || lacked)).toBe(false);
  const window = await rowsUnder(ONE_TURN);
  expect(window.find(({ index }) => index === 2)).toMatchObject({ users: [7], later: 1, gone: 1, goneSince: 5 });
  expect(window.find(({ index }) => index === 7)).toMatchObject({ lacked: true });
  for (const { index, later, gone } of window) {
    const own = await client.call('uses.message', { id, spec: ONE_TURN, index });
    expect(later).toBe(new Set(own.later.map(({ at }) => at)).size);
    expect(gone > 0).toBe(own.laterGone > 0);
  }
  const used = new Set(window.filter(({ later }) => later > 0).map(({ index }) => index));
  for (const index of messages.filter((one) => !used.has(one))) {
    expect(await client.call('uses.message', { id, spec: ONE_TURN, index })).toMatchObject({ laterTotal: 0 });
  }
  expect(await client.call('uses.rows', { id, spec: ONE_TURN, messages: [0, 99] })).toEqual({ rows: [] });
});

test('the trail of a message is what its uses are between, each message once', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', readAgainJson());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  for (const spec of ['raw', ONE_TURN]) {
    for (const index of MESSAGES.keys()) {
      const trail = await client.call('uses.trail', { id, spec, index });
      const { later, earlier } = await client.call('uses.message', { id, spec, index });
      const users = [...new Set(later.map(({ at }) => at))];
      const sources = [...new Set(earlier.flatMap((use) => use.sources.map((source) => source.index)))];
      expect(trail.users.map((place) => place.index)).toEqual(users);
      expect(trail.sources.map((place) => place.index)).toEqual(sources.sort((a, b) => a - b));
    }
  }
  const windowed = await client.call('uses.trail', { id, spec: ONE_TURN, index: 2 });
  expect(windowed.users.find(({ index }) => index === 7)).toMatchObject({ outcome: 'gone' });
  const raw = await client.call('uses.trail', { id, spec: 'raw', index: 7 });
  expect(raw.sources.find(({ index }) => index === 2)).toMatchObject({ outcome: 'original' });
});
