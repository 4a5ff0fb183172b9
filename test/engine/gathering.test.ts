// What is gathered unasked when a transcript is opened: all that is asked later, and only while nothing else is to be done.
import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { prefetch } from '../../core/engine/session/prefetch.ts';
import { WorkQueue } from '../../core/engine/session/workQueue.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';

const MESSAGES = 200;
const SPEC = { version: 1, stages: [{ kind: 'reachability_gc', options: { min_chars: 100_000 } }] };

/** An open transcript, and which texts were read of it. Each look at the clock is a slice later. */
function opened() {
  const texts = [...claudeCodeLines({ messages: MESSAGES })].map((line) => JSON.stringify(JSON.parse(line).message));
  const raw = memorySource(texts);
  const read: number[] = [];
  const source: TranscriptSource = {
    ...raw,
    length: raw.length,
    facts: (index) => raw.facts(index),
    text(index) {
      read.push(index);
      return raw.text(index);
    },
  };
  let now = 0;
  const clock = {
    now: () => {
      now += 10;
      return now;
    },
    breathe: () => Promise.resolve(),
    wait: () => Promise.resolve(),
  };
  const session = { source, memo: createMemo(), work: new WorkQueue(clock), gathered: 0, readAhead: 0 };
  return { session, read };
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}

describe('what is gathered unasked', () => {
  it('is all that reachability_gc reads: its projection then reads no text', async () => {
    const { session, read } = opened();
    const { source, memo } = session;
    const options = { sha256: nodeSha256, explain: false };
    const alone = project(source, stagesOf(SPEC), source.length, { ...options, memo: createMemo() });
    expect(read.length).toBeGreaterThan(0);
    expect(await prefetch(session, () => []).done).toMatchObject({ ok: true });
    expect([session.gathered, session.readAhead]).toEqual([MESSAGES, MESSAGES]);
    read.length = 0;
    const after = project(source, stagesOf(SPEC), source.length, { ...options, memo });
    expect(read).toEqual([]);
    expect(after.fates).toEqual(alone.fates);
  });

  it('waits while another open transcript is asked something', async () => {
    const { session, read } = opened();
    const other = new WorkQueue();
    let answer: () => void = () => undefined;
    const asked = other.foreground(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    const gathering = prefetch(session, () => [other]);
    await rest();
    expect(read).toEqual([]);
    // Its own transcript is not held up by that.
    expect(await session.work.background('presets', async () => 'made').done).toEqual({ ok: true, value: 'made' });
    answer();
    await asked;
    expect(await gathering.done).toMatchObject({ ok: true });
    expect(read.length).toBeGreaterThan(0);
  });

  it('ends with the session', async () => {
    const { session, read } = opened();
    const gathering = prefetch(session, () => []);
    session.work.close();
    expect(await gathering.done).toEqual({ ok: false, error: 'ended' });
    expect(read).toEqual([]);
  });

  it('that fails fails for whoever asks, not before', async () => {
    const { session } = opened();
    const failing: TranscriptSource = {
      ...session.source,
      length: session.source.length,
      facts() {
        throw new Error('gone');
      },
    };
    await expect(prefetch({ ...session, source: failing }, () => []).done).rejects.toThrow('gone');
  });
});
