// Runs the cases of a providers vector file. Each case names a `check`; a table leads from it to what runs it.
import { isRecord, ownAt, stringAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import { runBreakpoints } from './breakpoints.ts';
import { runCount } from './count.ts';
import { runDiagnostics } from './diagnostics.ts';
import { runForeign } from './foreign.ts';
import { runLint } from './lint.ts';
import { expanded } from './macros.ts';
import { runPrefix } from './prefix.ts';
import { runRoundtrip } from './roundtrip.ts';
import { runOracle, runStage } from './stage.ts';
import { runUsage } from './usage.ts';
import { runVisible } from './visible.ts';

/** A case as it was parsed. */
export type ProviderVector = Readonly<Record<string, unknown>>;

/** Runs one case of one check. `json` is its exact text, for what compares bytes. */
export type ProviderCheck = (vector: ProviderVector, json: string) => VectorOutcome | Promise<VectorOutcome>;

const CHECKS: Readonly<Record<string, ProviderCheck>> = {
  breakpoints: runBreakpoints,
  count: runCount,
  diagnostics: runDiagnostics,
  lint: runLint,
  foreign: runForeign,
  prefix: runPrefix,
  roundtrip: runRoundtrip,
  stage: runStage,
  oracle: runOracle,
  usage: runUsage,
  visible: runVisible,
};

/** Whether a vector is one of providers. */
export function isProviderVector(vector: ProviderVector): boolean {
  return stringAt(vector, 'check') !== undefined && Array.isArray(ownAt(vector, 'accept'));
}

/** Runs one case. */
export async function runProviderVector(json: string): Promise<VectorOutcome> {
  const given: unknown = JSON.parse(json);
  const vector = expanded(given);
  if (!isRecord(vector)) return { id: '?', passed: false, report: ['the case is not an object'] };
  const check = stringAt(vector, 'check') ?? '';
  const run = Object.hasOwn(CHECKS, check) ? CHECKS[check] : undefined;
  const id = String(ownAt(vector, 'id'));
  const text = JSON.stringify(vector) === JSON.stringify(given) ? json : JSON.stringify(vector);
  return run ? run(vector, text) : { id, passed: false, report: [`no check "${check}" yet`] };
}
