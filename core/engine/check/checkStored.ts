// Rules held against a transcript of the library: the walk is that of the command.
import { evidenceOf } from '../../check/evidence.ts';
import type { Rule } from '../../check/schema.ts';
import type { RuleOutcome } from '../../check/types.ts';
import { callPoints } from '../../model/turns.ts';
import { withScopes } from '../../projection/contextScopes.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { defaultSpec, presetNamed } from '../../projection/presets.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { CheckedEvidence, CheckedInfo, CheckedPolicy, TriedPolicy } from '../../protocol/checkTypes.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import type { RequestProjector } from '../requests/projector.ts';
import { openStored, type StoredSession } from '../requests/storedSession.ts';
import type { SessionToCheck } from './checkedSession.ts';
import { checkSession, type RuleGroup } from './checkSession.ts';
import type { RunnableRules } from './rulesText.ts';
import type { CheckAsk, CheckWorkerData, RecordedBefore } from './types.ts';

const EVENTS_PAGE = 500;

/** Holds all rules against a transcript. What cannot be read is said, not thrown. */
export async function checkStored(
  projector: RequestProjector,
  rules: RunnableRules,
  { id, scopes, recorded }: Extract<CheckAsk, { readonly kind: 'check' }>,
  data: CheckWorkerData,
  report: (done: number, total: number) => void = () => {},
): Promise<CheckedInfo> {
  const opened = tryOpen(data, id);
  if ('error' in opened) return unread(id, opened.error);
  const { stored } = opened;
  try {
    const groups: RuleGroup[] = [];
    for (const { parsed, members } of rules.groups) {
      const own = parsed ?? ownPolicy(stored);
      if (typeof own === 'string') return unread(id, own);
      groups.push({ parsed: withScopes(own, scopes, STAGES), members });
    }
    return await checkGroups(projector, { id, stored, groups, rules, recorded, report }, data);
  } catch (error) {
    if (!(error instanceof TranscriptChangedError)) throw error;
    return unread(id, 'it changed while it was checked: run again');
  } finally {
    stored.close();
  }
}

function unread(id: string, error: string): CheckedInfo {
  return { id, error, outcomes: [], policies: [], calls: 0, baseline: null };
}

/** Holds one rule against a transcript under other policies. */
export async function tryStored(
  projector: RequestProjector,
  rules: RunnableRules,
  { id, scopes, recorded, rule: at, specs }: Extract<CheckAsk, { readonly kind: 'try' }>,
  data: CheckWorkerData,
): Promise<readonly TriedPolicy[]> {
  const rule = rules.rules[at];
  const stored = openStored({ dir: data.dir, id }, data.plain);
  try {
    const tried: TriedPolicy[] = [];
    for (const spec of specs) {
      const parsed = parseSpec(spec, STAGES);
      if (!parsed.ok || rule === undefined) {
        tried.push({ verdict: 'unchecked', found: 'the policy does not run here' });
        continue;
      }
      const group = { parsed: withScopes(parsed.value, scopes, STAGES), members: [{ rule, at }] };
      const names = rules.reported.map(({ name }) => name);
      const question = { groups: [group], names, baselines: recorded?.records ?? {} };
      const { outcomes } = await checkSession(projector, sessionOf(stored), question, optionsOf(data));
      const [outcome] = outcomes;
      if (outcome !== undefined) tried.push({ verdict: outcome.verdict, found: outcome.found });
    }
    return tried;
  } finally {
    stored.close();
  }
}

interface Checking {
  readonly id: string;
  readonly stored: StoredSession;
  readonly groups: readonly RuleGroup[];
  readonly rules: RunnableRules;
  readonly recorded: RecordedBefore | null;
  readonly report: (done: number, total: number) => void;
}

