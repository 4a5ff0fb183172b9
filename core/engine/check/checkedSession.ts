// What rules are held against, of one session under one policy: everything that any of them asks for, in one walk.
import { refusalKey, requestsAt, textKey } from '../../check/judge.ts';
import { atOf } from '../../check/ruleText.ts';
import type { Rule } from '../../check/schema.ts';
import type { BaselineRecord, CheckedRequest, CheckedText, SessionFacts } from '../../check/types.ts';
import { parseFilter } from '../../filter/parseFilter.ts';
import { autopsiesOf } from '../../insight/autopsy/autopsy.ts';
import { CompactionWatch } from '../../insight/autopsy/moments.ts';
import { costMade } from '../../insight/costMade.ts';
import { findingsOf, RefusedFollower } from '../../insight/findings/index.ts';
import { RequestSummer } from '../../insight/requestSums.ts';
import type { TracedEvent } from '../../insight/text/places.ts';
import { TextTracer } from '../../insight/text/trace.ts';
import type { TextTrace } from '../../insight/text/types.ts';
import type { UsageReport } from '../../insight/usage/types.ts';
import { UsesFollower } from '../../insight/uses/index.ts';
import { turnStarts } from '../../model/turns.ts';
import type { CallPointFigures, ReachedPoint } from '../../projection/allCallPoints.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { placedFindings } from '../../scrub/listing.ts';
import { Scrubber } from '../../scrub/scrubber.ts';
import { loadCounter } from '../../tokens/counters.ts';
import { modelFacts } from '../../tokens/models.ts';
import { createMemo } from '../../view/memo.ts';
import { usageOf } from '../requests/counting.ts';
import { followPoints } from '../requests/followPoints.ts';
import { lintSession } from '../requests/lintSession.ts';
import type { RequestProjector } from '../requests/projector.ts';
import { fittingMessages } from '../requests/rowTester.ts';
import { type RequestedSession, type RequestOptions, SessionRequests } from '../requests/sessionRequests.ts';

/** A session whose rules are checked. `events` are read only if nothing else says a text. */
export interface SessionToCheck extends RequestedSession {
  readonly events: () => Iterable<TracedEvent>;
}

/** What is checked of it: rules that are held against one policy. */
export interface AskedRules {
  readonly parsed: ParsedSpec;
  readonly rules: readonly Rule[];
}

/** How it is counted, priced and cached. */
export type CheckOptions = Required<RequestOptions>;

/** One check of one session under one policy. */
interface Check extends AskedRules {
  readonly session: SessionToCheck;
  readonly options: CheckOptions;
  readonly projector: RequestProjector;
}

/** Walks the session once, and looks at what the rules ask for; `reach` is called at each request. */
export async function checkedSession(
  projector: RequestProjector,
  session: SessionToCheck,
  asked: AskedRules,
  options: CheckOptions,
  reach: () => void = () => {},
): Promise<SessionFacts> {
  const check = { ...asked, session, options, projector };
  const { parsed, rules } = asked;
  const requests = await SessionRequests.open(session, options);
  const walk = await walkOf(requests, check);
  const inputs = await requests.inputs(parsed);
  const { points, source } = requests;
  await followPoints(projector, { source, parsed, points, options: inputs }, (point) => {
    walk.take(point);
    reach();
  });
  const facts = await walk.facts();
  const withRows = { ...facts, rows: await rowsOf(check), secrets: secretsOf(check) };
  const wantsRecord = rules.some((rule) => 'baseline' in rule);
  const record = wantsRecord ? await recordOf(check, withRows) : null;
  return { ...withRows, record, refusals: await refusalsOf(check, facts) };
}

interface Walk {
  take(point: ReachedPoint): void;
  facts(): Promise<SessionFacts>;
}

