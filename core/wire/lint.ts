// The lint for people: what a provider would refuse of a view, with the repair that fixes each finding as texts before
// and after, and what the whole profile would do.
import type { TranscriptSource } from '../model/transcript.ts';
import type { ThinkingOutcome } from '../projection/binding/types.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import {
  answerFrom,
  answersBefore,
  type Change,
  type Draft,
  draftsIn,
  evidenceFor,
  type Finding,
  hygiene,
  isRepair,
  lint,
  openDrafts,
  PROFILE_NAMES,
  type Profile,
  type ProfileName,
  profileFor,
  RULES,
  type RuleContext,
  type RuleName,
  ruleNamed,
  sameOptions,
  WIRES,
} from '../stages/hygiene/index.ts';
import type { StageMemo, View } from '../view/types.ts';
import { homeOf, type RecordedBy } from './home.ts';
import { type Advice, thinkingFindings } from './thinkingLint.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from './types.ts';

export { TARGET_NAMES, unknownName } from '../stages/hygiene/index.ts';
export type { RecordedBy } from './home.ts';

/** A finding with its repair. Texts are JSON; null = there is no message before (put in) or after (dropped). */
export interface LintFinding extends Finding {
  readonly repairTitle: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** What the repair does, one clause; null if no rule can repair it, or not here. */
  readonly done: string | null;
  /** Ways out that are not a rule of hygiene; absent = there are none. */
  readonly advice?: readonly Advice[];
}

/** What a rule of the profile would do to the view. */
export interface ProposedRepair {
  readonly rule: RuleName;
  readonly title: string;
  readonly help: string;
  /** Repairs it would make: two messages that it joins are one. */
  readonly count: number;
}

/** The lint of a view. */
export interface LintReport {
  /** The wire format, for people, and where it is documented. */
  readonly wire: string;
  readonly source: string;
  /** How the provider was found. */
  readonly how: string;
  /** The request that can be written for that wire; null = none. */
  readonly target: WireTarget | null;
  readonly findings: readonly LintFinding[];
  /** The profile's rules that have something to do, in order. */
  readonly repairs: readonly ProposedRepair[];
}

/** What is looked at, and for whom. A blank target is found out from the messages. */
export interface LintRequest {
  readonly view: View;
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly sha256: (text: string) => string;
  readonly profile?: ProfileName | 'auto';
  readonly provider: string;
  readonly modelApi: string;
  readonly modelId: string;
  /** Where the transcript was recorded; absent = not known: then the shape of its answers decides. */
  readonly recorded?: RecordedBy;
  /** What the provider makes of the signed thinking in it, and under which spec; absent = it is not looked at. */
  readonly thinking?: ThinkingQuestion;
}

/** The thinking of a request, as its projection judged it. */
export interface ThinkingQuestion {
  readonly outcome: ThinkingOutcome | null;
  readonly spec: ProjectionSpec;
  /** The request was sent, and its answer is recorded. */
  readonly isAnswered: boolean;
}

/** The hygiene profile or rule of that name; null if there is none. */
export function namedProfile(name: string): ProfileName | 'auto' | null {
  return name === 'auto' ? name : (PROFILE_NAMES.find((each) => each === name) ?? null);
}

export function namedRule(name: string): RuleName | null {
  return ruleNamed(name)?.name ?? null;
}

/** Lints a view. Pure: images over the limits are reported; making them smaller is the stage's affair. */
export function lintView(request: LintRequest): LintReport {
  const { messages, profile, how, context } = prepareLint(request);
  const found = lint({ messages, wire: profile.wire, context, idMode: profile.options.idMode });
  const repairs = new Repairs(messages, context);
  const { title, source: documented } = WIRES[profile.wire];
  return {
    wire: title,
    source: documented,
    how,
    target: targetOfWire(profile.wire),
    findings: [...thinkingOf(request, profile.wire), ...found.map((finding) => repairs.complete(finding))],
    repairs: proposed(profile.rules, messages, context),
  };
}

/** The messages of a view with the rules that hold for them; shared by lint and proposed repair. */
export function prepareLint(request: LintRequest): {
  readonly messages: readonly Draft[];
  readonly profile: Profile;
  readonly how: string;
  readonly context: RuleContext;
} {
  const { view, source, memo, sha256, provider, modelApi, modelId, recorded = {} } = request;
  const messages = openDrafts(view, source, memo);
  const options = { profile: request.profile ?? 'auto', provider, model_api: modelApi, model: modelId };
  const { params } = hygiene.parse(options);
  if (params === null) throw new Error('the options of a lint are always valid');
  const { profile, how } = profileFor(params, answersToGoBy(messages, request), (shape) => homeOf(recorded, shape));
  return {
    messages,
    profile,
    how,
    context: { options: profile.options, sha256, resized: new Map(), same: sameOptions(profile, memo) },
  };
}