async function checkGroups(
  projector: RequestProjector,
  { id, stored, groups, rules, recorded, report }: Checking,
  data: CheckWorkerData,
): Promise<CheckedInfo> {
  const names = rules.reported.map(({ name }) => name);
  const evidence = new Map<number, CheckedEvidence>();
  let calls = 0;
  let reached = 0;
  const total = callPoints(stored.requested.source).length * groups.length;
  const before = recorded?.records ?? {};
  const { outcomes, records } = await checkSession(
    projector,
    sessionOf(stored),
    { groups, names, baselines: before },
    optionsOf(data),
    {
      see({ rule, at }, facts) {
        calls = facts.requests.length;
        if (!data.evidence) return;
        const { places, ...rest } = evidenceOf(rule, facts, before[names[at] ?? ''] ?? null);
        evidence.set(at, { ...rest, places: places.map((place) => ({ ...place, line: lineOf(stored, place) })) });
      },
      reach: () => report(++reached, total),
    },
  );
  const policyOf = new Map(groups.flatMap(({ members }, policy) => members.map(({ at }) => [at, policy] as const)));
  return {
    ...{ id, error: null, calls, policies: groups.map(({ parsed }) => policyInfo(parsed.spec)) },
    baseline: recorded && {
      ...{ key: recorded.key, alike: recorded.alike, records },
      isRecorded: Object.keys(before).length > 0,
    },
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      ...whichOf(rules.rules[outcome.rule], recorded),
      line: lineOf(stored, outcome),
      policy: policyOf.get(outcome.rule) ?? 0,
      evidence: evidence.get(outcome.rule) ?? null,
    })),
  };
}

// A file's name alone does not say which of several it is: nothing is compared with the wrong one.
function whichOf(rule: Rule | undefined, recorded: RecordedBefore | null): Pick<RuleOutcome, 'found'> | null {
  if (rule === undefined || !('baseline' in rule) || recorded === null || recorded.key !== null) return null;
  if (recorded.alike.length === 0) return { found: 'it came from no file: a baseline has no name for it' };
  return { found: `recorded transcripts are alike by name: ${recorded.alike.join(', ')}` };
}

function tryOpen(
  { dir, plain }: CheckWorkerData,
  id: string,
): { readonly stored: StoredSession } | { readonly error: string } {
  try {
    return { stored: openStored({ dir, id }, plain) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// As every command: what a bundle says, what was sent, what was kept, or raw.
function ownPolicy({ requested: { source, meta } }: StoredSession): ParsedSpec | string {
  const spec = meta.bundle?.spec ?? defaultSpec(source.compactions().length > 0, source.projections().length > 0);
  const parsed = parseSpec(spec, STAGES);
  return parsed.ok ? parsed.value : `its policy does not run here: ${parsed.error.map(({ text }) => text).join(' ')}`;
}

/** A stored session as checks take it. */
export function sessionOf({ requested, library }: StoredSession): SessionToCheck {
  const { source } = requested;
  const { id, counts } = source.row();
  const events = function* () {
    for (let from = 0; from < counts.events; from += EVENTS_PAGE) yield* library.events(id, from, from + EVENTS_PAGE);
  };
  return { ...requested, events };
}

/** How it is walked. */
export function optionsOf({ cachePoints, prices }: CheckWorkerData) {
  return { tokens: true, cachePoints, prices };
}

// Of a message that was joined of several records the first; of a request the message that answers it.
function lineOf({ requested: { source } }: StoredSession, { index, at }: Pick<RuleOutcome, 'index' | 'at'>) {
  const wanted = index ?? at;
  if (wanted === null || source.length === 0) return null;
  return source.origins(Math.min(wanted, source.length - 1))[0]?.line ?? null;
}

function policyInfo(spec: ProjectionSpec): CheckedPolicy {
  const preset = spec.name === undefined ? null : presetNamed(spec.name);
  const kinds = spec.stages.map(({ kind }) => kind).join(' → ');
  return { title: preset?.title ?? spec.name ?? (kinds === '' ? 'Raw' : kinds), spec };
}
