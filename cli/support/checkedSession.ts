// What rules are held against, of one session under one policy: everything that any of them asks for, in one walk.
import { refusalKey, requestsAt, textKey } from '../../core/check/judge.ts';
import { atOf } from '../../core/check/ruleText.ts';
import type { Rule } from '../../core/check/schema.ts';
import type { BaselineRecord, CheckedText, SessionFacts } from '../../core/check/types.ts';
import { SessionRequests } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { autopsiesOf } from '../../core/insight/autopsy/autopsy.ts';
import { CompactionWatch } from '../../core/insight/autopsy/moments.ts';
import { findingsOf, RefusedFollower } from '../../core/insight/findings/index.ts';
import { RequestSummer } from '../../core/insight/requestSums.ts';
import { TextTracer } from '../../core/insight/text/trace.ts';
import type { TextTrace } from '../../core/insight/text/types.ts';
import { UsesFollower } from '../../core/insight/uses/index.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { turnStarts } from '../../core/model/turns.ts';
import type { CallPointFigures, ReachedPoint } from '../../core/projection/allCallPoints.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { createMemo } from '../../core/view/memo.ts';
import { filteredRows, filterOf } from './filtering.ts';
import { followPoints } from './followPoints.ts';
import { aboutOf } from './inputs.ts';
import { lintRequest } from './linting.ts';
import type { Projector } from './projecting.ts';
import { usageReport } from './usage.ts';

/** A transcript under a policy, and the rules that are held against it. */
export interface SessionToCheck {
  readonly transcript: ImportedTranscript;
  readonly parsed: ParsedSpec;
  readonly rules: readonly Rule[];
  /** False = estimates in place of counts. */
  readonly tokens: boolean;
}

/** Walks the session once, and looks at what the rules ask for. */
export async function checkedSession(projector: Projector, asked: SessionToCheck): Promise<SessionFacts> {
  const { transcript, parsed, rules } = asked;
  const source = MemoryTranscript.of(transcript);
  const session = { source, meta: transcript.meta, about: aboutOf(transcript) };
  const requests = await SessionRequests.open(session, { tokens: asked.tokens, cachePoints: 'auto' });
  const walk = await walkOf(requests, asked, source);
  const options = await requests.inputs(parsed);
  const { points } = requests;
  await followPoints(projector, { source, parsed, points, options }, (point) => walk.take(point));
  const facts = await walk.facts();
  const withRows = { ...facts, rows: await rowsOf(projector, asked, source) };
  const wantsRecord = rules.some((rule) => 'baseline' in rule);
  const record = wantsRecord ? await recordOf(projector, asked, source, withRows) : null;
  return { ...withRows, record, refusals: await refusalsOf(projector, asked, source, facts) };
}

interface Walk {
  take(point: ReachedPoint): void;
  facts(): Promise<SessionFacts>;
}

async function walkOf(
  requests: SessionRequests,
  { transcript, parsed, rules }: SessionToCheck,
  source: TranscriptSource,
): Promise<Walk> {
  const asks = (...members: readonly string[]) => rules.some((rule) => members.some((member) => member in rule));
  const limits = await requests.limits(parsed);
  const sums = requestSums(requests, limits);
  const wantsUses = asks('uses_gone', 'findings', 'survival', 'baseline');
  const finder = wantsUses ? requests.finder : null;
  const { counted, price, meta } = requests;
  const uses = finder && new UsesFollower({ source, finder, front: meta, tokens: counted, price });
  const watch = new CompactionWatch(source);
  const refused = new RefusedFollower();
  const tracers = tracersOf(requests, transcript, source, rules);
  for (const { tracer } of tracers) for (const _ of tracer.search());
  const findings = async () => {
    const isHistory = isAsRecorded(parsed.spec, source.compactions().length > 0);
    const misses = isHistory ? (await usageReport(transcript)).report.misses : [];
    return findingsOf({
      ...{ source, uses: uses?.all ?? [], misses, price, callPoints: requests.points },
      refused: isHistory ? refused.runs.filter(({ to }) => to >= source.length) : refused.runs,
      tokens: (index, part) => counted.parts(index)[part] ?? 0,
      usageAt: (index) => requests.metaAt(index).usage ?? null,
    });
  };
  const autopsies = () =>
    autopsiesOf({
      ...{ source, moments: watch.moments, uses: uses?.all ?? [], tokens: counted },
      metaAt: (index) => requests.metaAt(index),
      window: modelFacts(requests.model ?? undefined).window,
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
      survival: asks('survival') ? autopsies().map(({ at, survival }) => ({ at, classes: survival ?? {} })) : null,
      refusals: new Map(),
      rows: new Map(),
      record: null,
    }),
  };
}

