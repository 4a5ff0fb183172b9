// A hygiene profile as the last stage of every preset: its provider's lint finds nothing, whatever the stages before it
// have taken out. Sampled; PARALLAX_HYGIENE=full takes all files.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { unpackZlib } from '../../core/engine/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { callPoints } from '../../core/model/turns.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintView } from '../../core/wire/lint.ts';
import { FORMATS } from '../support/formats.ts';
import { sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles } from '../support/shared.ts';

const FULL = process.env.PARALLAX_HYGIENE === 'full';
const PROFILES = ['anthropic', 'google', 'openai', 'openai-responses', 'mistral'] as const;
const sha256 = (text: string): string => nodeSha256().update(text).hex();

describe.each(FORMATS)('presets with hygiene last, over %s', (format) => {
  const files = sampled(corpusFiles(format), FULL ? 1000 : 2);
  it.skipIf(files.length === 0)('leave nothing to object to', { timeout: FULL ? 3_600_000 : 60_000 }, () => {
    for (const path of files) {
      const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
      const held = transcripts.filter(({ messages }) => messages.length > 0);
      for (const transcript of FULL ? sampled(held, 20) : held.slice(0, 1)) {
        const source = MemoryTranscript.of(transcript);
        const memo = createMemo();
        for (const at of new Set([...sampled(callPoints(source), 3).slice(1), source.length])) {
          for (const { name, spec } of PRESETS) {
            for (const profile of PROFILES) {
              const stages = stagesOf({ ...spec, stages: [...spec.stages, { kind: 'hygiene', options: { profile } }] });
              const { view } = project(source, stages, at, { memo, sha256: nodeSha256 });
              const request = { view, source, memo, sha256, profile, provider: '', modelApi: '', modelId: '' };
              const left = lintView(request).findings.filter(({ code }) => code !== 'lint.image_too_large');
              const said = left.slice(0, 3).map(({ position, text }) => `#${position} ${text}`);
              expect(said, `${path} ${transcript.key} at ${at}, ${name} and ${profile}`).toEqual([]);
            }
          }
        }
      }
    }
  });
});
