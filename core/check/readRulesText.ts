// A file of rules as it is written, YAML or JSON: what is wrong is said with its line.
import { isScalar, LineCounter, parseDocument } from 'yaml';
import { err, ok, type Result } from '../util/result.ts';
import { type RuleFault, readRules } from './readRules.ts';
import type { ReportedRule } from './report.ts';
import { ruleName, ruleText } from './ruleText.ts';
import type { RuleFile } from './schema.ts';

/** Rules as they were read, and where each is written. */
export interface ReadRules {
  readonly file: RuleFile;
  readonly reported: readonly ReportedRule[];
  /** The 1-based last line of each rule, by position; null = not known. */
  readonly lastLines: readonly (number | null)[];
  /** The 1-based line of a member; of one that is not there that of what should hold it. Null = not known. */
  readonly lineOf: (path: readonly (string | number)[]) => number | null;
}

/** A fault and its 1-based line; null = of no line in particular. */
export interface PlacedFault {
  readonly line: number | null;
  readonly text: string;
}

/** A file of rules needs no aliases; a few hundred of them could say gigabytes. */
const ALIASES_MOST = 100;

/** Reads a file of rules; all faults at once. */
export function readRulesText(text: string): Result<ReadRules, readonly PlacedFault[]> {
  const counter = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const lineAt = (offset: number) => counter.linePos(offset).line;
  const lineOf = (path: readonly (string | number)[]): number | null => {
    for (let steps = path.length; steps >= 0; steps--) {
      const node = parsed.getIn(path.slice(0, steps), true);
      const range = isScalar(node) || (typeof node === 'object' && node !== null) ? (node as Ranged).range : undefined;
      if (range) return lineAt(range[0]);
    }
    return null;
  };
  const lastLineOf = (path: readonly (string | number)[]): number | null => {
    const node = parsed.getIn(path, true);
    const range = typeof node === 'object' && node !== null ? (node as Ranged).range : undefined;
    if (!range) return null;
    // A block ends behind its last line break.
    return lineAt(range[0] + text.slice(range[0], range[1]).trimEnd().length);
  };
  const [broken] = parsed.errors;
  if (broken !== undefined) return err([{ line: lineAt(broken.pos[0]), text: broken.message }]);
  const value = jsOf(parsed);
  if (!value.ok) return err([{ line: null, text: value.error }]);
  const read = readRules(value.value);
  if (!read.ok) return err(read.error.map((fault) => ({ line: lineOf(fault.path), text: faultText(fault, lineOf) })));
  const reported = read.value.rules.map((rule, at) => {
    return { name: ruleName(rule), text: ruleText(rule), line: lineOf(['rules', at]) };
  });
  const lastLines = read.value.rules.map((_, at) => lastLineOf(['rules', at]));
  return ok({ file: read.value, reported, lastLines, lineOf });
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

function jsOf(yaml: ReturnType<typeof parseDocument>): Result<unknown, string> {
  try {
    return ok(yaml.toJS({ maxAliasCount: ALIASES_MOST }));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function faultText({ path, text, other }: RuleFault, lineOf: ReadRules['lineOf']): string {
  const line = other === undefined ? null : lineOf(other);
  const said = line === null ? text : `${text} (the other is on line ${line})`;
  return path.length === 0 ? said : `${path.join('.')}: ${said}`;
}
