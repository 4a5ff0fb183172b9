// Holds rules against the transcripts of a file: what `parallax check` does with each, in its own process or in a thread.
import type { Baselines } from '../../core/check/baseline.ts';
import { byPolicy } from '../../core/check/byPolicy.ts';
import type { CheckedTranscript } from '../../core/check/report.ts';
import type { RuleFile } from '../../core/check/schema.ts';
import type { BaselineRecord, RuleOutcome } from '../../core/check/types.ts';
import { checkSession, nameFrom } from '../../core/engine/check/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { PRICES } from '../../core/insight/prices.ts';
import { CliFailure, EXIT } from './failure.ts';
import { readTranscripts } from './input.ts';
import { requestedFrom } from './inputs.ts';
import type { Projector } from './projecting.ts';
import { parsedOrFail, specFor, specNamed } from './spec.ts';

/** Of a folder files with these are passed over; a damaged transcript is reported. */
const NO_TRANSCRIPT = ['import.not_recognised', 'import.not_transcript', 'import.unknown_format', 'import.binary_file'];

/** What is held against each file. */
export interface CheckSetup {
  readonly file: RuleFile;
  /** Names of the rules, by their position. */
  readonly names: readonly string[];
  /** The folder of the file of rules: baselines name transcripts from there. */
  readonly folder: string;
  readonly baselines: Baselines;
  readonly tokens: boolean;
  readonly mapping: string | null;
}

/** A transcript that was checked, and what a baseline would record of it, by rule. */
export interface CheckedWithRecords {
  readonly checked: CheckedTranscript;
  readonly key: string;
  readonly records: Readonly<Record<string, BaselineRecord>>;
}

/** A file to check. `isNamed` = by the person, not found in a folder. */
export interface FileToCheck {
  readonly path: string;
  readonly isNamed: boolean;
}

/** Fails where a rule's policy is not one: before anything is read. */
export function checkPolicies({ policy, rules }: RuleFile): void {
  for (const given of [policy, ...rules.map((rule) => rule.policy)]) if (given !== undefined) policyOf(given);
}

/** Checks all transcripts of a file; null = of a folder one that no format knows. */
export async function checkFile(
  projector: Projector,
  { path, isNamed }: FileToCheck,
  setup: CheckSetup,
): Promise<readonly CheckedWithRecords[] | null> {
  const { mapping } = setup;
  let transcripts: readonly ImportedTranscript[];
  try {
    ({ transcripts } = await readTranscripts(path, mapping === null ? {} : { mapping }));
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit !== EXIT.unreadable) throw error;
    // Of a folder what is not a transcript is passed over, as by every command.
    if (!isNamed && NO_TRANSCRIPT.includes(error.code)) return null;
    const words = error.message.startsWith(`${path}: `) ? error.message.slice(path.length + 2) : error.message;
    return [{ checked: { name: path, file: path, outcomes: [], error: words }, key: path, records: {} }];
  }
  const found: CheckedWithRecords[] = [];
  for (const transcript of transcripts) {
    const suffix = transcripts.length > 1 ? ` ${transcript.key}` : '';
    const key = `${nameFrom(setup.folder, path)}${suffix}`;
    found.push(await checkTranscript(projector, { transcript, path, key, name: `${path}${suffix}` }, setup));
  }
  return found;
}

interface Named {
  readonly transcript: ImportedTranscript;
  readonly path: string;
  readonly key: string;
  readonly name: string;
}

async function checkTranscript(
  projector: Projector,
  { transcript, path, key, name }: Named,
  { file, names, baselines, tokens }: CheckSetup,
): Promise<CheckedWithRecords> {
  const session = { ...requestedFrom(transcript), events: () => transcript.events };
  const groups = byPolicy(file).map(({ policy, members }) => {
    const parsed = policy === undefined ? specFor(parsedOrFail('raw'), {}, session.source) : policyOf(policy);
    return { parsed, members };
  });
  const question = { groups, names, baselines: baselines[key] ?? {} };
  const { outcomes, records } = await checkSession(projector, session, question, {
    ...{ tokens, cachePoints: 'auto', prices: PRICES },
  });
  const lines = outcomes.map((outcome) => ({ ...outcome, line: lineOf(transcript, outcome) }));
  return { checked: { name, file: path, outcomes: lines, error: null }, key, records };
}

function policyOf(given: unknown) {
  return typeof given === 'string' ? specNamed('policy', given) : parsedOrFail(given);
}

// Of a message that was joined of several records the first; of a request the message that answers it.
function lineOf({ messages }: ImportedTranscript, { index, at }: RuleOutcome): number | null {
  const wanted = index ?? at;
  if (wanted === null) return null;
  return messages[Math.min(wanted, messages.length - 1)]?.origins[0]?.line ?? null;
}
