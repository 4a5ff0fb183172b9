// "What is shown as sent is what is sent": the rows of a projection, read from the top, hold every part of the view once
// and in its order; what is struck out stands nowhere in it.
import { messageRows } from '../../core/engine/rows/layout.ts';
import { placeSynthetics, projectionLayout } from '../../core/engine/session/projected.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { MessageFates, Projection } from '../../core/projection/types.ts';
import { originOf } from '../../core/view/origins.ts';
import { readView, type ViewReader } from '../../core/view/reader.ts';
import { buildSourceMap } from '../../core/view/sourceMap.ts';
import { standingOf, type ViewPart } from '../../core/view/standing.ts';
import type { StageMemo } from '../../core/view/types.ts';

/** As much of a projection as rows are laid out by. */
export type Shown = Pick<Projection, 'view' | 'at'> & { readonly said: Pick<MessageFates, 'kindOf'> };

/** What the rows of a projection say. */
export interface ShownRows {
  /** Parts of the view that rows show as sent, from the top. */
  readonly sent: readonly ViewPart[];
  /** Raw parts before the call point that rows strike out, as `message.part`. */
  readonly struck: readonly string[];
}

/** Reads the rows, with (`ghosts`) or without those that are not sent. */
export function shownRows(source: TranscriptSource, projection: Shown, reader: ViewReader, ghosts: boolean): ShownRows {
  const { view, at } = projection;
  const parts = (index: number): number => source.facts(index).parts.length;
  const rows = messageRows(Array.from({ length: source.length }, (_, index) => parts(index)));
  const standing = standingOf(view, rows, parts);
  const synthetics = placeSynthetics(view, at);
  const map = buildSourceMap(view, at);
  const options = { fold: false, foldGone: false, open: [], ghosts };
  const layout = projectionLayout({ projection, synthetics, standing, gone: [] }, rows, options);
  const whole = (position: number): ViewPart[] => reader.facts(position).parts.map((_, part) => ({ position, part }));
  const sent: ViewPart[] = [];
  const struck: string[] = [];
  for (let row = 0; row < layout.rowCount; row++) {
    const place = layout.place(row);
    if (place.kind === 'fold') throw new Error('nothing was to be folded');
    if (place.kind === 'synthetic') {
      const synthetic = synthetics[place.ordinal];
      const extra = standing.extras[place.ordinal - synthetics.length];
      if (synthetic !== undefined) sent.push(...whole(synthetic.position));
      else if (extra !== undefined) sent.push({ position: extra.position, part: extra.part });
      continue;
    }
    const { index, part } = place;
    if (index >= at) continue;
    const position = map.positionOf(index);
    const known = standing.messages.get(index);
    const stands =
      known === undefined ? (position === null ? null : { position, part, own: true }) : (known[part] ?? null);
    if (stands === null) struck.push(`${index}.${part}`);
    else if (stands.own && stands.part < reader.facts(stands.position).parts.length)
      sent.push({ position: stands.position, part: stands.part });
  }
  return { sent, struck };
}

/** Where the rows say other than the view; empty = nowhere. */
export function shownFaults(source: TranscriptSource, projection: Shown, memo: StageMemo): readonly string[] {
  const reader = readView(projection.view, source, memo);
  const name = ({ position, part }: ViewPart): string => `${position}.${part}`;
  const view = projection.view.items.flatMap((_, position) =>
    reader.facts(position).parts.map((__, part) => name({ position, part })),
  );
  const stands = new Set<string>();
  for (const [position, item] of projection.view.items.entries()) {
    for (const part of reader.facts(position).parts.keys()) {
      for (const place of originOf(item, part)) stands.add(`${place.message}.${place.part}`);
    }
  }
  return [true, false].flatMap((ghosts) => {
    const { sent, struck } = shownRows(source, projection, reader, ghosts);
    const shown = sent.map(name);
    const at = shown.findIndex((each, i) => each !== view[i]);
    const first = at < 0 && shown.length < view.length ? shown.length : at;
    const both = struck.find((each) => stands.has(each));
    const rows = ghosts ? 'all rows' : 'the rows of the model view';
    return [
      ...(first < 0
        ? []
        : [`${rows} show ${shown[first] ?? 'nothing'} as sent where the view has ${view[first] ?? 'nothing'}`]),
      ...(both === undefined ? [] : [`${rows} strike out ${both}, which is sent`]),
    ];
  });
}
