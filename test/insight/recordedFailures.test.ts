// A call that failed has failed for every analysis, however it is recorded: by the result's own flag, or by a record beside
// its message. The same session is read in both forms; all that is said of it has to be the same.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../core/filter/match.ts';
import { parseFilter } from '../../core/filter/parseFilter.ts';
import { TranscriptRow } from '../../core/filter/rows.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { itemsOf } from '../../core/insight/autopsy/items.ts';
import { findingsOf } from '../../core/insight/findings/index.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { surveyFigures } from '../../core/insight/survey/figures.ts';
import { usesOf } from '../../core/insight/uses/index.ts';
import { hasFailed, hasFailedIn } from '../../core/model/failure.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { isErrorText } from '../../core/model/readResult.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import { EmptiedMessages, emptiedMeta, slicedSource } from '../../core/report/slice/slicedSource.ts';
import { FORMATS } from '../support/formats.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { noHost } from '../support/textTrace.ts';

interface Recorded {
  readonly source: TranscriptSource;
  readonly metaAt: (index: number) => MessageMeta;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Takes the flag out of each result that its own text does not call an error, and says so beside the message.
function beside(texts: readonly string[]): Recorded {
  const metas: MessageMeta[] = [];
  const moved = texts.map((text) => {
    const message: unknown = JSON.parse(text);
    const ids: string[] = [];
    const take = (node: unknown): void => {
      if (!isFields(node) || node.is_error !== true) return;
      const id = node.tool_call_id ?? node.tool_use_id;
      const content = typeof node.content === 'string' ? node.content : JSON.stringify(node.content);
      if (typeof id !== 'string' || isErrorText(content)) return;
      delete node.is_error;
      ids.push(id);
    };
    take(message);
    if (isFields(message) && Array.isArray(message.content)) for (const block of message.content) take(block);
    metas.push(ids.length === 0 ? {} : { failedCallIds: ids });
    return ids.length === 0 ? text : JSON.stringify(message);
  });
  return { source: rawSlice(moved, null, [], [], metas), metaAt: (index) => metas[index] ?? {} };
}

const flagged = (texts: readonly string[]): Recorded => ({ source: rawSlice(texts, null), metaAt: () => ({}) });

/** Indices of the rows for which a filter holds, as `message part`. */
function rowsThat(filter: string, { source, metaAt }: Recorded): readonly string[] {
  const parsed = parseFilter(filter, { time: 0, zoneMinutes: 0 });
  const holds = compileFilter(parsed.expr);
  const row = new TranscriptRow({
    ...{ source, meta: metaAt, turnStarts: turnStarts(source), model: null, tokens: () => 1, stages: [], uses: null },
    standing: () => ({ fate: 'kept', where: 'own', stage: null, rule: null }),
  });
  return Array.from({ length: source.length }, (_, index) => index).flatMap((index) =>
    source.facts(index).parts.flatMap((_, part) => (holds(row.at(index, part)) ? [`${index} ${part}`] : [])),
  );
}

function analysed(recorded: Recorded, spec: unknown) {
  const { source, metaAt } = recorded;
  const { uses } = usesOf({ source, stages: stagesOf(spec) }, noHost);
  const covered = Array.from({ length: source.length }, (_, index) => index);
  const common = { source, misses: [], refused: [], callPoints: callPoints(source), pricing: Pricing.one() };
  return {
    uses: uses.map(({ evidenceId: _, ...use }: (typeof uses)[number] & { evidenceId?: number }) => use),
    items: itemsOf({ source, metaAt, covered }),
    findings: findingsOf({ ...common, uses, usageAt: () => null, tokens: () => 10 }),
    figures: surveyFigures({ source, meta: metaAt, pricing: Pricing.one(), tokens: () => 10 }),
    errors: rowsThat('is:error', recorded),
  };
}

const user = (content: string) => ({ role: 'user', content });
const call = (id: string, name: string, args: object) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string, failed = false) => ({
  ...{ role: 'tool', tool_call_id: id, content },
  ...(failed && { is_error: true }),
});
const OUTPUT = 'collected 41 items\n40 passed\n1 left over in the harbour of the registry\n';
const SESSION = [
  user('Run the tests of the harbour.'),
  call('a', 'Task', { prompt: 'Find the crane that is at slot nine.' }),
  result('a', 'The run was left by the one who was asked.', true),
  call('b', 'bash', { command: 'pytest harbour' }),
  result('b', OUTPUT, true),
  user('Go on.'),
  call('c', 'bash', { command: 'pytest harbour' }),
  result('c', `${OUTPUT}and again\n`, true),
  call('d', 'Task', { prompt: 'Find the crane that is at slot nine.' }),
  result('d', 'It is at slot nine.'),
  { role: 'assistant', content: 'Done.' },
].map((message) => JSON.stringify(message));
const LAST_TURN = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };

