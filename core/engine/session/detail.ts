// The selected message in full: both texts, its parts, its fate with the pointers checked, where it came from.
import { assetIdOf } from '../../model/asset.ts';
import { parseMessage } from '../../model/decode.ts';
import { type Exchange, findExchanges } from '../../model/exchanges.ts';
import { hasFailed } from '../../model/failure.ts';
import type { Part } from '../../model/message.ts';
import { encryptedChars, partText, valueAt } from '../../model/partText.ts';
import { ATTACHED_KINDS } from '../../model/provenance.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { DetailFate, DetailPart, MessageDetail, SyntheticDetail } from '../../protocol/types.ts';
import { locate } from '../../util/json/index.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isRecord, stringAt } from '../../util/unknown.ts';
import type { ViewItem } from '../../view/types.ts';
import { type Engine, failure } from '../engine.ts';
import type { FoundProjection } from '../handlers/projection.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { cutPair } from '../rows/format.ts';
import { labelOf, partFate, type RowMessage } from '../rows/render.ts';
import { verifyPointer } from './pointers.ts';
import { viewPartOf } from './projected.ts';
import type { Session } from './session.ts';
import { assetNamed, assetsBetween } from './transcriptAssets.ts';

/** Answers projection.detail: texts longer than `limit` UTF-16 units are cut. */
export function messageDetail(
  engine: Engine,
  found: FoundProjection,
  index: number,
  limit: number,
): Result<MessageDetail, ProtocolError> {
  const { session, projected, tokens } = found;
  const { source } = session;
  if (index >= source.length) return err(failure('transcript.no_such_place', `There is no message #${index}.`));
  const message = session.rowSource.message(projected, tokens, index);
  const rawJson = source.text(index);
  const sent = sentItem(found, index);
  const edited = sent === null ? null : (sent.text ?? rawJson);
  const isElsewhere = sent !== null && (sent.kind === 'synthetic' || sent.index !== index);
  const pairs = pairsOf(session, index);
  const parts = detailParts({ ...found, engine }, message, rawJson, limit, pairs);
  return ok({
    index,
    role: message.facts.role,
    rawJson: cut(rawJson, limit),
    rawChars: rawJson.length,
    projectedJson: edited === null ? null : cut(edited, limit),
    projectedChars: edited?.length ?? 0,
    ...(isElsewhere && { sentIn: { index: sent.kind === 'source' ? sent.index : null } }),
    truncated: rawJson.length > limit || (edited?.length ?? 0) > limit || parts.some((part) => part.truncated),
    parts,
    fate: detailFate(found, message),
    meta: detailMeta(message),
    refs: detailRefs(message),
    contentHash: `sha256:${nodeSha256().update(rawJson).hex()}`,
    origins: originsOf(engine, session, index),
    pairs,
  });
}

function cut(text: string, limit: number): string {
  return text.length > limit ? cutPair(text.slice(0, limit)) : text;
}

/** The message as it is sent: its own item, else the first that holds a part of it. */
function sentItem({ projected }: FoundProjection, index: number): ViewItem | null {
  const { projection, map, standing } = projected;
  const own = index < projection.at ? map.positionOf(index) : null;
  const held = own ?? standing.messages.get(index)?.find((place) => place !== null)?.position ?? null;
  return held === null ? null : (projection.view.items[held] ?? null);
}

type Found = FoundProjection & { readonly engine: Engine };

function detailParts(
  found: Found,
  message: RowMessage,
  rawJson: string,
  limit: number,
  pairs: MessageDetail['pairs'],
): DetailPart[] {
  const value = parseMessage(rawJson);
  const assets = found.session.source.assets(message.index);
  const calls = answeredCalls(found.session, message, limit, pairs);
  return message.facts.parts.map((part, at) => {
    const text = partText(value, part);
    const span = assets.length > 0 ? locate(rawJson, part.path) : null;
    const within = assets.filter((place) => span && place.start >= span.start && place.end <= span.end);
    return {
      ...partNames(part, message),
      ...(part.kind === 'opaque' && { chars: encryptedChars(value, part) }),
      part: at,
      ...callOf(calls.get(at)),
      ...attachedOf(part, message),
      text: cut(text, limit),
      truncated: text.length > limit,
      ...sentPart(found, message.index, at, text, limit),
      tokens: found.tokens.part(message.index, at).tokens,
      assetIds: within.map((place) => place.asset.id),
      ...harnFields(found, valueAt(value, part.path)),
    };
  });
}

