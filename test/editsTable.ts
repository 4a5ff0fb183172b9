// npm run edits:table [-- FILE…]   Answers that tell which context edits the provider applied (Anthropic's applied_edits):
// what they tell, what the stages of those edits do to the recorded history as the request asks for them, and whether the
// two agree. Without files the visible corpus. Exit code 1 if an answer disagrees.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { aboutOf } from '../cli/support/inputs.ts';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../core/engine/nodeHash.ts';
import { stageInputs } from '../core/engine/requests/index.ts';
import { formats } from '../core/importers/formats/index.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../core/importers/memory.ts';
import { type EditAgreement, editAgreements, editStages } from '../core/insight/appliedEdits.ts';
import { parseSpec } from '../core/projection/parseSpec.ts';
import { project } from '../core/projection/project.ts';
import { STAGES } from '../core/projection/stages.ts';
import { createMemo } from '../core/view/memo.ts';
import { corpusFiles, sharedDir } from './support/shared.ts';

interface Row {
  readonly asked: string;
  readonly answers: number;
  readonly recorded: number;
  readonly computed: number;
  readonly differ: number;
}

type Compared = Omit<EditAgreement, 'kind'> & { readonly kind: string };

/** One row for each edit that the request asks for; null if no answer tells what was applied. */
async function rowsOf(transcript: ImportedTranscript): Promise<readonly Row[]> {
  const answers = transcript.messages.flatMap(({ meta }, at) => (meta.appliedEdits === undefined ? [] : [at]));
  if (answers.length === 0) return [];
  const source = MemoryTranscript.of(transcript);
  const recorded = { kind: 'recorded_compaction', options: {} };
  const spec = { version: 1, stages: [recorded, ...editStages(transcript.meta.settingsJson)] };
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error.map(({ text }) => text).join(' '));
  const inputs = await stageInputs(source, parsed.value, aboutOf(transcript), true);
  const memo = createMemo();
  const found = answers.flatMap((at): readonly Compared[] => {
    const { reports } = project(source, parsed.value.stages, at, { ...inputs, memo, sha256: nodeSha256 });
    const agreements = editAgreements(transcript.messages[at]?.meta ?? {}, reports);
    return agreements.length > 0 ? agreements : [{ kind: 'nothing', recorded: 0, computed: 0 }];
  });
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([asked, own]) => ({
    asked,
    answers: own.length,
    recorded: own.reduce((sum, each) => sum + each.recorded, 0),
    computed: own.reduce((sum, each) => sum + each.computed, 0),
    differ: own.filter((each) => each.recorded !== each.computed).length,
  }));
}

async function main(given: readonly string[]): Promise<number> {
  const files =
    given.length > 0 ? given.map((file) => resolve(file)) : formats.all.flatMap(({ id }) => corpusFiles(id));
  let [answers, differ] = [0, 0];
  console.log('| transcript | the request asks for | answers | recorded | computed | differ |');
  console.log('|---|---|--:|--:|--:|--:|');
  for (const file of files) {
    const bytes = readFileSync(file);
    if (!bytes.includes('applied_edits')) continue;
    for (const transcript of importText(bytes, { unpack: unpackZlib }).transcripts) {
      for (const row of await rowsOf(transcript)) {
        const name = `${relative(sharedDir() ?? '', file)} ${transcript.key}`;
        console.log(`| ${[name, row.asked, row.answers, row.recorded, row.computed, row.differ].join(' | ')} |`);
        answers += row.answers;
        differ += row.differ;
      }
    }
  }
  console.log(`\n${answers} answers tell what was applied; ${differ} disagree.`);
  return differ > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
