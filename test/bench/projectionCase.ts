// One measurement of the group `projection`, in a process of its own: so that a peer that does not end can be ended, and
// no one runs on the other's heap. Arguments: contender, number of messages, budget in ms. Answers one line of JSON:
// milliseconds of each run by name.

import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageMemo } from '../../core/view/types.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { timeRuns } from './measure.ts';
import { pruneRuns, trimRuns } from './projectionPeers.ts';

export type Contender = 'parallax' | 'trimMessages' | 'trimMessages+js-tiktoken' | 'pruneMessages';
export type CaseTimes = Readonly<Record<string, readonly number[]>>;

/** A generated record as far as it matters here. */
export interface GeneratedMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly GeneratedBlock[];
}

export interface GeneratedBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string;
}

/** Each policy; those with a slider get another value at each turn. */
const POLICIES: Readonly<Record<string, (turn: number) => unknown>> = {
  raw: () => 'raw',
  clean_tool_repair: () => 'clean_tool_repair',
  squash_failed_calls: () => 'squash_failed_calls',
  reachability_gc: (turn) => ({ policy: 'reachability_gc', root_window: 12 + turn }),
  summary_prefix: (turn) => ({ policy: 'summary_prefix', keep_last: 12 + turn }),
};

const ROUNDS = 7;

function stagesOf(spec: unknown) {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error.map((problem) => problem.text).join('\n'));
  return parsed.value.stages;
}

/** The peers are given messages as objects; ours is given a transcript whose facts are read, as the library keeps them. */
async function ourRuns(texts: readonly string[], budget: number): Promise<CaseTimes> {
  const source: TranscriptSource = memorySource(texts);
  for (let index = 0; index < source.length; index++) source.facts(index);
  const times: Record<string, readonly number[]> = {};
  const share = budget / (2 * Object.keys(POLICIES).length);
  for (const [name, specAt] of Object.entries(POLICIES)) {
    let turn = 0;
    const run = (memo: StageMemo) =>
      project(source, stagesOf(specAt(turn++)), source.length, { memo, sha256: nodeSha256 });
    times[`${name}, cold`] = await timeRuns(ROUNDS, share, () => run(createMemo()));
    const memo = createMemo();
    run(memo);
    times[`${name}, warm`] = await timeRuns(ROUNDS, share, () => run(memo));
  }
  return times;
}

async function runsOf(contender: Contender, texts: readonly string[], budget: number): Promise<CaseTimes> {
  const messages = (): GeneratedMessage[] => texts.map((text) => JSON.parse(text));
  switch (contender) {
    case 'parallax': {
      const readFacts = await timeRuns(1, 0, () => {
        for (const text of texts) readMessage(JSON.parse(text));
      });
      return { ...(await ourRuns(texts, budget)), 'facts read from JSON': readFacts };
    }
    case 'trimMessages':
      return { [contender]: await trimRuns(messages(), 'length', ROUNDS, budget) };
    case 'trimMessages+js-tiktoken':
      return { [contender]: await trimRuns(messages(), 'js-tiktoken', ROUNDS, budget) };
    case 'pruneMessages':
      return { [contender]: await pruneRuns(messages(), ROUNDS, budget) };
  }
}

function messageText(line: string): string {
  const record: { readonly message: unknown } = JSON.parse(line);
  return JSON.stringify(record.message);
}

if (import.meta.main) {
  const [contender, messages, budget] = process.argv.slice(2);
  const texts = [...claudeCodeLines({ messages: Number(messages) })].map(messageText);
  // The only caller is projection.bench.ts.
  console.log(JSON.stringify(await runsOf(contender as Contender, texts, Number(budget))));
}
