import { createHash } from 'node:crypto';
import { nextDifference } from '../../insight/compare/foldEqual.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ComparedAlong, ComparedInfo } from '../../protocol/compareTypes.ts';
import type { Params, ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { compareAlong, swapped } from '../compare/along.ts';
import { describeComparison } from '../compare/describe.ts';
import { type Comparison, comparedWindow, compareLines } from '../compare/lines.ts';
import { differencesPage, type ListedDifference, listDifferences } from '../compare/messages.ts';
import { comparedTexts } from '../compare/texts.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { pricingKey } from '../library/pricing.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { compute, readAt } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';

/** Comparisons that are read row by row; one of 100,000 messages takes about 10 MB. */
const KEPT = 3;
/** Pairs of policies whose sums are kept for each session. */
const KEPT_ALONG = 6;
/** Messages and rows that one answer holds. */
const MOST = 500;
const TEXT_CHARS = 200_000;
const REPORT_EVERY_MS = 100;

type CompareMethods =
  | 'compare.set'
  | 'compare.rows'
  | 'compare.next'
  | 'compare.messages'
  | 'compare.texts'
  | 'compare.along'
  | 'compare.stop';

/** Two policies on one transcript: at a call point at once, along the session in slices. */
export function compareHandlers(engine: Engine): Pick<Handlers, CompareMethods> {
  const comparisons = new Comparisons();
  const walks = engine.clientWork();
  const listings = engine.clientWork();
  const known = new WeakMap<Session, BoundedMap<string, ComparedAlong>>();
  return {
    async 'compare.set'(params) {
      const found = policiesOf(engine, params);
      if (!found.ok) return found;
      const at = readAt(found.value.session, params.at);
      return at.ok ? ok(await setComparison(engine, comparisons, { ...found.value, at: at.value }, params)) : at;
    },
    'compare.rows'({ comparisonId, from, to }) {
      const found = comparisons.find(comparisonId);
      return found.ok ? ok(comparedWindow(found.value, from, Math.min(to, from + MOST))) : found;
    },
    'compare.next'({ comparisonId, line, direction }) {
      const found = comparisons.find(comparisonId);
      if (!found.ok) return found;
      const next = nextDifference(found.value.lines, line, direction);
      return ok({ next: next === null ? null : { line: next, row: found.value.rows.rowOf(next) } });
    },
    async 'compare.messages'({ comparisonId, ...page }, client) {
      const found = comparisons.find(comparisonId);
      if (!found.ok) return found;
      const { session } = found.value;
      const asked = listings.begin(client.clientId, comparisonId, () =>
        session.work.background('asked', async (turn) => {
          for (const _ of session.uses.grow()) {
            const pause = turn.pause();
            if (pause) await pause;
          }
          return comparisons.differences(found.value);
        }),
      );
      const listed = await asked.done;
      if (!listed.ok) return err(SUPERSEDED);
      return ok(differencesPage(found.value, listed.value, { ...page, to: Math.min(page.to, page.from + MOST) }));
    },
    'compare.texts'({ comparisonId, line }) {
      const found = comparisons.find(comparisonId);
      if (!found.ok) return found;
      const texts = comparedTexts(found.value, line, TEXT_CHARS);
      return texts === null ? err(failure('compare.no_such_line', `The requests have no line ${line}.`)) : ok(texts);
    },
    async 'compare.along'(params, client) {
      const found = policiesOf(engine, params);
      if (!found.ok) return found;
      const { session, a, b } = found.value;
      const kept = known.get(session) ?? new BoundedMap<string, ComparedAlong>(KEPT_ALONG);
      known.set(session, kept);
      const key = alongKey(engine, session, a, b);
      const before = kept.get(key);
      if (before !== undefined) return ok(before);
      const reversed = kept.get(alongKey(engine, session, b, a));
      if (reversed !== undefined) return ok(swapped(reversed));
      let reportedAt = performance.now();
      const onProgress = (done: number, total: number): void => {
        if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = performance.now();
        client.emit('compare', { id: session.id, done, total });
      };
      const asked = walks.begin(client.clientId, `${session.id} ${key}`, () =>
        session.work.background('checks', (turn) => compareAlong({ engine, session, a, b, turn, onProgress })),
      );
      const made = await asked.done;
      if (!made.ok) return err(SUPERSEDED);
      if (made.value.ok) kept.set(key, made.value.value);
      return made.value;
    },
    'compare.stop'(_params, client) {
      walks.end(client.clientId);
      return ok({});
    },
  };
}

interface Policies {
  readonly session: Session;
  readonly a: ParsedSpec;
  readonly b: ParsedSpec;
}

function policiesOf(
  engine: Engine,
  { id, a, b }: Pick<Params<'compare.along'>, 'id' | 'a' | 'b'>,
): Result<Policies, ProtocolError> {
  const session = engine.session(id);
  if (!session.ok) return session;
  const [inA, inB] = [readSpecFor(engine, id, a), readSpecFor(engine, id, b)];
  if (!inA.ok) return inA;
  return inB.ok ? ok({ session: session.value, a: inA.value, b: inB.value }) : inB;
}

function alongKey(engine: Engine, session: Session, a: ParsedSpec, b: ParsedSpec): string {
  const states = [a, b].map(({ spec }) => [session.inputsFor(spec).state, spec]);
  return JSON.stringify([session.source.length, session.isCalibrating, states, pricingKey(engine, session)]);
}

async function setComparison(
  engine: Engine,
  comparisons: Comparisons,
  { session, a, b, at }: Policies & { readonly at: number },
  { open = [], rows = { from: 0, to: 0 } }: Params<'compare.set'>,
): Promise<ComparedInfo> {
  const started = performance.now();
  // Whoever asks for the usage report gets its failure.
  void engine.calibrating(session).catch(() => false);
  const [inputsA, inputsB] = [session.inputsFor(a.spec), session.inputsFor(b.spec)];
  return session.work.foreground(async () => {
    const computedA = await compute(engine, session, a, at, inputsA);
    // What the stages of A gave is kept for its sliders.
    const computedB = await compute(engine, session, b, at, inputsB, session.besidePipeline);
    const key = JSON.stringify([session.id, session.source.row().revision, session.source.length, at, a.spec, b.spec]);
    const states = [inputsA.state, inputsB.state, session.tokenizing(null).state];
    const id = createHash('sha256')
      .update(JSON.stringify([key, states, open]))
      .digest('hex')
      .slice(0, 32);
    const tokens = session.tokenizing(null);
    const sides = { a: { computed: computedA, tokens }, b: { computed: computedB, tokens } };
    const comparison = compareLines({ id, session, at, ...sides }, comparisons.linesOf(sides), open);
    comparisons.keep(comparison);
    const window = comparedWindow(comparison, rows.from, Math.min(rows.to, rows.from + MOST));
    return { ...describeComparison(comparison), rows: window, ms: Math.round((performance.now() - started) * 10) / 10 };
  });
}

/** The last comparisons, by id. */
class Comparisons {
  readonly #kept = new BoundedMap<string, Comparison>(KEPT);
  readonly #listed = new WeakMap<
    Comparison['lines'],
    { readonly messages: number; readonly list: readonly ListedDifference[] }
  >();

  keep(comparison: Comparison): void {
    for (const { id, session } of [...this.#kept.values()]) if (session.closed) this.#kept.delete(id);
    this.#kept.set(comparison.id, comparison);
  }

  /** Error: `compare.unknown`; the client sets it again. */
  find(id: string): Result<Comparison, ProtocolError> {
    const found = this.#kept.get(id);
    if (found !== undefined && !found.session.closed) return ok(found);
    return err(failure('compare.unknown', 'This comparison is no longer available; compare again.'));
  }

  /** The lines of two requests that were compared before: opening a fold compares nothing again. */
  linesOf({ a, b }: Pick<Comparison, 'a' | 'b'>): Comparison['lines'] | null {
    for (const known of this.#kept.values()) {
      if (known.a.computed === a.computed && known.b.computed === b.computed) return known.lines;
    }
    return null;
  }

  /** What differs; the finder knows the whole transcript. */
  differences(comparison: Comparison): readonly ListedDifference[] {
    const { session, lines } = comparison;
    const known = this.#listed.get(lines);
    if (known?.messages === session.source.length) return known.list;
    const list = listDifferences(comparison, session.uses.finder);
    this.#listed.set(lines, { messages: session.source.length, list });
    return list;
  }
}
