import { figureSign } from '../../model/figureSign.ts';
import { exportName } from '../../protocol/exportName.ts';
import type { ReviewFinished, ReviewInfo, ReviewPlace } from '../../protocol/reviewTypes.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { leakPlace } from '../../scrub/finished.ts';
import { kindGroup, kindTitle } from '../../scrub/kinds.ts';
import { partAt } from '../../scrub/listing.ts';
import { ownDetector } from '../../scrub/own.ts';
import type { ReviewedPlace } from '../../scrub/review.ts';
import { base64Head } from '../../tokens/base64Head.ts';
import { imageSize } from '../../util/imageSize.ts';
import { err, ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { failure, SUPERSEDED } from '../failures.ts';
import type { FinishedReview } from '../review/finishReview.ts';
import { finishedOf, type HeldReview, type Reviews } from '../review/reviews.ts';
import { inTurns } from '../session/inTurns.ts';
import type { Turn } from '../session/workQueue.ts';

type ReviewNames =
  | 'review.open'
  | 'review.places'
  | 'review.image'
  | 'review.decide'
  | 'review.finish'
  | 'review.rows'
  | 'review.search'
  | 'review.close'
  | 'scrub.rules'
  | 'scrub.setRules';

/** Places of one answer, and leaks that one lists. */
const MOST_PLACES = 60;
const LISTED_LEAKS = 50;

const NO_IMAGE = failure('review.no_image', 'This is not an image that can be shown.');

/** What leaves is looked at before it does. */
export function reviewHandlers(engine: Engine, reviews: Reviews): Pick<Handlers, ReviewNames> {
  const { scrubbing } = engine.library.tables;
  const searches = engine.clientWork();
  return {
    async 'review.open'(subject, { clientId }) {
      const held = await reviews.open(clientId, subject);
      return held.ok ? ok(infoOf(held.value)) : held;
    },
    async 'review.places'({ reviewId, kind, tier, from, to }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const { review, leaving } = held.value.open;
      const places = review.places({ kind, tier }, from, Math.min(to, from + MOST_PLACES));
      const total = review.kinds().find((one) => one.kind === kind && one.tier === tier)?.count ?? 0;
      const made = await leaving.session.work.background('asked', (turn) => placesOf(held.value, places, turn)).done;
      return made.ok ? ok({ from, total, places: made.value }) : err(SUPERSEDED);
    },
    'review.image'({ reviewId, value: number }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const { review, keys } = held.value.open;
      const found = review.value(keys[number] ?? '');
      const base64 = found?.kind === 'image' ? found.value.replace(/^data:[^,]*,/, '') : '';
      const size = imageSize(base64Head(base64));
      return size === null ? err(NO_IMAGE) : ok({ mime: `image/${size.format}`, base64 });
    },
    async 'review.decide'({ reviewId, decision, value, kind, tier }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const { review, keys } = held.value.open;
      await reviews.decide(held.value, chosenOf(review, keys, { value, kind, tier }), decision);
      return ok(infoOf(held.value));
    },
    async 'review.finish'({ reviewId, slice = false }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const made = await reviews.finish(clientId, held.value, slice);
      return made.ok ? ok(finishedInfo(made.value)) : made;
    },
    'review.rows'({ reviewId, from, to }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const made = finishedOf(held.value);
      if (!made.ok) return made;
      const { text } = made.value;
      return ok({ from, total: text.rowCount, rows: text.rows(from, to) });
    },
    async 'review.search'({ reviewId, text }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const made = finishedOf(held.value);
      if (!made.ok) return made;
      const search = searches.begin(
        clientId,
        `${held.value.id} ${held.value.version} ${held.value.finished?.isSliced} ${text}`,
        () =>
          held.value.open.leaving.session.work.background('asked', (turn) =>
            inTurns(made.value.text.search(text), turn),
          ),
      );
      const found = await search.done;
      return found.ok ? ok(found.value) : err(SUPERSEDED);
    },
    'review.close'({ reviewId }, { clientId }) {
      reviews.close(clientId, reviewId);
      return ok({});
    },
    'scrub.rules': () => ok(scrubbing.rules()),
    async 'scrub.setRules'({ words, patterns }) {
      const rules = { words: distinct(words), patterns: distinct(patterns) };
      const tried = ownDetector(rules);
      if (!tried.ok) return err(failure('scrub.bad_rule', tried.error));
      await engine.writable();
      scrubbing.setRules(rules);
      return ok(scrubbing.rules());
    },
  };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

function chosenOf(
  review: HeldReview['open']['review'],
  keys: readonly string[],
  {
    value,
    kind,
    tier,
  }: {
    readonly value?: number | undefined;
    readonly kind?: string | undefined;
    readonly tier?: 'definite' | 'candidate' | undefined;
  },
): readonly string[] {
  if (value !== undefined) return keys.slice(value, value + 1);
  const kinds = review
    .kinds()
    .filter((one) => (kind === undefined || one.kind === kind) && (tier === undefined || one.tier === tier));
  return kinds.flatMap((one) => review.keys(one));
}

function infoOf({ id, version, open }: HeldReview): ReviewInfo {
  const { review, leaving } = open;
  const kinds = review.kinds();
  const sum = (of: (kind: (typeof kinds)[number]) => number): number => kinds.reduce((all, kind) => all + of(kind), 0);
  return {
    reviewId: id,
    version,
    at: leaving.at,
    kinds: kinds.map((one) => ({ ...one, title: kindTitle(one.kind), group: kindGroup(one.kind) })),
    found: sum(({ count }) => count),
    masked: sum(({ masked }) => masked),
    messages: review.messages,
    undecided: review.undecided.length,
    rules: leaving.rules,
  };
}

async function placesOf(
  { open }: HeldReview,
  places: readonly ReviewedPlace[],
  turn: Turn,
): Promise<readonly ReviewPlace[]> {
  const made: ReviewPlace[] = [];
  for (const place of places) {
    made.push(placeOf(open, place));
    const pause = turn.pause();
    if (pause) await pause;
  }
  return made;
}

function placeOf({ review, numbers, leaving }: HeldReview['open'], place: ReviewedPlace): ReviewPlace {
  const { index, of, path, key, kind } = place;
  const { decision = null, count = 0, value = '' } = review.value(key) ?? {};
  const { out, ...before } = review.texts(place);
  const { source } = leaving.session;
  const parts = index === null || of === 'record' ? [] : source.facts(index).parts;
  const part = partAt(parts, path);
  const size = kind === 'image' ? imageSize(base64Head(value.replace(/^data:[^,]*,/, ''))) : null;
  return {
    value: numbers.get(key) ?? 0,
    index,
    part,
    where: whereOf(place, index === null ? null : source.facts(index).role, parts[part ?? -1]?.kind ?? null),
    path,
    decision,
    count,
    before,
    out,
    image:
      kind === 'image'
        ? { bytes: Math.floor((value.length * 3) / 4), width: size?.width ?? null, height: size?.height ?? null }
        : null,
  };
}

function whereOf({ of, path }: ReviewedPlace, role: string | null, part: string | null): string {
  if (role === null) return path.length === 0 ? 'apart from the messages' : `apart from the messages: ${path[0]}`;
  if (of === 'record') return `${role}, recorded with it`;
  return part === null ? role : `${role}, ${part.replaceAll('_', ' ')}`;
}

function finishedInfo({
  text,
  leaks,
  isSame,
  input,
  originalTokens,
  signatures,
  sums,
}: FinishedReview): ReviewFinished {
  const { projected } = input.tokens ?? { projected: null };
  const sign = figureSign(projected?.provenance ?? 'estimated');
  return {
    name: exportName(input.transcript.title, input.projection.at, 'bundle'),
    pageName: exportName(input.transcript.title, input.projection.at, 'page'),
    bytes: text.bytes,
    lines: text.lines,
    rows: text.rowCount,
    left: leaks.slice(0, LISTED_LEAKS).map((leak) => {
      const [first, second, index] = leak.path;
      const isMessage = first === 'raw' && second === 'messages' && typeof index === 'number';
      return { title: kindTitle(leak.kind), place: leakPlace(leak), index: isMessage ? index : null };
    }),
    leftCount: leaks.length,
    sameOutcome: isSame,
    compared: input.projection.at,
    tokens: { original: originalTokens, written: projected?.total ?? 0, sign },
    prefixHash: sums.prefixHash,
    signatures,
    slice: input.slice === undefined ? null : { emptied: input.slice.emptied, minimal: input.slice.minimal },
  };
}
