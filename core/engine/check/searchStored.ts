// What would make a rule pass: changes of the policy it failed under, each held against the rule as it is in a run.
import type { SessionFacts, Verdict } from '../../check/types.ts';
import { withScopes } from '../../projection/contextScopes.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { PassingChange, PassingChanges } from '../../protocol/checkTypes.ts';
import type { RequestProjector } from '../requests/projector.ts';
import { openStored } from '../requests/storedSession.ts';
import { candidatesFor, type Series } from './candidates.ts';
import { checkSession } from './checkSession.ts';
import { optionsOf, sessionOf } from './checkStored.ts';
import type { RunnableRules } from './rulesText.ts';
import type { CheckAsk, CheckWorkerData } from './types.ts';

/** A list that a person reads. */
const PASSING_MOST = 6;

/** How long is looked unless all is asked for: somebody waits. */
const LOOK_MS = 8_000;

/** Looks for changes of a policy under which a rule passes. */
export async function searchStored(
  projector: RequestProjector,
  rules: RunnableRules,
  { id, scopes, recorded, rule: at, spec, all }: Extract<CheckAsk, { readonly kind: 'search' }>,
  data: CheckWorkerData,
): Promise<PassingChanges> {
  const rule = rules.rules[at];
  const base = parseSpec(spec, STAGES);
  if (rule === undefined || !base.ok) return nothing('The policy does not run here: no change of it is tried.');
  const stored = openStored({ dir: data.dir, id }, data.plain);
  const names = rules.reported.map(({ name }) => name);
  const session = sessionOf(stored);
  const held = async (given: ProjectionSpec, see?: (facts: SessionFacts) => void): Promise<Verdict | null> => {
    const parsed = parseSpec(given, STAGES);
    if (!parsed.ok) return null;
    const groups = [{ parsed: withScopes(parsed.value, scopes, STAGES), members: [{ rule, at }] }];
    const question = { groups, names, baselines: recorded?.records ?? {} };
    const watcher = see === undefined ? {} : { see: (_: unknown, facts: SessionFacts) => see(facts) };
    const { outcomes } = await checkSession(projector, session, question, optionsOf(data), watcher);
    return outcomes[0]?.verdict ?? null;
  };
  try {
    let facts: SessionFacts | null = null;
    if ('findings' in rule)
      await held(base.value.spec, (seen) => {
        facts = seen;
      });
    const series = candidatesFor(rule, base.value.spec, facts);
    return typeof series === 'string' ? nothing(series) : await tryAll(series, held, all);
  } finally {
    stored.close();
  }
}

function nothing(none: string): PassingChanges {
  return { passing: [], tried: 0, of: 0, none };
}

async function tryAll(
  series: readonly Series[],
  held: (spec: ProjectionSpec) => Promise<Verdict | null>,
  all: boolean,
): Promise<PassingChanges> {
  const until = performance.now() + LOOK_MS;
  const passing: PassingChange[] = [];
  let tried = 0;
  for (const one of series) {
    const isEnough = passing.length >= PASSING_MOST || performance.now() > until;
    if (isEnough && !all) break;
    tried++;
    const found = await firstPassing(one, held);
    if (found !== null) passing.push(found);
  }
  return { passing, tried, of: series.length, none: null };
}

// The smallest change of a thing that does, and the one before it, which does not.
async function firstPassing(
  series: Series,
  held: (spec: ProjectionSpec) => Promise<Verdict | null>,
): Promise<PassingChange | null> {
  let missed: string | null = null;
  for (const { words, value, spec } of series) {
    if ((await held(spec)) === 'passed') {
      return { words: missed === null ? words : `${words} (${missed} does not do)`, spec };
    }
    missed = value;
  }
  return null;
}
