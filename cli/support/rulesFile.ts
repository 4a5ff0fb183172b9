import { basename, dirname, join } from 'node:path';
import { baselineName } from '../../core/check/baselineName.ts';
import { type PlacedFault, type ReadRules as RulesOfText, readRulesText } from '../../core/check/readRulesText.ts';
import { usageFailure } from './failure.ts';
import { fileName } from './readError.ts';
import { readSmallText } from './smallFile.ts';

/** Rules as they were read, and where each is written. */
export interface ReadRules extends Pick<RulesOfText, 'file' | 'reported'> {
  /** Where its baseline is kept: beside it; null = the rules are not a file. */
  readonly baselinePath: string | null;
}

const FAULTS_SHOWN = 10;

/** Reads a file of rules, YAML or JSON. A fault ends the command, with its line. */
export function readRulesFile(path: string): ReadRules {
  // As a spec, rules may be given in place of a file of them.
  const isGiven = /^\s*\{/.test(path);
  const read = readRulesText(isGiven ? path : readSmallText(path));
  if (!read.ok) return fail(isGiven ? 'the rules' : path, read.error);
  const { file, reported } = read.value;
  return { file, reported, baselinePath: isGiven ? null : baselineOf(path) };
}

function fail(path: string, faults: readonly PlacedFault[]): never {
  const lines = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ line, text }) => `${line === null ? '' : `line ${line}: `}${text}`);
  const more = faults.length > FAULTS_SHOWN ? `; and ${faults.length - FAULTS_SHOWN} more` : '';
  throw usageFailure(`${fileName(path)}: ${lines.join('; ')}${more}`, 'rules.invalid');
}

function baselineOf(path: string): string {
  return join(dirname(path), baselineName(basename(path)));
}
