import { countBelow } from '../../insight/places.ts';
import { harnResultJson } from '../../projection/harnResult.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import { LeftFate } from '../../projection/stagesSaid.ts';
import { FORGOTTEN } from '../../protocol/codes.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { itemText } from '../../view/reader.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { Latest, Newer } from '../latest.ts';
import type { RowLayout, RowPlace } from '../rows/layout.ts';
import { rowMarks } from '../rows/rowMarks.ts';
import { messageDetail, syntheticDetail } from '../session/detail.ts';
import { setProjection } from '../session/projecting.ts';
import { searchText } from '../session/search.ts';
import type { ProjectedView, Session } from '../session/session.ts';

type ProjectionMethods =
  | 'projection.set'
  | 'projection.rows'
  | 'projection.marks'
  | 'projection.rowOf'
  | 'projection.nextChange'
  | 'projection.detail'
  | 'projection.synthetic'
  | 'projection.text'
  | 'projection.hash'
  | 'search.text';

/** A projection found by its id. */
export interface FoundProjection extends ProjectedView {
  readonly session: Session;
}

/** Finds a projection among the last ones, with all its fates. Error: `projection.unknown`; the client sets it again. */
export function findProjection(engine: Engine, projectionId: string): Result<FoundProjection, ProtocolError> {
  const found = amongLast(engine, projectionId);
  return found?.projected.projection.said.hold() === true ? ok(found) : err(UNKNOWN);
}

const UNKNOWN = failure(FORGOTTEN, 'This projection is no longer available; project again.');

function amongLast(engine: Engine, projectionId: string): FoundProjection | null {
  for (const session of engine.sessions()) {
    const view = session.projections.get(projectionId);
    if (view) return { session, ...view };
  }
  return null;
}

/** Reads from a projection at once, without holding it: a slider asks so of each that it passes by. */
function glance<T>(
  engine: Engine,
  projectionId: string,
  read: (found: FoundProjection) => Result<T, ProtocolError>,
): Result<T, ProtocolError> {
  const found = amongLast(engine, projectionId);
  if (found === null) return err(UNKNOWN);
  try {
    return read(found);
  } catch (error) {
    if (error instanceof LeftFate) return err(UNKNOWN);
    throw error;
  }
}

/** Projections: made, and read row by row. */
export function projectionHandlers(engine: Engine): Pick<Handlers, ProjectionMethods> {
  const queues = new Map<number, Promise<unknown>>();
  const searches = new Latest();
  const newer = new Newer();
  engine.whenLeft((clientId) => {
    searches.forget(clientId);
    newer.notify(clientId);
  });
  return {
    // A client's projections are answered in the order they were asked for, even if one waits for the sandbox.
    'projection.set'(params, client) {
      const session = engine.session(params.id);
      if (!session.ok) return session;
      newer.notify(client.clientId);
      const before = queues.get(client.clientId) ?? Promise.resolve();
      const answer = before.then(() => setProjection(engine, session.value, params));
      const settled = answer.catch(() => undefined); // its own caller gets the failure; the next one proceeds
      queues.set(client.clientId, settled);
      void settled.then(() => {
        if (queues.get(client.clientId) === settled) queues.delete(client.clientId);
      });
      return answer;
    },
    'projection.rows': ({ projectionId, from, to }) =>
      glance(engine, projectionId, ({ session, projected, tokens }) =>
        ok(session.rowSource.window(projected, tokens, from, to)),
      ),
    'projection.marks': ({ projectionId, slots, at }) =>
      glance(engine, projectionId, ({ projected }) => ok(rowMarks(projected, slots, at))),
    'projection.rowOf': ({ projectionId, index, part }) =>
      glance(engine, projectionId, ({ projected: { layout, messages } }) => {
        if (index >= messages) return err(failure('transcript.no_such_place', `There is no message #${index}.`));
        return ok({ row: layout.rowOf(index, part ?? 0) });
      }),
    'projection.nextChange': ({ projectionId, row, direction, fate }) =>
      glance(engine, projectionId, (found) =>
        ok({ row: fate ? nextOfFate(found, fate, row, direction) : nextChange(found, row, direction) }),
      ),
    'projection.detail'({ projectionId, index, limit }) {
      const found = findProjection(engine, projectionId);
      return found.ok ? messageDetail(engine, found.value, index, limit ?? 200_000) : found;
    },
    'projection.synthetic'({ projectionId, row }) {
      const found = findProjection(engine, projectionId);
      return found.ok ? syntheticDetail(engine, found.value, row) : found;
    },
    async 'projection.text'({ projectionId, what }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      return ok({ text: what === 'messages' ? messagesText(found.value) : await resultText(found.value) });
    },
    async 'projection.hash'({ projectionId }, client) {
      const found = amongLast(engine, projectionId);
      if (found === null) return err(UNKNOWN);
      const { hash } = found.projected;
      const prefixHash = await hash.until(newer.of(client.clientId));
      if (prefixHash !== null) return ok({ prefixHash });
      hash.abandon();
      return err(SUPERSEDED);
    },
    async 'search.text'({ projectionId, text, limit }, client) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      const overtaken = searches.begin(client.clientId);
      const { work } = found.value.session;
      const result = await work.foreground(() => searchText(found.value, text, limit, overtaken));
      return result ? ok(result) : err(SUPERSEDED);
    },
  };
}