// The first request of a session, and the first behind a compaction, may hold no answer: then those of the transcript say it,
// the last before the request, else the first behind it.
function answersToGoBy(messages: readonly Draft[], { view, source, memo }: LintRequest): readonly Draft[] {
  if (messages.some(({ role }) => role === 'assistant')) return messages;
  const last = view.items.reduce((max, item) => (item.kind === 'source' ? Math.max(max, item.index) : max), -1);
  return answersNear({ source, memo, at: last === -1 ? source.length : last + 1 });
}

/** Messages up to a call point. */
export interface RequestPlace {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly at: number;
}

function answersNear({ source, memo, at }: RequestPlace): readonly Draft[] {
  const draftOf = draftsIn(source, memo);
  const before = answersBefore(source, at, draftOf);
  return before.length > 0 ? before : answerFrom(source, at, draftOf);
}

/** The target whose rules the lint of a request goes by where nobody names one; null = nothing shows it. */
export function targetAt(place: RequestPlace, recorded: RecordedBy): WireTarget | null {
  const answers = answersNear(place);
  const { params } = hygiene.parse({});
  if (params === null) throw new Error('no options are always valid');
  const homeFor = (shape: ProfileName) => homeOf(recorded, shape);
  const choice = { profile: 'auto', target: { provider: '', modelApi: '', modelId: '' } } as const;
  const { target, shape } = evidenceFor(choice, () => answers);
  if (target === null && shape === 'other' && homeFor(shape) === null) return null;
  return targetOfWire(profileFor(params, answers, homeFor).profile.wire);
}

function targetOfWire(wire: Profile['wire']): WireTarget | null {
  return WIRE_TARGETS.find((each) => TARGETS[each].wire === wire) ?? null;
}

function thinkingOf({ thinking, view }: LintRequest, wire: Profile['wire']): readonly LintFinding[] {
  if (thinking === undefined || wire !== TARGETS.anthropic.wire) return [];
  const { outcome, spec, isAnswered } = thinking;
  return thinkingFindings(outcome, spec, isAnswered).map(({ part: _part, ...finding }) => {
    const position = view.items.findIndex((item) => item.kind === 'source' && item.index === finding.index);
    return { ...finding, position, repair: null, repairTitle: null, before: null, after: null, done: null };
  });
}

// Each rule is run on what the ones before it have left, as the profile does.
function proposed(
  rules: readonly RuleName[],
  messages: readonly Draft[],
  context: RuleContext,
): readonly ProposedRepair[] {
  const found: ProposedRepair[] = [];
  let current = messages;
  for (const name of rules) {
    const { title, help } = RULES[name];
    const result = RULES[name].fix(current, context);
    current = result.messages;
    const count = result.changes.filter(isRepair).length;
    if (count > 0) found.push({ rule: name, title, help, count });
  }
  return found;
}

/** The repairs of single rules, each run once, handed out finding by finding. */
class Repairs {
  readonly #messages: readonly Draft[];
  readonly #context: RuleContext;
  readonly #changes = new Map<RuleName, ReadonlyMap<Draft | number, Change[]>>();

  constructor(messages: readonly Draft[], context: RuleContext) {
    this.#messages = messages;
    this.#context = context;
  }

  complete(finding: Finding): LintFinding {
    const { repair, position } = finding;
    const draft = this.#messages[position];
    const none = { ...finding, repairTitle: null, before: draft?.text ?? null, after: null, done: null };
    if (repair === null || draft === undefined) return none;
    const known = this.#of(repair);
    const change = take(known.get(draft)) ?? take(draft.index === null ? undefined : known.get(draft.index));
    const repairTitle = RULES[repair].title;
    if (change === undefined) return { ...none, repairTitle };
    const before = change.kind === 'inserted' ? null : change.before.text;
    return { ...finding, repairTitle, before, after: change.after?.text ?? null, done: change.done };
  }

  #of(rule: RuleName): ReadonlyMap<Draft | number, Change[]> {
    const known = this.#changes.get(rule);
    if (known !== undefined) return known;
    const made = new Map<Draft | number, Change[]>();
    const add = (key: Draft | number | null | undefined, change: Change): void => {
      if (key === null || key === undefined) return;
      const own = made.get(key);
      if (own === undefined) made.set(key, [change]);
      else own.push(change);
    };
    for (const change of RULES[rule].fix(this.#messages, this.#context).changes) {
      add(change.before, change);
      if (change.kind === 'inserted') add(change.because, change);
    }
    this.#changes.set(rule, made);
    return made;
  }
}

// The last one stays: several findings of a message may have one repair.
function take(changes: Change[] | undefined): Change | undefined {
  return changes !== undefined && changes.length > 1 ? changes.shift() : changes?.[0];
}
