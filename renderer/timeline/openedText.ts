import { partText } from '../../core/model/partText.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { MessageDetail, Row, SyntheticDetail } from '../../core/protocol/types.ts';
import { prettyJson } from '../drawer/prettyJson.ts';

export interface OpenedText {
  readonly body: string;
  readonly mono: boolean;
  readonly cut: boolean;
  readonly chars: number;
}

export interface Opened {
  readonly loading: boolean;
  readonly error: string | null;
  readonly raw: OpenedText | null;
  /** null = the model sees nothing of it. */
  readonly projected: OpenedText | null;
}

/**
 * Both sides of a part. Kept: the same text. Changed: the part as the request holds it; where it cannot be found again
 * (a stage moved it, or the text is cut), the whole message. Gone: nothing.
 */
export function openedPart(detail: MessageDetail, row: Row): Opened {
  const part = detail.parts.find((one) => one.part === row.part);
  const mono = row.raw?.mono ?? false;
  const raw: OpenedText = part
    ? { body: part.text, mono, cut: part.truncated, chars: part.chars }
    : { body: detail.rawJson, mono: true, cut: detail.truncated, chars: detail.rawChars };
  const isSame = row.fate === 'kept';
  const json = detail.projectedJson;
  const text = json === null || json.length < detail.projectedChars ? null : partIn(json, detail, row);
  const changed =
    json === null
      ? null
      : text !== null
        ? { body: text, mono, cut: false, chars: text.length }
        : {
            body: prettyJson(json),
            mono: true,
            cut: json.length < detail.projectedChars,
            chars: detail.projectedChars,
          };
  return { loading: false, error: null, raw, projected: row.projected === null ? null : isSame ? raw : changed };
}

/** The text of a raw message's part in the edited message: the part that answers or makes the same call, or stands there. */
function partIn(json: string, detail: MessageDetail, row: Row): string | null {
  const message: unknown = JSON.parse(json);
  const { parts } = readMessage(message);
  const raw = detail.parts.find((one) => one.part === row.part);
  if (raw === undefined) return null;
  const named =
    raw.callId === null ? [] : parts.filter(({ kind, callId }) => kind === raw.kind && callId === raw.callId);
  const there = parts.length === detail.parts.length ? parts[row.part] : undefined;
  const found = named.length === 1 ? named[0] : there?.kind === raw.kind ? there : undefined;
  return found === undefined ? null : partText(message, found);
}

/** A synthetic message has no raw side. */
export function openedSynthetic(detail: SyntheticDetail): Opened {
  const projected = { body: detail.text, mono: false, cut: false, chars: detail.text.length };
  return { loading: false, error: null, raw: null, projected };
}