// Figures of each request: what a provider is sent, messages and what comes before them.
function requestSums(requests: SessionRequests, { budget, overhead }: Awaited<ReturnType<SessionRequests['limits']>>) {
  const [figuresAt, charge] = [requests.figures(), requests.charges(overhead)];
  const summer = new RequestSummer(budget, overhead, requests.source.length);
  const taken: { at: number; tokens: number }[] = [];
  const breaksAt: number[] = [];
  return {
    take(point: ReachedPoint): void {
      const figures = figuresAt(point);
      const charged = charge(figures);
      summer.add(figures, charged);
      if (charged.cache?.brokenBy) breaksAt.push(figures.at);
      taken.push({ at: figures.at, tokens: tokensOf(figures) + overhead });
    },
    facts() {
      const { cost, costOfNext, cacheBreaks } = summer.sums;
      // The next request was not made: the session did not cost it.
      const made = cost === null || costOfNext === null ? null : cost - costOfNext;
      return { requests: taken, cost: made, cacheBreaks, breaksAt, budget };
    },
  };
}

function tokensOf({ byCategory, loaded }: CallPointFigures): number {
  return byCategory.reduce((sum, each) => sum + each, 0) + (loaded?.tokens ?? 0);
}

function tracersOf(
  { points }: SessionRequests,
  transcript: ImportedTranscript,
  source: TranscriptSource,
  rules: readonly Rule[],
): readonly { readonly key: string; readonly tracer: TextTracer }[] {
  const places = { callPoints: points, turnStarts: turnStarts(source), now: source.length };
  const input = { source, front: transcript.meta, events: () => transcript.events, ...places };
  const keys = new Set(rules.flatMap((rule) => textKey(rule) ?? []));
  return [...keys].flatMap((key) => {
    const [text, matchCase, wholeWord]: [string, boolean, boolean] = JSON.parse(key);
    const tracer = TextTracer.of(input, text, { matchCase, wholeWord });
    return tracer === null ? [] : [{ key, tracer }];
  });
}

function textFacts({ points, firstLoss, first }: TextTrace): CheckedText {
  const words =
    firstLoss && `${firstLoss.stageTitle ?? firstLoss.fate}${firstLoss.rule === null ? '' : ` (${firstLoss.rule})`}`;
  return {
    states: points.map(({ state }) => state),
    loss: firstLoss && { at: firstLoss.at, words: `since #${firstLoss.at}, ${words}` },
    first: first?.index ?? null,
  };
}

async function rowsOf(
  projector: Projector,
  { transcript, parsed, rules, tokens }: SessionToCheck,
  source: TranscriptSource,
) {
  const found = new Map<string, readonly number[]>();
  const filters = new Set(rules.flatMap((rule) => ('filter' in rule ? [rule.filter] : [])));
  if (filters.size === 0) return found;
  const projection = await projector.project(source, parsed.stages, source.length);
  for (const filter of filters) {
    const { rows } = await filteredRows(projector, filterOf(filter), {
      transcript,
      source,
      parsed,
      projection,
      tokens,
    });
    found.set(filter, [...new Set(rows.map(({ index }) => index))]);
  }
  return found;
}

async function refusalsOf(
  projector: Projector,
  { transcript, parsed, rules }: SessionToCheck,
  source: TranscriptSource,
  facts: Pick<SessionFacts, 'requests' | 'compactions'>,
): Promise<SessionFacts['refusals']> {
  const found = new Map<string, readonly { readonly index: number | null; readonly text: string }[]>();
  for (const rule of rules) {
    if (!('valid_for' in rule)) continue;
    for (const position of requestsAt(facts, atOf(rule)) ?? []) {
      const at = facts.requests[position]?.at ?? source.length;
      const key = refusalKey(rule.valid_for, at);
      if (found.has(key)) continue;
      const asked = { transcript, source, parsed, at, provider: rule.valid_for };
      const { findings } = await lintRequest(projector, asked);
      const errors = findings.filter(({ severity }) => severity === 'error');
      found.set(
        key,
        errors.map(({ index, text }) => ({ index, text })),
      );
    }
  }
  return found;
}

async function recordOf(
  projector: Projector,
  { parsed }: SessionToCheck,
  source: TranscriptSource,
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
