import type { Problem } from '../../core/model/problem.ts';

/** The value to give to spec.parse, or why the text is none. */
export type SpecText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** Reads pasted text: JSON, or the bare name of a policy. */
export function readSpecText(text: string): SpecText {
  const trimmed = text.trim();
  if (/^[A-Za-z_][\w-]*$/.test(trimmed)) return { ok: true, value: trimmed === 'null' ? null : trimmed };
  try {
    const value: unknown = JSON.parse(trimmed);
    return { ok: true, value };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const problem: Problem = {
      code: 'spec.syntax',
      severity: 'error',
      text: `This is not JSON: ${said}`,
      ...placeIn(trimmed, said),
    };
    return { ok: false, problem };
  }
}

// V8 gives the position within its message, in one of two ways.
function placeIn(text: string, said: string): Pick<Problem, 'where'> {
  const byLine = /line (\d+) column (\d+)/.exec(said);
  if (byLine) return { where: { line: Number(byLine[1]), column: Number(byLine[2]) } };
  const byPosition = /position (\d+)/.exec(said);
  if (!byPosition) return {};
  const before = text.slice(0, Number(byPosition[1])).split('\n');
  return { where: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
}
