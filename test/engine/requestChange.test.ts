// Why a request differs from the one before it, over the protocol: figures of whole requests, and the lines of each cause.
import { expect, test } from 'vitest';
import { COMPOSED_MESSAGES } from '../support/composedTranscript.ts';
import { failureOf, sessionFile, testEngine, whenCounted } from './support.ts';

const SPEC = {
  version: 1,
  stages: [{ kind: 'clean_tool_repair' }, { kind: 'sliding_window', options: { turns: 3 } }],
};

async function opened() {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: COMPOSED_MESSAGES }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const { at: callPoints } = await client.call('transcript.callPoints', { id });
  return { client, id, callPoints };
}

test('every request of a session: its causes add up, and their lines are the messages', async () => {
  const { client, id, callPoints } = await opened();
  let lines = 0;
  for (const [nth, at] of callPoints.entries()) {
    const { projectionId, projected, beside } = await client.call('projection.set', { id, spec: SPEC, at });
    const change = await client.call('projection.change', { projectionId });
    expect(change).toMatchObject({ at, before: callPoints[nth - 1] ?? null });
    expect(change.tokens.now).toBe(projected.total + beside.total);
    const sum = change.causes.reduce((all, { tokens }) => all + tokens, 0);
    expect(sum).toBe(nth === 0 ? 0 : change.tokens.now - change.tokens.before);
    for (const [cause, { messages, tokens }] of change.causes.entries()) {
      const page = await client.call('projection.changeLines', { projectionId, cause, from: 0, to: 100 });
      expect(page.total).toBe(messages);
      expect(page.lines.reduce((all, line) => all + line.tokens, 0)).toBe(tokens);
      for (const { before, now } of page.lines) expect(before ?? now).not.toBeNull();
      lines += page.lines.length;
    }
  }
  expect(lines).toBeGreaterThan(callPoints.length);
});

test('a stage that took messages is named, with the sentence of its threshold', async () => {
  const { client, id, callPoints } = await opened();
  const at = callPoints.at(-1) ?? 0;
  const { projectionId } = await client.call('projection.set', { id, spec: SPEC, at });
  const { causes } = await client.call('projection.change', { projectionId });
  const gone = causes.find(({ kind }) => kind === 'dropped');
  expect(gone).toMatchObject({ stage: 1, title: 'Sliding window' });
  expect(gone?.reason).toMatch(/3 turns/);
  expect(gone?.tokens).toBeLessThan(0);
});

test('a cause that is not there, and a projection that is gone, are told', async () => {
  const { client, id } = await opened();
  const { projectionId } = await client.call('projection.set', { id, spec: SPEC, at: null });
  const ask = (cause: number) => client.call('projection.changeLines', { projectionId, cause, from: 0, to: 1 });
  expect(await failureOf(ask(99))).toMatchObject({ code: 'request.no_such_cause' });
  expect(await failureOf(client.call('projection.change', { projectionId: 'x' }))).toMatchObject({
    code: 'projection.unknown',
  });
});

test('a request that was not made came at no time', async () => {
  const { client, add } = testEngine();
  const id = await add('timed.jsonl', sessionFile());
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const elapsedAt = async (at: number | null) => {
    const { projectionId } = await client.call('projection.set', { id, spec: 'raw', at });
    return (await client.call('projection.change', { projectionId })).elapsed;
  };
  const { at: callPoints } = await client.call('transcript.callPoints', { id });
  expect(await elapsedAt(callPoints.at(-2) ?? 0)).toBeGreaterThan(0);
  expect(await elapsedAt(null)).toBeNull();
});
