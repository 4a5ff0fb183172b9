// A projection at a call point sees nothing beyond it, whatever was remembered from later ones.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const SPECS = [
  'clean_tool_repair',
  'squash_failed_calls',
  { policy: 'summary_prefix', keep_last: 4 },
  { policy: 'reachability_gc', root_window: 3, min_chars: 20 },
  { version: 1, stages: ['clean_tool_repair', { kind: 'reachability_gc', options: { root_window: 2, min_chars: 0 } }] },
];

// Every preset too: a new one is held to this without being named here.
const NAMED: readonly (readonly [string, unknown])[] = [
  ...SPECS.map((spec) => [JSON.stringify(spec), spec] as const),
  ...PRESETS.map(({ name, spec }) => [`preset ${name}`, spec] as const),
];

describe.each(NAMED)('%s', (name, spec) => {
  it('gives what it gives on the transcript cut off there', () => {
    const stages = stagesOf(spec);
    for (let seed = 11; seed <= 14; seed++) {
      const texts = randomTranscript({ seed, turns: 14, broken: true, files: 30 });
      const source = memorySource(texts);
      const memo = createMemo();
      const kept = new KeptPipeline();
      project(source, stages, source.length, { memo, kept });
      for (let at = source.length; at >= 0; at--) {
        const cut = memorySource(texts.slice(0, at));
        const expected = project(cut, stages, at);
        expect(project(source, stages, at, { memo, kept }), `replay: ${name}, seed ${seed}, at ${at}`).toEqual(
          expected,
        );
      }
    }
  });

  it('takes in what a transcript grew by, with the memory it had', () => {
    const stages = stagesOf(spec);
    for (let seed = 21; seed <= 23; seed++) {
      const texts = randomTranscript({ seed, turns: 12, broken: true, files: 30 });
      const growing: string[] = [];
      const source = growingSource(growing);
      const memo = createMemo();
      const kept = new KeptPipeline();
      for (const text of texts) {
        growing.push(text);
        const expected = project(memorySource(growing), stages, growing.length);
        const label = `replay: ${name}, seed ${seed}, ${growing.length} messages`;
        expect(project(source, stages, growing.length, { memo, kept }), label).toEqual(expected);
      }
    }
  });
});

/** A transcript that is as long as its list of texts is just now. */
function growingSource(texts: readonly string[]): TranscriptSource {
  const source = memorySource(texts);
  return {
    get length() {
      return texts.length;
    },
    summary: null,
    compactions: () => source.compactions(),
    summaries: () => source.summaries(),
    text: (index) => source.text(index),
    facts: (index) => source.facts(index),
  };
}