async function walkOf(requests: SessionRequests, check: Check): Promise<Walk> {
  const { session, parsed, rules, projector } = check;
  const { source } = session;
  const asks = (...members: readonly string[]) => rules.some((rule) => members.some((member) => member in rule));
  const limits = await requests.limits(parsed);
  const sums = requestSums(requests, limits);
  const wantsUses = asks('uses_gone', 'findings', 'survival', 'baseline');
  const finder = wantsUses ? requests.finder : null;
  const { counted, pricing, meta } = requests;
  const uses = finder && new UsesFollower({ source, finder, front: meta, tokens: counted, pricing });
  const watch = new CompactionWatch(source);
  const refused = new RefusedFollower();
  const tracers = tracersOf(requests, check);
  for (const { tracer } of tracers) for (const _ of tracer.search()) projector.check();
  const findings = async () => {
    const isHistory = isAsRecorded(parsed.spec, source);
    const misses = isHistory ? (await usageOfSession(session)).misses : [];
    return findingsOf({
      ...{ source, uses: uses?.all ?? [], misses, pricing, callPoints: requests.points },
      refused: isHistory ? refused.runs.filter(({ to }) => to >= source.length) : refused.runs,
      tokens: (index, part) => counted.parts(index)[part] ?? 0,
      usageAt: (index) => requests.metaAt(index).usage ?? null,
    });
  };
  const autopsies = () =>
    autopsiesOf({
      ...{ source, moments: watch.moments, uses: uses?.all ?? [], tokens: counted },
      metaAt: (index) => requests.metaAt(index),
      window: requests.window,
    });
  return {
    take(point) {
      sums.take(point);
      watch.take(point);
      refused.take(point);
      uses?.take(point);
      for (const { tracer } of tracers) {
        for (const _ of tracer.look(point));
        tracer.take(point);
      }
    },
    facts: async () => ({
      ...sums.facts(),
      compactions: [...new Set(watch.moments.map(({ at }) => at))],
      texts: new Map(tracers.map(({ key, tracer }) => [key, textFacts(tracer.finish())])),
      usesGone: uses === null ? null : uses.all.filter(({ outcome }) => outcome === 'gone').map(({ at }) => at),
      findings: asks('findings') ? await findings() : null,
      survival: asks('survival') ? autopsies().map(({ at, survival }) => ({ at, classes: survival })) : null,
      refusals: new Map(),
      rows: new Map(),
      secrets: null,
      record: null,
    }),
  };
}

// Figures of each request: what a provider is sent, messages and what comes before them.
function requestSums(requests: SessionRequests, { budget, overhead }: Awaited<ReturnType<SessionRequests['limits']>>) {
  const [figuresAt, charge] = [requests.figures(), requests.charges(overhead)];
  const summer = new RequestSummer(budget, overhead, requests.source.length);
  const taken: CheckedRequest[] = [];
  const breaksAt: number[] = [];
  return {
    take(point: ReachedPoint): void {
      const figures = figuresAt(point);
      const charged = charge(figures);
      summer.add(figures, charged);
      if (charged.cache?.brokenBy) breaksAt.push(figures.at);
      taken.push({ at: figures.at, tokens: tokensOf(figures) + overhead, cost: charged.cost });
    },
    facts() {
      const { cacheBreaks } = summer.sums;
      // The next request was not made: the session did not cost it.
      return { requests: taken, ...costMade(summer.sums), cacheBreaks, breaksAt, budget };
    },
  };
}

function tokensOf({ byCategory, loaded }: CallPointFigures): number {
  return byCategory.reduce((sum, each) => sum + each, 0) + (loaded?.tokens ?? 0);
}

function tracersOf(
  { points }: SessionRequests,
  { session: { source, meta, events }, rules }: Check,
): readonly { readonly key: string; readonly tracer: TextTracer }[] {
  const places = { callPoints: points, turnStarts: turnStarts(source), now: source.length };
  const input = { source, front: meta, events, ...places };
  const keys = new Set(rules.flatMap((rule) => textKey(rule) ?? []));
  return [...keys].flatMap((key) => {
    const [text, matchCase, wholeWord]: [string, boolean, boolean] = JSON.parse(key);
    const tracer = TextTracer.of(input, text, { matchCase, wholeWord });
    return tracer === null ? [] : [{ key, tracer }];
  });
}

