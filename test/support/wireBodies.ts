// Request bodies of the corpus: every transcript, written for every target, raw or as the target's hygiene leaves it.
import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { project } from '../../core/projection/project.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintBody } from '../../core/wire/lintBody.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { TARGETS, type WireBody, type WireTarget } from '../../core/wire/types.ts';
import { stagesOf } from './projecting.ts';
import { corpusFiles, sharedDir } from './shared.ts';

/** A transcript of the corpus. */
export interface CorpusTranscript {
  readonly format: string;
  /** Path below the corpus, and the transcript's key where a file holds several. */
  readonly name: string;
  readonly transcript: ImportedTranscript;
}

/** Bytes above which a file is left out unless all are wanted. */
const LARGE = 1_200_000;

/**
 * The transcripts of a format: of each file the first few, of large files none, unless `all`. Where all are large, those of
 * the smallest: a format of the corpus is never passed over.
 */
export function* corpusTranscripts(format: string, all: boolean, most = 3): Generator<CorpusTranscript> {
  const shared = sharedDir() ?? '';
  for (const path of all ? corpusFiles(format) : smallFiles(corpusFiles(format))) {
    const bytes = readFileSync(path);
    const whole = importText(bytes, { unpack: unpackZlib }).transcripts.filter(({ messages }) => messages.length > 0);
    for (const transcript of all ? whole : whole.slice(0, most)) {
      const name = `${relative(shared, path).replace('corpus/', '')} ${transcript.key}`;
      yield { format, name, transcript };
    }
  }
}

function smallFiles(paths: readonly string[]): readonly string[] {
  const sized = paths.map((path) => ({ path, size: statSync(path).size })).sort((a, b) => a.size - b.size);
  const smallest = sized.slice(0, 1).map(({ path }) => path);
  const small = new Set(sized.filter(({ size }) => size <= LARGE).map(({ path }) => path));
  return small.size === 0 ? smallest : paths.filter((path) => small.has(path));
}

/** A body with what is known of it. */
export interface WrittenBody {
  readonly body: WireBody;
  readonly text: string;
  /** What the lint objects to in the body, errors only. */
  readonly findings: readonly string[];
}

/** Writes a transcript for a target: as it is, or (`strict`) after stages, as its types ask for it. */
export function writeBody(
  { transcript }: CorpusTranscript,
  target: WireTarget,
  strict: boolean,
  stages: readonly StageSpec[] = [],
): WrittenBody {
  const source = MemoryTranscript.of(transcript);
  const memo = createMemo();
  const { view } = project(source, stagesOf({ version: 1, stages }), source.length, { memo, sha256: nodeSha256 });
  const body = toWire(view, source, memo, target, { meta: transcript.meta, strict });
  const found = lintBody(body, (text) => nodeSha256().update(text).hex(), source);
  const errors = found.filter(({ severity }) => severity === 'error');
  return { body, text: bodyText(body), findings: errors.map(({ code, text }) => `${code} ${text}`) };
}

/** Writes a transcript for a target as its hygiene leaves it after other stages. */
export function writeRepaired(
  transcript: CorpusTranscript,
  target: WireTarget,
  stages: readonly StageSpec[] = [],
): WrittenBody {
  const before = stages.filter(({ kind }) => kind !== 'hygiene');
  const hygiene = { kind: 'hygiene', options: { profile: TARGETS[target].profile } };
  return writeBody(transcript, target, true, [...before, hygiene]);
}
