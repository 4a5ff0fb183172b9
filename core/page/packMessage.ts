// browser-safe
// A message's detail without what its recorded text already says, and back again.
import { parseMessage } from '../model/decode.ts';
import { partText } from '../model/partText.ts';
import { readMessage } from '../model/readMessage.ts';
import type { MessageDetail, Why } from '../protocol/types.ts';
import type { PackedMessage, PackedPart } from './types.ts';

/** Packs the uncut detail of a message. Where it lay on the machine it was made on is left out. */
export function packMessage(detail: MessageDetail, why: Why | null): PackedMessage {
  const texts = partTexts(detail.rawJson);
  const { projectedJson, parts, ...rest } = detail;
  return {
    ...rest,
    origins: [],
    ...(projectedJson !== detail.rawJson && { projectedJson }),
    parts: parts.map(({ text, ...part }): PackedPart => (texts[part.part] === text ? part : { ...part, text })),
    ...(why !== null && { why }),
  };
}

/** The uncut detail of a packed message. */
export function unpackMessage({ why: _, projectedJson, parts, ...rest }: PackedMessage): MessageDetail {
  const texts = partTexts(rest.rawJson);
  return {
    ...rest,
    projectedJson: projectedJson === undefined ? rest.rawJson : projectedJson,
    parts: parts.map((part) => ({ ...part, text: part.text ?? texts[part.part] ?? '' })),
  };
}

/** A detail with texts cut at `limit` UTF-16 units, as the engine answers it. */
export function cutDetail(detail: MessageDetail, limit: number): MessageDetail {
  const parts = detail.parts.map((part) => cutPart(part, limit));
  const isCut = detail.rawChars > limit || detail.projectedChars > limit || parts.some(({ truncated }) => truncated);
  return {
    ...detail,
    rawJson: cut(detail.rawJson, limit),
    projectedJson: detail.projectedJson === null ? null : cut(detail.projectedJson, limit),
    truncated: isCut,
    parts,
  };
}

type Part = MessageDetail['parts'][number];

function cutPart(part: Part, limit: number): Part {
  const { sent, call } = part;
  return {
    ...part,
    text: cut(part.text, limit),
    truncated: part.text.length > limit,
    ...(sent && { sent: { ...sent, text: cut(sent.text, limit), truncated: sent.text.length > limit } }),
    ...(call && { call: { ...call, text: cut(call.text, limit) } }),
  };
}

function partTexts(json: string): readonly string[] {
  const value = parseMessage(json);
  return readMessage(value).parts.map((part) => partText(value, part));
}

/** Half of a character that takes two units is left out. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
