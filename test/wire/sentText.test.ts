// What rows show as sent is the text of the request's body, in order: over a sample of each corpus, a few presets and all
// four wires; `npm run shown:table` takes all presets. And the law itself notices what it is there for.
import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { ViewItem } from '../../core/view/types.ts';
import { TARGETS, WIRE_TARGETS } from '../../core/wire/types.ts';
import { FORMATS } from '../support/formats.ts';
import { stagesOf } from '../support/projecting.ts';
import { sentTextFaults } from '../support/sentText.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { shownFaults } from '../support/shown.ts';
import { corpusTranscripts } from '../support/wireBodies.ts';

const NAMES = ['raw', 'clean_tool_repair', 'reducer_pipeline', 'anthropic_clear_tool_uses', 'all_steps'];
const CHOSEN = PRESETS.filter(({ name }) => NAMES.includes(name));

describe.skipIf(sharedDir() === null).each(FORMATS)('corpus: %s', (format) => {
  it.skipIf(corpusFiles(format).length === 0)('what is shown as sent is what is sent', () => {
    const faults: string[] = [];
    let seen = 0;
    for (const { name, transcript } of corpusTranscripts(format, false, 1)) {
      const source = MemoryTranscript.of(transcript);
      const memo = createMemo();
      for (const preset of CHOSEN) {
        for (const target of WIRE_TARGETS) {
          const last = { kind: 'hygiene', options: { profile: TARGETS[target].profile } };
          const stages = [...preset.spec.stages.filter(({ kind }) => kind !== 'hygiene'), last];
          const made = project(source, stagesOf({ version: 1, stages }), source.length, { memo, sha256: nodeSha256 });
          const own = [
            ...shownFaults(source, made, memo),
            ...sentTextFaults(source, made, memo, target, { meta: transcript.meta, strict: true }),
          ];
          for (const fault of own) faults.push(`${name}, ${preset.name}: ${fault}`);
          seen++;
        }
      }
    }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(0);
  });
});

describe('the law notices', () => {
  const texts = [
    '{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}',
    '{"role":"user","content":"three"}',
    '{"role":"assistant","content":"four"}',
  ];
  const source = memorySource(texts);
  const whole = project(source, stagesOf('raw'), 3);
  const from = (message: number, part: number) => [{ message, part }];
  const merged = (origins: readonly (readonly { message: number; part: number }[])[]): ViewItem => ({
    kind: 'source',
    index: 0,
    text: '{"role":"user","content":[{"type":"text","text":"two"},{"type":"text","text":"three"}]}',
    origins,
  });
  const faultsOf = (item: ViewItem) => {
    const said = { kindOf: (index: number) => (index === 1 ? ('merged' as const) : whole.said.kindOf(index)) };
    const view = { items: [item, { kind: 'source', index: 2 } as const] };
    return shownFaults(source, { at: whole.at, said, view }, createMemo());
  };

  it('nothing where each part is said to be what it is', () => {
    expect(faultsOf(merged([from(0, 1), from(1, 0)]))).toEqual([]);
  });

  it('a part that no row shows', () => {
    const item = { ...merged([from(0, 1)]) };
    expect(faultsOf(item)).not.toEqual([]);
  });

  it('a text of the body that no row shows, and one that rows show and the body has not', () => {
    const body = (view: readonly ViewItem[]) =>
      sentTextFaults(source, { ...whole, view: { items: view } }, createMemo(), 'anthropic', {
        meta: { format: 'pi' },
        strict: false,
      });
    expect(body([merged([from(0, 1), from(1, 0)]), { kind: 'source', index: 2 }])).toEqual([]);
    const hidden = merged([from(0, 1)]);
    expect(body([hidden, { kind: 'source', index: 2 }])[0]).toContain('the row shows "four", the body has "three"');
  });
});