describe('a failure recorded beside a result', () => {
  it('is one for uses, findings, what a compaction covered, figures and filters', () => {
    const said = analysed(beside(SESSION), LAST_TURN);
    expect(said.uses.map(({ kind, at, outcome }) => [kind, at, outcome])).toContainEqual([
      'repeated_failure',
      6,
      'gone',
    ]);
    expect(said.findings.map(({ kind }) => kind)).toEqual(['forgotten']);
    expect(said.items.filter((item) => item.class === 'errors')).toHaveLength(2);
    expect(said.figures.tools.map(({ name, errors }) => [name, errors])).toEqual([
      ['Task', 1],
      ['bash', 2],
    ]);
    expect(said.errors).toEqual(['2 0', '4 0', '7 0']);
    expect(said).toEqual(analysed(flagged(SESSION), LAST_TURN));
  });

  it('is one in a bundle that holds some messages without their words', () => {
    const { source, metaAt } = beside(SESSION);
    const emptied = new Set([2, 7]);
    const sliced = slicedSource(source, source.length, emptied, new EmptiedMessages(source, metaAt));
    const indices = Array.from({ length: sliced.length }, (_, index) => index);
    const metas = indices.map((index) => (emptied.has(index) ? emptiedMeta(metaAt(index)) : metaAt(index)));
    const written = rawSlice(
      indices.map((index) => sliced.text(index)),
      null,
      [],
      [],
      metas,
    );
    for (const of of [sliced, written]) {
      expect([2, 4, 7, 9].map((index) => hasFailedIn(of, index, of.facts(index).parts[0]!))).toEqual([
        true,
        true,
        true,
        false,
      ]);
    }
  });
});

describe.skipIf(!sharedDir())('what formats record as failed', () => {
  it('has failed wherever the messages are read, and counts in the figures', () => {
    const besides = new Set<string>();
    for (const format of FORMATS) {
      for (const path of corpusFiles(format)) {
        const bytes = readFileSync(path);
        if (bytes.length > 1_500_000) continue;
        for (const transcript of importText(bytes).transcripts) {
          const source = MemoryTranscript.of(transcript);
          const metaAt = (index: number) => transcript.messages[index]?.meta ?? {};
          let failed = 0;
          for (const [index, { value, meta }] of transcript.messages.entries()) {
            for (const part of readMessage(value).parts) {
              const [expected, own] = [hasFailed(part, meta), part.isError === true];
              expect([path, index, hasFailedIn(source, index, part)]).toEqual([path, index, expected]);
              if (expected && !own) besides.add(format);
              if (expected) failed++;
            }
          }
          expect([path, rowsThat('is:error', { source, metaAt }).length]).toEqual([path, failed]);
          const { tools } = surveyFigures({ source, meta: metaAt, pricing: Pricing.one(), tokens: () => 0 });
          expect(tools.reduce((sum, { errors }) => sum + errors, 0)).toBeLessThanOrEqual(failed);
        }
      }
    }
    expect([...besides].sort()).toEqual(['codex', 'copilot-cli', 'mini-swe-agent', 'openai-responses']);
  });

  it('is the same for every analysis as if the results were flagged', () => {
    for (const path of corpusFiles('claude-code')) {
      const bytes = readFileSync(path);
      if (bytes.length > 400_000) continue;
      for (const { messages } of importText(bytes).transcripts) {
        const texts = messages.map(({ text }) => text);
        expect([path, analysed(beside(texts), LAST_TURN)]).toEqual([path, analysed(flagged(texts), LAST_TURN)]);
      }
    }
  });
});
