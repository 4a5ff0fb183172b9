// A request against the one before it: projects that one too, and holds both views against each other.
import { countBelow } from '../../insight/places.ts';
import { type Cause, type Difference, requestChange } from '../../insight/request/change.ts';
import { requestTime } from '../../insight/requestTime.ts';
import { includesCache, inputOf } from '../../insight/usage/input.ts';
import type { Part } from '../../model/message.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Projection } from '../../projection/types.ts';
import type { DifferenceLine, RequestCause, RequestChange } from '../../protocol/types.ts';
import { withLoaded } from '../../tokens/loaded.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { ViewItem } from '../../view/types.ts';
import type { Engine } from '../engine.ts';
import type { FoundProjection } from '../handlers/projection.ts';
import { previewPart, previewWhole } from '../rows/preview.ts';
import { labelOf } from '../rows/render.ts';
import type { Allowance } from './edits.ts';
import { overheadFigure } from './projecting.ts';
import type { Session } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';

/** Characters of edits counted for one answer; what is beyond is an estimate, and the figures say so. */
const COUNT_CHARS = 2_000_000;

/** What changed, with the messages of each cause. */
export interface FoundChange {
  readonly info: RequestChange;
  readonly causes: readonly Cause[];
}

/** Compares the request of a projection with the one before it under the same policy. */
export async function findRequestChange(engine: Engine, found: FoundProjection): Promise<FoundChange> {
  const { session, projected, tokens } = found;
  const { projection, inputs, spec } = projected;
  const { callPoints } = session.outline;
  const before = callPoints[countBelow(callPoints, projection.at) - 1] ?? null;
  const was = before === null ? null : await projectedAt(engine, found, before);
  const allowance = { chars: COUNT_CHARS };
  const sizes = new Sizes(tokens, overheadFigure(tokens, spec), allowance);
  const causes =
    was === null
      ? []
      : requestChange(was, projection, (item) => sizes.item(item), sizes.loaded(projection) - sizes.loaded(was));
  const total = { before: was === null ? 0 : sizes.request(was), now: sizes.request(projection) };
  const provenance = sizes.isCounted && (inputs.tokens?.guesses ?? 0) === 0 ? tokens.provenance : 'estimated';
  return {
    causes,
    info: {
      at: projection.at,
      before,
      tokens: { ...total, provenance },
      causes: causes.map((cause) => describe(cause, projection)),
      ...recordedOf(session, before, projection.at),
      thinking: { before: was?.thinking ?? null, now: projection.thinking },
    },
  };
}

/** The exact difference of one cause: the messages [from, to) of it, a line each. */
export function differenceLines(session: Session, cause: Cause, from: number, to: number): readonly DifferenceLine[] {
  return cause.differences.slice(from, to).map(({ before, now, tokens }): DifferenceLine => {
    const index = indexOf(now ?? before);
    const [was, is] = [before && lineOf(session, before), now && lineOf(session, now)];
    return { index, role: (is ?? was)?.role ?? '', before: was?.text ?? null, now: is?.text ?? null, tokens };
  });
}

// Without keeping what stages gave: the projection on the screen is the one that a slider moves.
function projectedAt(engine: Engine, { session, projected }: FoundProjection, at: number): Promise<Projection> {
  const parsed = parseSpec(projected.spec, STAGES);
  if (!parsed.ok) throw new Error('a spec that was projected does not parse');
  const { binding } = session.inputsFor(projected.spec);
  const given = { ...projected.inputs, binding };
  return session.work.foreground(() => engine.project(session, parsed.value.stages, at, given));
}

/** Tokens of requests and of their messages. */
class Sizes {
  isCounted = true;
  readonly #tokens: Tokenizing;
  readonly #overhead: ReturnType<typeof overheadFigure>;
  readonly #allowance: Allowance;

  constructor(tokens: Tokenizing, overhead: ReturnType<typeof overheadFigure>, allowance: Allowance) {
    this.#tokens = tokens;
    this.#overhead = overhead;
    this.#allowance = allowance;
  }

  item(item: ViewItem): number {
    if (isUnrendered(item)) return 0;
    if (item.kind === 'source' && item.text === undefined) return this.#tokens.rangeTotal(item.index, item.index + 1);
    return this.#sum(this.#tokens.view({ items: [item] }, this.#allowance));
  }

  loaded({ view }: Pick<Projection, 'view'>): number {
    return this.#tokens.loads.inView(view.items)?.tokens ?? 0;
  }

  request({ view }: Pick<Projection, 'view'>): number {
    const { total } = withLoaded(this.#overhead, this.#tokens.loads.inView(view.items));
    return total + this.#sum(this.#tokens.view(view, this.#allowance));
  }

  #sum({ byCategory, counted }: { readonly byCategory: readonly number[]; readonly counted: boolean }): number {
    if (!counted) this.isCounted = false;
    return byCategory.reduce((sum, tokens) => sum + tokens, 0);
  }
}

function describe({ differences, ...cause }: Cause, { reports }: Projection): RequestCause {
  const indices = differences.flatMap(({ before, now }) => indexOf(now ?? before) ?? []);
  const title = cause.stage === null ? null : (reports.find(({ stage }) => stage === cause.stage)?.title ?? null);
  return { ...cause, title, messages: differences.length, first: indices[0] ?? null, last: indices.at(-1) ?? null };
}

function indexOf(item: Difference['now']): number | null {
  return item?.kind === 'source' ? item.index : null;
}

function recordedOf(
  { source, outline }: Session,
  before: number | null,
  at: number,
): Pick<RequestChange, 'recorded' | 'elapsed' | 'models'> {
  const meta = (place: number | null) => (place === null || place >= source.length ? {} : source.meta(place));
  const [was, is] = [meta(before), meta(at)];
  const usages = outline.callPoints.flatMap((place) => meta(place).usage ?? []);
  const includes = includesCache(usages);
  const timestamp = (index: number) => (index < source.length ? source.meta(index).timestamp : undefined);
  const { callPoints } = outline;
  const earlier = before === null ? null : (callPoints[countBelow(callPoints, before) - 1] ?? null);
  // The next request was not made: the last message's time is not its.
  const times =
    before === null || at >= source.length
      ? null
      : [requestTime(earlier, before, timestamp), requestTime(before, at, timestamp)];
  const [from, to] = times ?? [null, null];
  return {
    recorded: {
      before: was.usage ? inputOf(was.usage, includes) : null,
      now: is.usage ? inputOf(is.usage, includes) : null,
    },
    elapsed: from === null || to === null || to === undefined || from === undefined ? null : to - from,
    models: { before: was.model ?? null, now: is.model ?? null },
  };
}

function lineOf(session: Session, item: ViewItem): { readonly role: string; readonly text: string } {
  if (item.kind === 'source' && item.text === undefined) {
    const message: unknown = JSON.parse(session.source.text(item.index));
    const { role, parts } = session.source.facts(item.index);
    return {
      role: wordOf(parts, role),
      text: previewWhole(parts.map((part) => previewPart(message, part, null))).text,
    };
  }
  const text = item.text ?? '';
  const message: unknown = JSON.parse(text);
  const { role, parts } = session.edits.read({ ...item, text }).facts;
  return { role: wordOf(parts, role), text: previewWhole(parts.map((part) => previewPart(message, part, null))).text };
}

// As its first row says it: formats name the roles of results in a dozen ways.
function wordOf([first]: readonly Part[], role: string): string {
  return first === undefined ? role : labelOf(first, role);
}
