// What a stage saved is one figure wherever it is said: on its card (the engine), in `project` as text and JSON, in the text
// for an issue. And no stage says a figure of its own beside it. The presets take turns over the formats: a unit run takes
// each with several, PARALLAX_CASES=full with all.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../cli/support/bundling.ts';
import { aboutOf } from '../../cli/support/inputs.ts';
import { type Projector, withProjector } from '../../cli/support/projecting.ts';
import { projectReport } from '../../cli/support/projectReport.ts';
import { projectRequest, resultValue } from '../../cli/support/result.ts';
import { parsedOrFail } from '../../cli/support/spec.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import { describeSaved } from '../../core/view/savedWords.ts';
import { testEngine } from '../engine/support.ts';
import { ALL_CASES } from '../support/cases.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { FORMATS } from '../support/formats.ts';
import { corpusFiles } from '../support/shared.ts';

const FIGURE = /[−+]\s?[\d,]+ tok\b/;
const OF_A_WINDOW = { budget: { window: 24_000, reserve_output: 1000 } };

/** The smallest file of each format whose transcripts a person would open, and one that records usage. */
function sessions(): readonly (readonly [string, string])[] {
  const files = FORMATS.flatMap((format) => {
    const sized = corpusFiles(format)
      .map((path) => ({ path, bytes: statSync(path).size }))
      .filter(({ path, bytes }) => bytes > 20_000 && bytes < 400_000 && /\.jsonl?$/.test(path))
      .sort((a, b) => a.bytes - b.bytes);
    return sized.slice(0, 1).map(({ path }) => [basename(path), readFileSync(path, 'utf8')] as const);
  });
  return [['compacted.jsonl', compactedSession(20).text] as const, ...files];
}

async function cardsOf(client: EngineClient, id: string, spec: unknown): Promise<ProjectionInfo> {
  for (;;) {
    const info = await client.call('projection.set', { id, spec, at: null });
    if (info.final) return info;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function fromCli(projector: Projector, transcript: ImportedTranscript, spec: unknown) {
  const source = MemoryTranscript.of(transcript);
  const parsed = parsedOrFail(spec);
  const at = source.length;
  const request = { source, parsed, at, about: aboutOf(transcript), tokens: true };
  const outcome = await projectRequest(projector, request);
  const value = resultValue(request, outcome);
  const named = { format: 'x', title: null, messages: at };
  const { input } = await makeBundle(
    projector,
    { file: 'x.json', format: 'x', transcript, source, parsed, at },
    { unscrubbed: true },
  );
  const issue = bundleMarkdown(input, bundleSums(input), 'x.json');
  return { outcome, value, text: projectReport(named, request, outcome), issue };
}

/** Of a compacted session all, of the others every fourth, each beginning one further. */
function presetsOf(session: number, hasCompactions: boolean) {
  const presets = presetsFor(PRESETS, hasCompactions, hasCompactions);
  return presets.filter((_, at) => ALL_CASES || session === 0 || (at + session) % 4 === 0);
}

describe.each(sessions().map((session, at) => [...session, at] as const))('%s', (name, text, session) => {
  const transcript = importText(text).transcripts[0];
  test.runIf(transcript !== undefined)(
    'one figure a stage under each preset, and the sum is the difference',
    async () => {
      if (transcript === undefined) return;
      const { client, add } = testEngine();
      const id = await add(name, text);
      await client.call('transcript.open', { id });
      const hasCompactions = transcript.compactions.length > 0;
      await withProjector(async (projector) => {
        for (const preset of presetsOf(session, hasCompactions)) {
          const spec = { ...preset.spec, budget: { ...OF_A_WINDOW.budget, ...preset.spec.budget } };
          const info = await cardsOf(client, id, spec);
          const { outcome, value, text: report, issue } = await fromCli(projector, transcript, spec);
          const saved = info.savedTokens;
          expect(value.saved_tokens, preset.name).toEqual(saved);
          for (const { summary, title, stage } of [...info.reports, ...outcome.projection.reports]) {
            expect(summary, `${preset.name}: ${title}`).not.toMatch(FIGURE);
            if (stage >= saved.length) continue;
            const figure = describeSaved(saved[stage]);
            const row = new RegExp(`^\\| ${stage + 1} \\|.*\\|$`, 'm').exec(issue)?.[0] ?? '';
            const line =
              new RegExp(`^ *${stage + 1} +\\S.*$`, 'm').exec(report.slice(report.indexOf('\nStages\n')))?.[0] ?? '';
            for (const said of [row, line])
              expect(FIGURE.exec(said)?.[0] ?? null, `${preset.name}: ${said}`).toBe(figure);
          }
          const sum = saved.reduce<number>((all, each) => all + (each ?? 0), 0);
          const { raw, projected, beside } = info;
          // Tools that messages load are counted beside them.
          if (beside.loaded === undefined) expect(raw.total - sum, preset.name).toBe(projected.total);
        }
      });
    },
    240_000,
  );
});
