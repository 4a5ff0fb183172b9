// A bundle goes round: read as a transcript, and projected by its own spec at its own call point, it is what it was; and
// exported again it is the same file. Over all formats × presets × call points, sampled.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aboutOf } from '../../cli/support/inputs.ts';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { countingOf, stageInputs } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { type ParsedSpec, parseSpec } from '../../core/projection/parseSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { type BundleInput, bundleChunks } from '../../core/report/bundle.ts';
import { bundleInputs } from '../../core/report/inputs.ts';
import { readBundle } from '../../core/report/readBundle.ts';
import { verifyBundle } from '../../core/report/verify.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { FORMATS } from '../support/formats.ts';
import { sampled } from '../support/lawful.ts';
import { corpusFiles } from '../support/shared.ts';

function specOf(given: unknown): ParsedSpec {
  const parsed = parseSpec(given, STAGES);
  if (!parsed.ok) throw new Error(parsed.error.map(({ text }) => text).join('\n'));
  return parsed.value;
}

async function bundleOf(
  imported: ImportedTranscript,
  parsed: ParsedSpec,
  at: number,
  transcript: BundleInput['transcript'],
): Promise<{ readonly text: string; readonly source: MemoryTranscript }> {
  const source = MemoryTranscript.of(imported);
  const given = await stageInputs(source, parsed, aboutOf(imported));
  const projection = project(source, parsed.stages, at, given);
  const input: BundleInput = {
    engineVersion: '0.1.0',
    transcript,
    recorded: { ...imported.meta, meta: (index) => imported.messages[index]?.meta ?? {} },
    source,
    spec: parsed.spec,
    projection,
    tokens: null,
    ...(given.bundle !== undefined && { inputs: given.bundle }),
    sha256: nodeSha256,
  };
  return { text: [...bundleChunks(input)].join(''), source };
}

function imported(text: string | Uint8Array): ImportedTranscript {
  const { transcripts, problems } = importText(text, { unpack: unpackZlib });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [first] = transcripts;
  if (first === undefined) throw new Error('no transcript');
  return first;
}

function differsFrom(a: string, b: string): string {
  if (a === b) return '';
  let i = 0;
  while (a[i] === b[i]) i++;
  return `${b.slice(Math.max(0, i - 80), i + 80)} … became … ${a.slice(i, i + 80)}`;
}

async function isVerified(text: string): Promise<boolean> {
  const bundle = readBundle(text);
  if (!bundle.ok) throw new Error(bundle.error.text);
  const { source, head } = bundle.value;
  const given = await bundleInputs(bundle.value, loadCounter);
  const projection = project(source, specOf(head.spec).stages, head.at, given);
  return verifyBundle(bundle.value, projection, '0.1.0', nodeSha256).same;
}

async function goRound(first: ImportedTranscript, preset: (typeof PRESETS)[number], at: number): Promise<void> {
  const model = aboutOf(first).model;
  const { calibration } = await countingOf(MemoryTranscript.of(first), specOf(preset.spec).spec, aboutOf(first));
  const named = {
    id: 't1',
    format: first.meta.format,
    title: 'A title',
    ...(model !== undefined && { model }),
    ...(first.meta.contextWindow !== undefined && { contextWindow: first.meta.contextWindow }),
    calibration,
  };
  const made = await bundleOf(first, specOf(preset.spec), at, named);
  const opened = imported(made.text);
  const { bundle } = opened.meta;
  if (bundle === undefined) throw new Error('opened as something else');
  expect(bundle.at).toBe(at);
  expect(opened.messages.map(({ text }) => text)).toEqual(Array.from({ length: at }, (_, i) => made.source.text(i)));
  expect(opened.messages.map(({ meta }) => meta)).toEqual(first.messages.slice(0, at).map(({ meta }) => meta));
  const again = await bundleOf(opened, specOf(bundle.spec), bundle.at, bundle.transcript);
  expect(differsFrom(again.text, made.text)).toBe('');
  expect(await isVerified(again.text)).toBe(true);
  // What would be sent is the same too, over every wire; of a cut transcript the models recorded later are not known.
  if (at < first.messages.length) return;
  const parsed = specOf(preset.spec);
  for (const target of WIRE_TARGETS) {
    expect(await requestOf(opened, parsed, at, target), target).toBe(await requestOf(first, parsed, at, target));
  }
}

async function requestOf(imported: ImportedTranscript, parsed: ParsedSpec, at: number, target: WireTarget) {
  const source = MemoryTranscript.of(imported);
  const memo = createMemo();
  const given = await stageInputs(source, parsed, aboutOf(imported));
  const { view } = project(source, parsed.stages, at, { ...given, memo });
  return bodyText(toWire(view, source, memo, target, { meta: imported.meta, strict: false }));
}

describe.each(FORMATS)('%s', (format) => {
  const files = sampled(corpusFiles(format), 2);
  if (files.length === 0) {
    it.skip('no corpus here', () => {});
    return;
  }
  it.each(files.map((path) => [basename(path), path] as const))('%s goes round', async (name, path) => {
    const [first] = importText(readFileSync(path), { unpack: unpackZlib }).transcripts;
    if (first === undefined) return;
    const rng = seededRng(name.length);
    const presets = PRESETS.filter(({ spec }) => spec.stages.every(({ kind }) => kind !== 'custom'));
    for (let i = 0; i < 3; i++) {
      const preset = presets[rng.below(presets.length)];
      const at = i === 0 ? first.messages.length : rng.below(Math.min(first.messages.length, 400) + 1);
      if (preset !== undefined) await goRound(first, preset, at);
    }
  });
});