function attachedOf({ kind }: Part, { meta }: RowMessage): Pick<DetailPart, 'attached'> {
  const attached = kind === 'text' && ATTACHED_KINDS.find((one) => one === meta.provenance?.kind);
  return attached ? { attached } : {};
}

type AnsweredCall = NonNullable<DetailPart['call']>;

function callOf(call: AnsweredCall | undefined): Pick<DetailPart, 'call'> {
  return call === undefined ? {} : { call };
}

/** The calls that a message's results answer, by the result's part. */
function answeredCalls(
  { source }: Session,
  { facts }: RowMessage,
  limit: number,
  pairs: MessageDetail['pairs'],
): ReadonlyMap<number, AnsweredCall> {
  const values = new Map<number, unknown>();
  const calls = new Map<number, AnsweredCall>();
  for (const { part, index, otherPart } of pairs) {
    if (facts.parts[part]?.kind !== 'tool_result') continue;
    const call = source.facts(index).parts[otherPart];
    if (call === undefined) continue;
    if (!values.has(index)) values.set(index, parseMessage(source.text(index)));
    calls.set(part, { name: call.name ?? null, text: cut(partText(values.get(index), call), limit) });
  }
  return calls;
}

/** What a Harn block says beside its content: the asset in place of its payload, who may see it. */
function harnFields({ engine, session }: Found, block: unknown): Pick<DetailPart, 'asset' | 'visibility'> {
  const id = assetIdOf(block);
  const visibility = isRecord(block) ? stringAt(block, 'visibility') : undefined;
  return {
    ...(id !== null && { asset: assetNamed(engine, session, id) }),
    ...(visibility !== undefined && { visibility }),
  };
}

function sentPart(
  { projected, session }: FoundProjection,
  index: number,
  at: number,
  raw: string,
  limit: number,
): Pick<DetailPart, 'sent'> {
  const place = viewPartOf(projected, index, at);
  if (place === null) return { sent: null };
  const item = projected.projection.view.items[place.position];
  if (item?.text === undefined) return {};
  const part = session.edits.read({ ...item, text: item.text }).facts.parts[place.part];
  const text = part === undefined ? '' : partText(parseMessage(item.text), part);
  if (text === raw) return {};
  return { sent: { text: cut(text, limit), truncated: text.length > limit, chars: text.length } };
}

function partNames(part: Part, { facts, meta }: RowMessage) {
  return {
    kind: part.kind,
    category: part.category,
    label: labelOf(part, facts.role),
    name: part.name ?? null,
    callId: part.callId ?? null,
    isError: hasFailed(part, meta),
    signed: part.signed ?? false,
    chars: part.chars,
  };
}

function detailFate({ session, projected }: FoundProjection, message: RowMessage): DetailFate {
  const { fate } = message;
  const parts = message.facts.parts.flatMap((_, part) => {
    const own = partFate(message, part);
    return own.kind === 'future' || own.kind === fate?.kind ? [] : [{ part, kind: own.kind, reason: own.reason }];
  });
  const stage = fate?.stage ?? null;
  return {
    kind: fate?.kind ?? 'future',
    stage,
    stageTitle: stage === null ? null : (projected.projection.reports[stage]?.title ?? null),
    rule: fate?.rule ?? null,
    reason: fate?.reason ?? 'After the call point.',
    because: fate?.because ?? null,
    evidence: fate?.evidence ?? null,
    parts,
    pointers: (fate?.pointers ?? []).map((pointer) => ({
      ...pointer,
      verified: verifyPointer(session.source, pointer),
    })),
  };
}

