import type { DetailPart, MessageDetail, NamedAsset, Row, SyntheticDetail } from '../../core/protocol/types.ts';
import type { MessageJson } from '../parts/inlineImage.ts';
import { prettyJson } from '../ui/prettyJson.ts';

export interface OpenedText {
  readonly body: string;
  readonly mono: boolean;
  readonly cut: boolean;
  readonly chars: number;
}

/** An image by its asset, or by the message that holds it. */
export type OpenedPicture =
  | { readonly assetId: string }
  | { readonly named: NamedAsset }
  | { readonly detail: MessageJson; readonly part: number };

export interface Opened {
  /** What kind of part the texts are of; null = of a whole message. */
  readonly part: Pick<DetailPart, 'kind' | 'label' | 'name' | 'call' | 'attached' | 'chars' | 'assetIds'> | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly raw: OpenedText | null;
  /** What draws an image part; null = it is another part. */
  readonly picture: OpenedPicture | null;
  /** null = nothing of it is in the request. */
  readonly projected: OpenedText | null;
}

/** Both sides of a part: as it was said, and as the request holds it, wherever it is there. */
export function openedPart(detail: MessageDetail, row: Row): Opened {
  const part = detail.parts.find((one) => one.part === row.part);
  const mono = row.raw?.mono ?? false;
  const raw: OpenedText = part
    ? { body: part.text, mono, cut: part.truncated, chars: part.chars }
    : { body: detail.rawJson, mono: true, cut: detail.truncated, chars: detail.rawChars };
  const projected = row.fate === 'future' ? null : sentText(detail, part, raw);
  return { loading: false, error: null, part: part ?? null, picture: pictureOf(detail, row.part), raw, projected };
}

function sentText(detail: MessageDetail, part: DetailPart | undefined, raw: OpenedText): OpenedText | null {
  if (part === undefined) {
    // A message without parts: what a stage made of it is in one row with it.
    const { projectedJson: json, projectedChars: chars } = detail;
    return json === null ? null : { body: prettyJson(json), mono: true, cut: json.length < chars, chars };
  }
  const { sent } = part;
  if (sent === undefined) return raw;
  return sent === null ? null : { body: sent.text, mono: raw.mono, cut: sent.truncated, chars: sent.chars };
}

function pictureOf(detail: MessageDetail, number: number): OpenedPicture | null {
  const part = detail.parts.find((one) => one.part === number);
  if (part?.kind !== 'image') return null;
  const [assetId] = part.assetIds;
  if (assetId !== undefined) return { assetId };
  if (part.asset !== undefined) return { named: part.asset };
  return { detail, part: number };
}

const PROSE: Opened['part'] = { kind: 'text', label: 'text', name: null, chars: 0, assetIds: [] };

/** A synthetic message has no raw side. */
export function openedSynthetic(detail: SyntheticDetail): Opened {
  const projected = { body: detail.text, mono: false, cut: false, chars: detail.text.length };
  return { loading: false, error: null, part: PROSE, picture: null, raw: null, projected };
}
