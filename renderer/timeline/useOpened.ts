import { useEffect, useState } from 'react';
import type { MessageDetail, Row, SyntheticDetail } from '../../core/protocol/types.ts';
import { prettyJson } from '../drawer/prettyJson.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

const LIMIT = 20_000;
const ALL = 50_000_000;

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

const LOADING: Opened = { loading: true, error: null, raw: null, projected: null };

/** Fetches what an opened row shows, again for each projection; the old text stays until the new one is here. */
export function useOpened(row: Row): { readonly opened: Opened; readonly showAll: () => void } {
  const { engine } = useApp();
  const projectionId = useAppState((state) => state.projection.pages.projectionId);
  const [limit, setLimit] = useState(LIMIT);
  const [opened, setOpened] = useState(LOADING);
  useEffect(() => {
    if (projectionId === null) return;
    let isWanted = true;
    const asked =
      row.kind === 'synthetic'
        ? engine.call('projection.synthetic', { projectionId, row: row.row }).then(openedSynthetic)
        : engine
            .call('projection.detail', { projectionId, index: row.index, limit })
            .then((one) => openedPart(one, row));
    asked.then(
      (value) => isWanted && setOpened(value),
      (thrown: unknown) =>
        isWanted && setOpened({ ...LOADING, loading: false, error: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, projectionId, row, limit]);
  return { opened, showAll: () => setLimit(ALL) };
}

/**
 * Both sides of a part. Kept: the same text. Changed: the message as the request holds it, since a stage may have
 * moved the part. Gone: nothing.
 */
export function openedPart(detail: MessageDetail, row: Row): Opened {
  const part = detail.parts.find((one) => one.part === row.part);
  const mono = row.raw?.mono ?? false;
  const raw: OpenedText = part
    ? { body: part.text, mono, cut: part.truncated, chars: part.chars }
    : { body: detail.rawJson, mono: true, cut: detail.truncated, chars: detail.rawChars };
  const isSame = row.fate === 'kept';
  const json = detail.projectedJson;
  const changed =
    json === null
      ? null
      : { body: prettyJson(json), mono: true, cut: json.length < detail.projectedChars, chars: detail.projectedChars };
  return { loading: false, error: null, raw, projected: row.projected === null ? null : isSame ? raw : changed };
}

/** A synthetic message has no raw side. */
export function openedSynthetic(detail: SyntheticDetail): Opened {
  const projected = { body: detail.text, mono: false, cut: false, chars: detail.text.length };
  return { loading: false, error: null, raw: null, projected };
}