function detailMeta({ meta, origin }: RowMessage): MessageDetail['meta'] {
  return {
    id: meta.id ?? null,
    timestamp: meta.timestamp ?? null,
    model: meta.model ?? null,
    stopReason: meta.stopReason ?? null,
    usage: meta.usage ?? null,
    injected: meta.injected ?? false,
    apiError: meta.apiError ?? false,
    ...(meta.inputTransformations && { inputTransformations: meta.inputTransformations }),
    origin,
  };
}

// Where a tool has no ids for calls, the provider's id of the request names the call.
function detailRefs({ facts, meta }: RowMessage): MessageDetail['refs'] {
  const { requestId, iteration } = meta;
  const isCall = meta.callId === undefined && facts.role === 'assistant';
  return {
    requestId: isCall ? null : (requestId ?? null),
    callId: meta.callId ?? (isCall ? (requestId ?? null) : null),
    iteration: iteration ?? null,
  };
}

function originsOf(engine: Engine, session: Session, index: number): MessageDetail['origins'] {
  const file = session.source.row().files[0] ?? engine.library.dir;
  return session.source.origins(index).map((origin) => ({ file, ...origin }));
}

/** The other halves of a message's calls and results. A call is answered before the next assistant message. */
function pairsOf(session: Session, index: number): MessageDetail['pairs'] {
  const { source } = session;
  const own = source.facts(index);
  const hasResults = own.parts.some((part) => part.kind === 'tool_result');
  if (!hasResults && own.role !== 'assistant') return [];
  let from = index;
  if (hasResults) while (from > 0 && source.facts(from).role !== 'assistant') from--;
  let to = from + 1;
  while (to < source.length && source.facts(to).role !== 'assistant') to++;
  const exchanges = findExchanges(to - from, (position) => source.facts(from + position));
  return exchanges.flatMap((exchange) => pairsIn(exchange, index - from, from));
}

function pairsIn(exchange: Exchange, position: number, from: number): MessageDetail['pairs'] {
  return exchange.calls.flatMap((call) =>
    call.results.flatMap((result) => {
      if (call.message === position) return [{ part: call.part, index: result.message + from, otherPart: result.part }];
      if (result.message === position) return [{ part: result.part, index: call.message + from, otherPart: call.part }];
      return [];
    }),
  );
}

/** Answers projection.synthetic. Error: `projection.no_such_row` if the row is none of a synthetic message. */
export function syntheticDetail(
  engine: Engine,
  found: FoundProjection,
  row: number,
): Result<SyntheticDetail, ProtocolError> {
  const { projected, session } = found;
  const place = row < projected.layout.rowCount ? projected.layout.place(row) : null;
  const made = place?.kind === 'synthetic' ? madeAt(projected, place.ordinal) : null;
  if (made === null) return err(failure('projection.no_such_row', `Row ${row} is not a synthetic message.`));
  const { item, covers, stage } = made;
  const { facts } = session.edits.read(item);
  const message = parseMessage(item.text);
  const shown = made.part === null ? facts.parts : facts.parts.slice(made.part, made.part + 1);
  return ok({
    json: item.text,
    text: shown.map((part) => partText(message, part)).join('\n\n'),
    covers,
    stage,
    stageTitle: projected.projection.reports[stage]?.title ?? `stage ${stage + 1}`,
    assets: assetsBetween(engine, session, covers),
  });
}

/** What is in a row without a raw side: a message that a stage made, or a part that it put into another one. */
function madeAt({ projection, standing, synthetics }: FoundProjection['projected'], ordinal: number) {
  const synthetic = synthetics[ordinal]?.item;
  if (synthetic !== undefined) {
    return { item: synthetic, part: null, covers: synthetic.covers, stage: synthetic.stage };
  }
  const extra = standing.extras[ordinal - synthetics.length];
  const item = extra === undefined ? undefined : projection.view.items[extra.position];
  if (extra === undefined || item?.kind !== 'source' || item.text === undefined) return null;
  const covers = { from: item.index, to: item.index + 1 };
  return {
    item: { ...item, text: item.text },
    part: extra.part,
    covers,
    stage: projection.said.fateOf(item.index).stage ?? 0,
  };
}
