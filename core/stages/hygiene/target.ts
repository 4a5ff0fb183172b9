// What a transcript tells of the provider it was held with, where nobody says so.
import { ownAt, stringAt } from '../../util/unknown.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { ViewItem } from '../../view/types.ts';
import type { Draft, Fields } from './draft.ts';
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

/** Finds out what holds: as chosen, else as the last answers say (`provider`, `api`, `model`), else by their shape. */
export function detectFor({ profile, target }: Choice, messages: readonly Draft[]): Detected {
  if (profile !== 'auto') return { detection: detectionOf(profile), how: `profile ${profile}` };
  if (target.provider !== '' || target.modelApi !== '' || target.modelId !== '') {
    return detected(target);
  }
  const recorded = recordedTarget(messages);
  if (recorded !== null) {
    const { detection, how } = detected(recorded);
    return { detection, how: `${how}, as recorded` };
  }
  const shaped = shapeOf(messages);
  return { detection: detectionOf(shaped), how: `profile ${shaped}, by the shape of the messages` };
}

// A target of which nothing holds gets the rules for all others: it is said, for its name may be misspelt.
function detected(named: Target): Detected {
  const target = spelledOut(named);
  const detection = detect(target);
  const isKnown = Object.values(detection).includes(true);
  return { detection, how: `${targetText(target)}${isKnown ? '' : ', which has no rules of its own'}` };
}

function targetText({ provider, modelApi, modelId }: Target): string {
  return [provider, modelApi, modelId].filter((word) => word !== '').join(' · ');
}

// Only the last answer: earlier ones may have come from elsewhere.
function recordedTarget(messages: readonly Draft[]): Target | null {
  const last = messages.findLast((draft) => draft.role === 'assistant');
  return last === undefined ? null : toldBy(last).target;
}

const LOOKED_AT = 40;

/** The last messages of a view, as many as {@link detectFor} needs to find what it finds in the whole. */
export function targetTail(view: LiveView, draftOf: (item: ViewItem) => Draft): readonly Draft[] {
  const tail: Draft[] = [];
  let isAnswered = false;
  for (let at = view.length - 1; at >= 0 && (tail.length < LOOKED_AT || !isAnswered); at--) {
    const draft = draftOf(view.item(at));
    tail.push(draft);
    if (draft.role !== 'assistant') continue;
    const { target, shape } = toldBy(draft);
    // The last answer names its target, or it goes by the last shape that tells.
    if ((target !== null && !isAnswered) || shape !== null) break;
    isAnswered = true;
  }
  return tail.reverse();
}

function shapeOf(messages: readonly Draft[]): ProfileName {
  for (const draft of messages.slice(-LOOKED_AT).toReversed()) {
    const shape = draft.role === 'assistant' ? toldBy(draft).shape : null;
    if (shape !== null) return shape;
  }
  return 'other';
}

/** What one answer tells: who gave it, and whose shape it has; null = it does not tell. */
interface Told {
  readonly target: Target | null;
  readonly shape: ProfileName | null;
}

/** Where an answer came from, as it says itself; null = it does not. */
export function routeOf(draft: Draft): Target | null {
  return draft.role === 'assistant' ? toldBy(draft).target : null;
}

// At every call point the last answers are asked again.
const TOLD = new WeakMap<Draft, Told>();

function toldBy(draft: Draft): Told {
  const known = TOLD.get(draft);
  if (known !== undefined) return known;
  const { text } = draft;
  // Most answers tell nothing but their shape, and to find that out by reading them takes longer.
  const value = MAY_TELL.test(text) ? draft.value : NO_FIELDS;
  const provider = stringAt(value, 'provider') ?? '';
  const modelApi = stringAt(value, 'api') ?? '';
  const isNamed = provider !== '' || modelApi !== '';
  const target = isNamed ? { provider, modelApi, modelId: stringAt(value, 'model') ?? '' } : null;
  const told = { target, shape: shapeOfOne(value, text) };
  TOLD.set(draft, told);
  return told;
}

// A key may be escaped.
const MAY_TELL = /"(?:provider|api|parts|tool_calls)"|\\u/;
const NO_FIELDS: Fields = {};

function shapeOfOne(value: Fields, text: string): ProfileName | null {
  if (Array.isArray(ownAt(value, 'parts'))) return 'google';
  if (/"type"\s*:\s*"(?:tool_use|redacted_thinking)"/.test(text)) return 'anthropic';
  if (/"type"\s*:\s*"(?:output_text|function_call|reasoning)"/.test(text)) return 'openai-responses';
  return Object.hasOwn(value, 'tool_calls') ? 'openai' : null;
}