function textFacts({ points, firstLoss, first, places }: TextTrace): CheckedText {
  const words =
    firstLoss && `${firstLoss.stageTitle ?? firstLoss.fate}${firstLoss.rule === null ? '' : ` (${firstLoss.rule})`}`;
  return {
    states: points.map(({ state }) => state),
    loss: firstLoss && { at: firstLoss.at, words: `since #${firstLoss.at}, ${words}` },
    first: first?.index ?? null,
    places: places.map(({ where, index, label, present, context, start, length }) => ({
      ...{ index: where === 'message' ? index : null, at: null, excerpt: { text: context, start, length } },
      what: where === 'message' ? presenceText(present) : label,
    })),
  };
}

// `now` is the next request: a check looks from the end of the session.
function presenceText(present: boolean): string {
  return present ? 'in the next request' : 'not in the next request';
}

async function rowsOf({
  projector,
  session,
  parsed,
  rules,
  options: { tokens },
}: Check): Promise<SessionFacts['rows']> {
  const found = new Map<string, readonly number[]>();
  const filters = new Set(rules.flatMap((rule) => ('filter' in rule ? [rule.filter] : [])));
  if (filters.size === 0) return found;
  const { source } = session;
  const projection = await projector.project(source, parsed.stages, source.length);
  // Ages are counted from now.
  const now = { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
  for (const filter of filters) {
    const { expr } = parseFilter(filter, now);
    found.set(filter, await fittingMessages(projector, expr, { session, parsed, projection, tokens }));
  }
  return found;
}

async function refusalsOf(
  { projector, session, parsed, rules }: Check,
  facts: Pick<SessionFacts, 'requests' | 'compactions'>,
): Promise<SessionFacts['refusals']> {
  const found = new Map<string, readonly { readonly index: number | null; readonly text: string }[]>();
  const { source, about } = session;
  for (const rule of rules) {
    if (!('valid_for' in rule)) continue;
    for (const position of requestsAt(facts, atOf(rule)) ?? []) {
      const at = facts.requests[position]?.at ?? source.length;
      const key = refusalKey(rule.valid_for, at);
      if (found.has(key)) continue;
      const { findings } = await lintSession(projector, { source, about, parsed, at, provider: rule.valid_for });
      const errors = findings.filter(({ severity }) => severity === 'error');
      found.set(
        key,
        errors.map(({ index, text }) => ({ index, text })),
      );
    }
  }
  return found;
}

// Of the transcript, whatever the policy: what `parallax scrub` lists.
function secretsOf({ session, rules, projector }: Check): SessionFacts['secrets'] {
  if (!rules.some((rule) => 'secrets' in rule)) return null;
  const steps = placedFindings(new Scrubber(), session);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value.map(({ kind, tier, index }) => ({ kind, tier, at: index }));
    projector.check();
  }
}

async function usageOfSession({ source, about }: SessionToCheck): Promise<UsageReport> {
  const { tokenizer, exact, label, images } = modelFacts(about.model);
  const plain = { counter: await loadCounter(tokenizer), tokenizer, exact, images };
  return usageOf(source, plain, about, label);
}

async function recordOf(
  { projector, parsed, session: { source } }: Check,
  { requests, cost, cacheBreaks, usesGone }: SessionFacts,
): Promise<BaselineRecord> {
  const projection = await projector.project(source, parsed.stages, source.length, createMemo());
  return {
    requests: requests.length,
    prefix_hash: projector.hash(source, projection),
    tokens: Math.round(requests.at(-1)?.tokens ?? 0),
    peak: Math.round(requests.reduce((most, { tokens }) => Math.max(most, tokens), 0)),
    cost: cost === null ? null : Number(cost.toFixed(4)),
    cache_breaks: cacheBreaks,
    uses_gone: usesGone?.length ?? 0,
  };
}
