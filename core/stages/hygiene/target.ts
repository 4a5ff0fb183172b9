// What a transcript shows of the provider it was held with, where nobody says so.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { ViewItem } from '../../view/types.ts';
import type { Draft } from './draft.ts';
import { spelledOut } from './names.ts';
import { type Detection, detect, detectionOf, PROFILE_NAMES, type ProfileName } from './profiles.ts';
import type { Target } from './types.ts';

/** What was chosen: a profile by name, or `auto` with what is known of the target. */
export interface Choice {
  readonly profile: ProfileName | 'auto';
  readonly target: Target;
}

/** A detection and how it came about, for people. */
export interface Detected {
  readonly detection: Detection;
  readonly how: string;
}

/** The profile name of that spelling; null if there is none. */
export function profileNamed(name: string): ProfileName | null {
  return PROFILE_NAMES.find((each) => each === name) ?? null;
}

/** What the last answers say of where the request goes. */
export interface Evidence {
  /** As the last answer recorded it; null = it did not. */
  readonly target: Target | null;
  /** Whose shape the last answers have. */
  readonly shape: ProfileName;
  /** Where the transcript was recorded; absent = nothing but its messages is known, as in a stage. */
  readonly home?: Home | null;
}

/** Whose requests a transcript records, and what says so: `by the format of the transcript`. */
export interface Home {
  readonly profile: ProfileName;
  readonly by: string;
}

const NO_EVIDENCE: Evidence = { target: null, shape: 'other' };

/** What the messages say; nothing where the choice alone decides: then they are not asked for. */
export function evidenceFor({ profile, target }: Choice, messages: () => readonly Draft[]): Evidence {
  if (profile !== 'auto' || isNamed(target)) return NO_EVIDENCE;
  const tail = messages();
  return { target: recordedTarget(tail), shape: shapeOf(tail) };
}

/** True if both lead to the same profile under one choice. */
export function isSameEvidence(a: Evidence, b: Evidence): boolean {
  const [one, other] = [a.target, b.target];
  if (a.shape !== b.shape || (one === null) !== (other === null)) return false;
  return one?.provider === other?.provider && one?.modelApi === other?.modelApi && one?.modelId === other?.modelId;
}

/**
 * Finds out what holds: as chosen, else as the last answers say (`provider`, `api`, `model`), else by where the transcript was
 * recorded, else by the shape of the answers: texts alone have none, and a shape may be that of whoever wrote them down.
 */
export function detectBy({ profile, target }: Choice, { target: recorded, shape, home }: Evidence): Detected {
  if (profile !== 'auto') return { detection: detectionOf(profile), how: `profile ${profile}` };
  if (isNamed(target)) return detected(target);
  if (recorded !== null) {
    const { detection, how } = detected(recorded);
    return { detection, how: `${how}, as recorded` };
  }
  if (home) return { detection: detectionOf(home.profile), how: `profile ${home.profile}, ${home.by}` };
  return { detection: detectionOf(shape), how: `profile ${shape}, by the shape of the messages` };
}

function isNamed({ provider, modelApi, modelId }: Target): boolean {
  return provider !== '' || modelApi !== '' || modelId !== '';
}

// A target of which nothing holds gets the rules for all others: it is said, for its name may be misspelt.
function detected(named: Target): Detected {
  const target = spelledOut(named);
  const detection = detect(target);
  const isKnown = Object.values(detection).includes(true);
  return { detection, how: `${targetText(target)}${isKnown ? '' : ', which has no specific rules'}` };
}

function targetText({ provider, modelApi, modelId }: Target): string {
  return [provider, modelApi, modelId].filter((word) => word !== '').join(' · ');
}

// Only the last answer: earlier ones may have come from elsewhere.
function recordedTarget(messages: readonly Draft[]): Target | null {
  const last = messages.findLast((draft) => draft.role === 'assistant');
  return last === undefined ? null : last.answerFacts.target;
}

const LOOKED_AT = 40;

/** The last messages of a view, as many as {@link evidenceFor} needs to find what it finds in the whole. */
export function targetTail(view: LiveView, draftOf: (item: ViewItem) => Draft): readonly Draft[] {
  const tail: Draft[] = [];
  let isAnswered = false;
  for (let at = view.length - 1; at >= 0 && (tail.length < LOOKED_AT || !isAnswered); at--) {
    const draft = draftOf(view.item(at));
    tail.push(draft);
    if (draft.role !== 'assistant') continue;
    const { target, shape } = draft.answerFacts;
    // The last answer names its target; otherwise the last recognisable shape decides.
    if ((target !== null && !isAnswered) || shape !== null) break;
    isAnswered = true;
  }
  return tail.reverse();
}

/** Messages among which an answer is looked for where the request holds none. */
const MOST_LOOKED_AT = 2_000;

/**
 * The last answers before a call point, as many as say where it goes: the first request behind a compaction may hold none,
 * and goes where the one before went.
 */
export function answersBefore(
  source: TranscriptSource,
  at: number,
  draftOf: (item: ViewItem) => Draft,
): readonly Draft[] {
  const answers: Draft[] = [];
  const least = Math.max(0, at - MOST_LOOKED_AT);
  for (let index = at - 1; index >= least && answers.length < LOOKED_AT; index--) {
    if (source.facts(index).role !== 'assistant') continue;
    const draft = draftOf({ kind: 'source', index });
    answers.unshift(draft);
    if (draft.answerFacts.target !== null || draft.answerFacts.shape !== null) break;
  }
  return answers;
}

/** The first answer from a call point on, if it is near: before there is any, it says where the request went. */
export function answerFrom(source: TranscriptSource, at: number, draftOf: (item: ViewItem) => Draft): readonly Draft[] {
  const most = Math.min(source.length, at + MOST_LOOKED_AT);
  for (let index = at; index < most; index++) {
    if (source.facts(index).role === 'assistant') return [draftOf({ kind: 'source', index })];
  }
  return [];
}

function shapeOf(messages: readonly Draft[]): ProfileName {
  for (const draft of messages.slice(-LOOKED_AT).toReversed()) {
    const shape = draft.role === 'assistant' ? draft.answerFacts.shape : null;
    if (shape !== null) return shape;
  }
  return 'other';
}

/** Where an answer came from, as it says itself; null = it does not. */
export function routeOf(draft: Draft): Target | null {
  return draft.role === 'assistant' ? draft.answerFacts.target : null;
}
