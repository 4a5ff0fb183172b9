// What became of each part of the raw transcript in a projection: as the rows of the screen have it.
import { partFateIn } from '../insight/partFate.ts';
import type { PartPlace } from '../model/exchanges.ts';
import { readMessage } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Projection } from '../projection/types.ts';
import { standsInView } from '../view/fates.ts';
import { samePartsOf } from '../view/sameParts.ts';
import { buildSourceMap, type SourceMap } from '../view/sourceMap.ts';
import { type Standing, standingOf } from '../view/standing.ts';
import type { Fate, FateKind, ViewItem } from '../view/types.ts';

/** A projection with where its parts stand. `sameParts` of an edited or made item: see core/view/sameParts.ts. */
export interface ProjectedParts {
  readonly projection: Projection;
  readonly map: SourceMap;
  readonly standing: Standing;
  readonly sameParts: (item: ViewItem) => readonly (PartPlace | null)[];
}

/** The fate of a part, and where its words are: in its own row, in another's, or (null) not in the request. */
export interface PartStanding {
  readonly fate: FateKind | 'future';
  readonly where: 'own' | 'elsewhere' | null;
  readonly stage: number | null;
  readonly rule: string | null;
}

const FUTURE: PartStanding = { fate: 'future', where: null, stage: null, rule: null };

/** What became of part `part` of message `index`. */
export function partStanding(given: ProjectedParts, index: number, part: number): PartStanding {
  const { projection, map, standing } = given;
  if (index >= projection.at) return FUTURE;
  const fate = projection.said.fateOf(index);
  const { stage, rule } = fate;
  const named = fate.parts?.find((each) => each.part === part);
  const position = map.positionOf(index);
  const moved = standing.messages.get(index);
  if (moved === undefined && (position === null || projection.view.items[position]?.text === undefined)) {
    const kind = (named ?? fate).kind;
    return { fate: kind, where: standsInView(kind) ? 'own' : null, stage, rule };
  }
  const place = moved === undefined ? { position: position ?? -1, part, own: true } : (moved[part] ?? null);
  const holder = place === null ? undefined : projection.view.items[place.position];
  if (place === null || holder === undefined)
    return { fate: partFateIn(fate, named, null).kind, where: null, stage, rule };
  if (holder.text === undefined) {
    const kind = partFateIn(fate, named, null).kind;
    return { fate: kind, where: null, stage, rule };
  }
  const same = given.sameParts(holder)[place.part];
  const isSame = same?.message === index && same.part === part;
  const isInOwn = holder.kind === 'source' && holder.index === index;
  const kind = isInOwn ? partFateIn(fate, named, isSame).kind : elsewhereKind(fate);
  return { fate: kind, where: place.own ? 'own' : 'elsewhere', stage, rule };
}

// A message of which a part is in another one was joined with it, whatever else was said of it.
function elsewhereKind({ kind }: Fate): FateKind {
  return standsInView(kind) ? 'merged' : kind;
}

/** A projection with what its parts are found by. Items with a text of their own are read when they are asked for. */
export function projectedParts(source: TranscriptSource, projection: Projection): ProjectedParts {
  const partsOf = (index: number): number => source.facts(index).parts.length;
  const starts = new Uint32Array(source.length + 1);
  for (let index = 0; index < source.length; index++) {
    starts[index + 1] = (starts[index] ?? 0) + Math.max(1, partsOf(index));
  }
  const read = new Map<ViewItem, readonly (PartPlace | null)[]>();
  const sameParts = (item: ViewItem): readonly (PartPlace | null)[] => {
    const known = read.get(item);
    if (known !== undefined) return known;
    const message: unknown = JSON.parse(item.text ?? '');
    const made = samePartsOf(item, message, readMessage(message), source);
    read.set(item, made);
    return made;
  };
  const { view, at } = projection;
  return { projection, map: buildSourceMap(view, at), standing: standingOf(view, starts, partsOf), sameParts };
}
