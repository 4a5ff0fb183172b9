import type { DetailPart, MessageDetail, Row, SyntheticDetail } from '../../core/protocol/types.ts';
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
  /** null = nothing of it is in the request. */
  readonly projected: OpenedText | null;
}

/** Both sides of a part: as it was said, and as the request holds it, wherever it stands there. */
export function openedPart(detail: MessageDetail, row: Row): Opened {
  const part = detail.parts.find((one) => one.part === row.part);
  const mono = row.raw?.mono ?? false;
  const raw: OpenedText = part
    ? { body: part.text, mono, cut: part.truncated, chars: part.chars }
    : { body: detail.rawJson, mono: true, cut: detail.truncated, chars: detail.rawChars };
  return { loading: false, error: null, raw, projected: row.fate === 'future' ? null : sentText(detail, part, raw) };
}

function sentText(detail: MessageDetail, part: DetailPart | undefined, raw: OpenedText): OpenedText | null {
  if (part === undefined) {
    // A message without parts: what a stage made of it stands in one row with it.
    const { projectedJson: json, projectedChars: chars } = detail;
    return json === null ? null : { body: prettyJson(json), mono: true, cut: json.length < chars, chars };
  }
  const { sent } = part;
  if (sent === undefined) return raw;
  return sent === null ? null : { body: sent.text, mono: raw.mono, cut: sent.truncated, chars: sent.chars };
}

/** A synthetic message has no raw side. */
export function openedSynthetic(detail: SyntheticDetail): Opened {
  const projected = { body: detail.text, mono: false, cut: false, chars: detail.text.length };
  return { loading: false, error: null, raw: null, projected };
}
