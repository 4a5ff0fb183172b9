// What is counted of a transcript, messages and what stands beside them, is what its request holds: written for the wire
// it was recorded on (else that nearest to it) and read again, it counts the same, wherever the system prompt stands there.
//
// Compared are tokens of the system prompt, of system messages and of the tools, each summed over all places. What
// conversion adds to a tool (`"type":"function"` and the like) is framing: so many tokens a tool. A system prompt that
// becomes one message with others is joined to them by an empty line.
import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { loadCounter, type TokenCounter } from '../../core/tokens/counters.ts';
import { countOverhead } from '../../core/tokens/overhead.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { sharedDir } from '../support/shared.ts';
import { corpusTranscripts, writeBody } from '../support/wireBodies.ts';

/** Formats of the corpus that record something beside the messages. */
const FORMATS = [
  'anthropic-messages',
  'atif',
  'claude-managed-agents',
  'codex',
  'copilot-cli',
  'gemini-contents',
  'inspect',
  'langfuse',
  'moatless',
  'openai-chat',
  'openai-responses',
  'opencode',
  'openhands',
  'otel',
  'tau2',
];
/** Tokens by which two texts may differ that are joined, and a tool in another form. */
const JOINT = 3;
const FRAME = 20;
/** Formats whose only files are large, and how many transcripts of each format are enough. */
const LARGE = ['moatless', 'tau2'];
const MOST = 12;

function nativeTarget(format: string): WireTarget {
  return WIRE_TARGETS.find((target) => TARGETS[target].formats.includes(format)) ?? 'openai';
}

/** Tokens of system messages, and how many there are. */
function systemMessages(source: TranscriptSource, counter: TokenCounter) {
  let tokens = 0;
  let messages = 0;
  for (let index = 0; index < source.length; index++) {
    const facts = source.facts(index);
    if (facts.role !== 'system' && facts.role !== 'developer') continue;
    messages++;
    const counts = partTokens(JSON.parse(source.text(index)), facts, counter).tokens;
    tokens += counts.reduce((sum, each) => sum + each, 0);
  }
  return { tokens, messages };
}

describe.skipIf(sharedDir() === null)('what is counted is what is written (skipped where there is no corpus)', () => {
  it.each(FORMATS)('%s', async (format) => {
    const counter = await loadCounter('o200k_base');
    let compared = 0;
    for (const one of corpusTranscripts(format, LARGE.includes(format), 4)) {
      const { meta } = one.transcript;
      if (meta.systemJson === undefined && meta.toolsJson === undefined) continue;
      const target = nativeTarget(format);
      const [written] = importText(Buffer.from(writeBody(one, target, false).text)).transcripts;
      const tools = (json: string | undefined): number => (json === undefined ? 0 : JSON.parse(json).length);
      if (written === undefined) throw new Error(`${one.name}: the request was not read again`);
      const own = systemMessages(MemoryTranscript.of(one.transcript), counter);
      const there = systemMessages(MemoryTranscript.of(written), counter);
      const beside = countOverhead(meta, counter);
      const again = countOverhead(written.meta, counter);
      const joints = JOINT * (own.messages + there.messages + 1);
      const off = Math.abs(beside.system + own.tokens - again.system - there.tokens);
      expect(off, `${one.name}: system prompt, to ${target}`).toBeLessThanOrEqual(joints);
      // Tools that the target's provider does not run are left out, and told: there is nothing to compare.
      const count = tools(meta.toolsJson);
      if (count === tools(written.meta.toolsJson)) {
        expect(Math.abs(beside.tools - again.tools), `${one.name}: tools, to ${target}`).toBeLessThanOrEqual(
          format === TARGETS[target].formats[0] ? 0 : FRAME * count,
        );
      }
      if (++compared === MOST) break;
    }
    expect(compared).toBeGreaterThan(0);
  });
});
