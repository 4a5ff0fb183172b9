// The order of test files. Those that take longest begin first, so that none of them runs alone at the end; those that want
// a document come last and together, because a worker that goes from one environment to another is ended, and the next one
// loads everything again.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from '../longest.table.ts';

/** What a file asks for in its first line. */
const WANTS_DOCUMENT = /^\/\/ @vitest-environment /;

export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By time where the last run is known, else by size.
    const usual = await super.sort(files);
    const turn = new Map(usual.map((file) => [file, turnOf(file.project.config.root, file.moduleId)]));
    return usual.sort((a, b) => (turn.get(a) ?? 0) - (turn.get(b) ?? 0));
  }
}

/** When a file begins: those of a lower turn first. `root` = what the table's names are relative to. */
export function turnOf(root: string, path: string): number {
  const at = LONGEST.indexOf(relative(root, path).split(sep).join('/'));
  if (at >= 0) return at;
  return WANTS_DOCUMENT.test(readFileSync(path, 'utf8')) ? LONGEST.length + 1 : LONGEST.length;
}
