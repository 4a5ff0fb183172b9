// The sample is what the welcome page says it is: each claim is looked up in the session, and in what the model is sent.
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { SAMPLE, sampleSession } from '../../core/sample/index.ts';
import { testEngine } from '../engine/support.ts';

const file = importText(sampleSession());
const [transcript] = file.transcripts;
const messages = transcript?.messages ?? [];
const indexesOf = (words: string) => messages.flatMap(({ text }, index) => (text.includes(words) ? [index] : []));

describe('the sample session', () => {
  it('is one Claude Code transcript without a problem, the same at every call', () => {
    expect(file).toMatchObject({ format: 'claude-code', problems: [], ignored: [] });
    expect(file.transcripts).toHaveLength(1);
    expect(transcript?.meta).toMatchObject({ title: SAMPLE.title, sessionId: SAMPLE.sessionId });
    expect(messages).toHaveLength(SAMPLE.messages);
    expect(transcript?.compactions).toHaveLength(SAMPLE.compactions);
    expect(sampleSession()).toBe(sampleSession());
  });

  it('is compacted once: the summary quotes one rule and drops the other', () => {
    const [compaction] = transcript?.compactions ?? [];
    const summary = compaction?.summaryIndex ?? -1;
    expect(transcript?.compactions).toHaveLength(1);
    expect(indexesOf(SAMPLE.quoted)).toEqual([0, summary]);
    expect(indexesOf(SAMPLE.forgotten)).toEqual([0]);
    // The forgotten rule is broken after the compaction, and what told of the port is read a second time.
    const [broken] = indexesOf(SAMPLE.violation);
    const reads = indexesOf(`"file_path":"/home/ada/hookrelay/${SAMPLE.readAgain}"`);
    expect(broken).toBeGreaterThan(summary);
    expect(reads).toHaveLength(2);
    expect(reads[0]).toBeLessThan(summary);
    expect(reads[1]).toBeGreaterThan(broken ?? Number.POSITIVE_INFINITY);
    const [rule] = indexesOf(SAMPLE.forgotten);
    const [complaint] = indexesOf('I told you at the very beginning');
    expect({ rule, summary, violation: broken, complaint, readAgain: reads[1] }).toEqual(SAMPLE.at);
  });

  it('answers each call, and records what every request used', () => {
    const parsed = messages.map(({ text }) => JSON.parse(text));
    const blocks = parsed.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
    expect(results).toEqual(calls);
    for (const { text, meta } of messages) {
      if (!text.includes('"role":"assistant"')) continue;
      expect(meta.usage?.input).toBeGreaterThan(0);
    }
  });

  it('is imported in one call, as often as somebody likes, and leaves the request in which the rule is gone', async () => {
    const { client } = testEngine();
    const ids = new Set<string>();
    for (let time = 0; time < 2; time++) {
      const { jobId } = await client.call('sample.import', {});
      const { outcomes } = await client.call('import.result', { jobId });
      for (const { id } of outcomes.flatMap((one) => one.transcripts)) ids.add(id);
    }
    const [id = ''] = ids;
    expect(ids.size).toBe(1);
    const { projectionId } = await client.call('projection.set', { id, spec: 'recorded_compaction', at: null });
    const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
    expect(text).toContain(SAMPLE.quoted);
    expect(text).not.toContain(SAMPLE.forgotten);
  });
});
