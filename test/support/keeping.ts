// Keep this in tests: the search with plain projections, and its claims checked by others.
import {
  applyPatch,
  findChanges,
  findPins,
  type KeepFound,
  type KeepSubject,
  keptThing,
  type PinChoice,
  type ProvedChange,
} from '../../core/insight/keep/index.ts';
import { observe } from '../../core/insight/visibility.ts';
import { decodedFields } from '../../core/model/decode.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { type ProjectOptions, project, type StageStep } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText } from '../../core/view/reader.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { stagesOf } from './projecting.ts';

/** What stages are given under a spec. */
export type InputsOf = (spec: ProjectionSpec) => ProjectOptions;

/** All changes, as the search finds them. */
export function changesOf(
  source: TranscriptSource,
  spec: ProjectionSpec,
  at: number,
  subject: KeepSubject,
  inputsOf: InputsOf = () => ({}),
): KeepFound {
  const memo = createMemo();
  const thing = keptThing(subject, at, source, memo);
  if (thing === null) throw new Error('there is nothing to look for');
  const tokens = inputsOf(spec).tokens ?? estimatedTokens(source);
  const search = findChanges({ source, spec, at, subject, thing, tokens });
  const kept = new KeptPipeline();
  let step = search.next();
  while (step.done !== true) {
    const { parsed } = step.value;
    const steps: StageStep[] = [];
    const options = { ...inputsOf(parsed.spec), memo, kept, explain: false };
    const { view } = project(source, parsed.stages, at, { ...options, observe: (one) => void steps.push(one) });
    step = search.next({ view, steps });
  }
  return step.value;
}

/** The ways to pin a message, as the search finds them. */
export function pinsOf(
  source: TranscriptSource,
  spec: ProjectionSpec,
  { at, message, words = null }: { readonly at: number; readonly message: number; readonly words?: string | null },
): readonly PinChoice[] {
  const search = findPins({ source, memo: createMemo(), front: {}, spec, at, message, words });
  let step = search.next(null);
  while (step.done !== true) {
    step = search.next({ view: project(source, step.value.parsed.stages, at).view, steps: [] });
  }
  return step.value;
}

/** Whether a request holds it: a projection of its own, a message by its trace, a text by every string of every message. */
export function isHeld(
  source: TranscriptSource,
  spec: ProjectionSpec,
  at: number,
  subject: KeepSubject,
  inputsOf: InputsOf = () => ({}),
): boolean {
  const projection = project(source, stagesOf(spec), at, inputsOf(spec));
  if ('message' in subject)
    return observe(source, projection, { index: subject.message, part: null }).state === 'visible';
  const wanted = plain(subject.text);
  return projection.view.items.some((item) => {
    const message: unknown = JSON.parse(itemText(item, source));
    return readMessage(message).parts.some((part) =>
      decodedFields(message, part).some((field) => plain(field).includes(wanted)),
    );
  });
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Everything a change says of itself that is not so; empty = it holds. */
export function faultsOf(
  { spec, less, patch, words }: ProvedChange,
  source: TranscriptSource,
  before: ProjectionSpec,
  at: number,
  subject: KeepSubject,
  inputsOf: InputsOf = () => ({}),
): readonly string[] {
  const faults: string[] = [];
  if (!parseSpec(spec, STAGES).ok) return [`${words}: its spec does not parse`];
  if (!isHeld(source, spec, at, subject, inputsOf)) faults.push(`${words}: absent`);
  for (const smaller of less)
    if (isHeld(source, smaller, at, subject, inputsOf)) faults.push(`${words}: less does it too`);
  if (JSON.stringify(patched(before, patch)) !== JSON.stringify(spec))
    faults.push(`${words}: its patch gives another spec`);
  if (JSON.stringify(applyPatch(before, patch)) !== JSON.stringify(spec))
    faults.push(`${words}: its patch applies otherwise`);
  return faults;
}

/** The JSON behind a patch, by the plainest reading of RFC 6902. */
export function patched(spec: ProjectionSpec, patch: ProvedChange['patch']): unknown {
  const root: unknown = JSON.parse(JSON.stringify(spec));
  for (const { op, path, from = '', value } of patch) {
    const moved = op === 'move' ? take(root, from) : value;
    if (op === 'remove') take(root, path);
    else put(root, path, moved, op !== 'replace');
  }
  return root;
}

function holderOf(
  root: unknown,
  path: string,
): { readonly holder: Record<string, unknown> | unknown[]; readonly key: string } {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop() ?? '';
  let holder = root as Record<string, unknown>;
  for (const each of keys) holder = holder[each] as Record<string, unknown>;
  return { holder, key };
}

function take(root: unknown, path: string): unknown {
  const { holder, key } = holderOf(root, path);
  if (Array.isArray(holder)) return holder.splice(Number(key), 1)[0];
  const value = holder[key];
  delete holder[key];
  return value;
}

function put(root: unknown, path: string, value: unknown, adds: boolean): void {
  const { holder, key } = holderOf(root, path);
  if (Array.isArray(holder)) holder.splice(Number(key), adds ? 0 : 1, value);
  else holder[key] = value;
}
