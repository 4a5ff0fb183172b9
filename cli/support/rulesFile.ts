import { basename, dirname, join } from 'node:path';
import { isScalar, LineCounter, parseDocument } from 'yaml';
import { type RuleFault, readRules } from '../../core/check/readRules.ts';
import type { ReportedRule } from '../../core/check/report.ts';
import { ruleName, ruleText } from '../../core/check/ruleText.ts';
import type { RuleFile } from '../../core/check/schema.ts';
import { usageFailure } from './failure.ts';
import { fileName } from './readError.ts';
import { readSmallText } from './smallFile.ts';

/** Rules as they were read, and where each is written. */
export interface ReadRules {
  readonly file: RuleFile;
  readonly reported: readonly ReportedRule[];
  /** Where its baseline is kept: beside it; null = the rules are not a file. */
  readonly baselinePath: string | null;
}

const FAULTS_SHOWN = 10;
/** A file of rules needs no aliases; a few hundred of them could say gigabytes. */
const ALIASES_MOST = 100;

/** Reads a file of rules, YAML or JSON. A fault ends the command, with its line. */
export function readRulesFile(path: string): ReadRules {
  // As a spec, rules may be given in place of a file of them.
  const isGiven = /^\s*\{/.test(path);
  const name = isGiven ? 'the rules' : path;
  const counter = new LineCounter();
  const document = parseDocument(isGiven ? path : readSmallText(path), { lineCounter: counter, prettyErrors: false });
  const lineAt = (offset: number | undefined) => (offset === undefined ? null : counter.linePos(offset).line);
  const lineOf = (at: readonly (string | number)[]): number | null => {
    // Of a member that is not there the line of what should hold it.
    for (let steps = at.length; steps >= 0; steps--) {
      const node = document.getIn(at.slice(0, steps), true);
      const range = isScalar(node) || (typeof node === 'object' && node !== null) ? (node as Ranged).range : undefined;
      if (range) return lineAt(range[0]);
    }
    return null;
  };
  const [broken] = document.errors;
  if (broken !== undefined) fail(name, [{ line: lineAt(broken.pos[0]), text: broken.message }]);
  const read = readRules(jsOf(name, document));
  if (!read.ok)
    fail(
      path,
      read.error.map((fault) => ({ line: lineOf(fault.path), text: faultText(fault) })),
    );
  else
    return {
      file: read.value,
      reported: reportedOf(read.value, lineOf),
      baselinePath: isGiven ? null : baselineOf(path),
    };
  throw new Error('a fault of the rules ended nothing');
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

function jsOf(path: string, document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MOST });
  } catch (error) {
    throw usageFailure(`${fileName(path)}: ${error instanceof Error ? error.message : String(error)}`, 'rules.invalid');
  }
}

function reportedOf({ rules }: RuleFile, lineOf: (at: readonly (string | number)[]) => number | null) {
  return rules.map((rule, at) => ({ name: ruleName(rule), text: ruleText(rule), line: lineOf(['rules', at]) }));
}

function faultText({ path, text }: RuleFault): string {
  return path.length === 0 ? text : `${path.join('.')}: ${text}`;
}

function fail(path: string, faults: readonly { readonly line: number | null; readonly text: string }[]): never {
  const lines = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ line, text }) => `${line === null ? '' : `line ${line}: `}${text}`);
  const more = faults.length > FAULTS_SHOWN ? `; and ${faults.length - FAULTS_SHOWN} more` : '';
  throw usageFailure(`${fileName(path)}: ${lines.join('; ')}${more}`, 'rules.invalid');
}

function baselineOf(path: string): string {
  return join(dirname(path), `${basename(path).replace(/\.(?:ya?ml|json)$/i, '')}.baseline.json`);
}