function messagesText({ projected, session }: FoundProjection): string {
  return `[${projected.projection.view.items.map((item) => itemText(item, session.source)).join(',')}]`;
}

async function resultText({ projected, session }: FoundProjection): Promise<string> {
  const parsed = parseSpec(projected.spec, STAGES);
  if (!parsed.ok) throw new Error('a spec that was projected does not parse');
  const { projection } = projected;
  const hash = await projected.hash.ready();
  return harnResultJson({ source: session.source, projection, stages: parsed.value.stages, hash });
}

/** The next row whose fate is other than kept, synthetic rows among them. */
function nextChange(found: FoundProjection, row: number, direction: 1 | -1): number | null {
  const { projected, session, tokens } = found;
  const { layout } = projected;
  const changed = projected.changed();
  // What a filter leaves out has no row.
  const beyond = (candidate: number) => candidate >= 0 && (direction === 1 ? candidate > row : candidate < row);
  const made = projected.synthetics.length + projected.standing.extras.length;
  const candidates = Array.from({ length: made }, (_, ordinal) => layout.rowOfSynthetic(ordinal)).filter(beyond);
  // Rows ascend with the index: the message the row is in, or the nearest changed one on, holds the next change.
  const near = countBelow(changed, indexAt(found, row));
  for (let at = direction === 1 ? near : Math.min(near, changed.length - 1); ; at += direction) {
    const index = changed[at];
    if (index === undefined) break;
    const place = rowPlaceOf(layout, index);
    if (place?.kind === 'fold' && place.filtered !== undefined) continue;
    if (place?.kind === 'fold') {
      // A folded run that is gone is one change.
      const folded = layout.rowOf(index, 0);
      if (beyond(folded)) {
        candidates.push(folded);
        break;
      }
      at = direction === 1 ? countBelow(changed, place.to) - 1 : countBelow(changed, place.from);
      continue;
    }
    if (place?.kind !== 'part' || place.index !== index) continue;
    const parts = session.rowSource.changedParts(projected, tokens, index);
    const rows = parts.map((part) => layout.rowOf(index, part)).filter(beyond);
    candidates.push(...rows);
    if (rows.length > 0) break;
  }
  if (candidates.length === 0) return null;
  return direction === 1 ? Math.min(...candidates) : Math.max(...candidates);
}

/** The next row of a message with that fate, or of a synthetic one; a folded run counts once. */
function nextOfFate(found: FoundProjection, fate: string, row: number, direction: 1 | -1): number | null {
  const { layout, changed, synthetics, projection } = found.projected;
  const own = changed().filter((index) => projection.said.kindOf(index) === fate && hasRow(layout, index));
  const rows =
    fate === 'synthetic'
      ? synthetics.map((_, ordinal) => layout.rowOfSynthetic(ordinal))
      : own.map((index) => layout.rowOf(index, 0));
  const ahead = rows.filter((one) => one >= 0 && (direction === 1 ? one > row : one < row));
  if (ahead.length === 0) return null;
  return ahead.reduce((best, one) => (direction === 1 ? Math.min(best, one) : Math.max(best, one)));
}

/** False for a message that is left out; its neighbour has its place then. */
function hasRow(layout: RowLayout, index: number): boolean {
  const place = rowPlaceOf(layout, index);
  return (place?.kind === 'fold' && place.filtered === undefined) || (place?.kind === 'part' && place.index === index);
}

/** What is in the row of a message; a neighbour for one that is left out (`ghosts` false). */
function rowPlaceOf(layout: RowLayout, index: number): RowPlace | null {
  return layout.rowCount === 0 ? null : layout.place(layout.rowOf(index, 0));
}

function indexAt({ projected }: FoundProjection, row: number): number {
  if (row < 0) return 0;
  if (row >= projected.layout.rowCount) return projected.messages;
  const place = projected.layout.place(row);
  if (place.kind === 'part') return place.index;
  if (place.kind === 'fold') return place.from;
  const { synthetics, standing } = projected;
  const extra = standing.extras[place.ordinal - synthetics.length];
  const holder = extra === undefined ? undefined : projected.projection.view.items[extra.position];
  return synthetics[place.ordinal]?.before ?? (holder?.kind === 'source' ? holder.index : 0);
}
