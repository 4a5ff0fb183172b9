// Keep this on the command line: answers the search with projections, and measures a session under each change.
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import type { SessionRequests } from '../../core/engine/requests/index.ts';
import { followPoints } from '../../core/engine/requests/index.ts';
import {
  byPrice,
  findChanges,
  findPins,
  type KeepFound,
  type KeepSearch,
  type KeepSubject,
  keptThing,
  type Measured,
  type PinChoice,
  type PricedChange,
  type ProbeAnswer,
  type ProbeRequest,
  type ProvedChange,
  priceOf,
} from '../../core/insight/keep/index.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { type ParsedSpec, parseSpec } from '../../core/projection/parseSpec.ts';
import type { StageStep } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { lintView } from '../../core/wire/lint.ts';
import type { Projector } from './projecting.ts';

/** What is to be kept in which request, under which spec. */
export interface Keeping {
  readonly projector: Projector;
  readonly requests: SessionRequests;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly subject: KeepSubject;
}

/** The changes with their prices, cheapest first; null = there is nothing to look for. */
export async function keepChanges(
  keeping: Keeping,
): Promise<(Omit<KeepFound, 'changes'> & { readonly changes: readonly PricedChange[] }) | null> {
  const found = await searchChanges(keeping);
  if (found === null) return null;
  const changes = await priced(keeping, found.changes);
  return { ...found, changes: [...changes].sort(byPrice) };
}

/** The message that is to be pinned, and words of it; null = none were given. */
export interface Pinning extends Omit<Keeping, 'subject'> {
  readonly message: number;
  readonly words: string | null;
}

/** A way to pin with its price; `change` null = it does not do. */
export interface PricedPin extends Omit<PinChoice, 'change'> {
  readonly change: PricedChange | null;
}

/** The ways to pin a message, in their order; none of a message that no request before the call point could hold. */
export async function pinChoices({ message, words, ...pinning }: Pinning): Promise<readonly PricedPin[]> {
  const { source, meta, memo } = pinning.requests;
  const question = { source, memo, front: meta, spec: pinning.parsed.spec, at: pinning.at, message, words };
  const choices = await answered(findPins(question), pinning);
  const proved = choices.flatMap(({ change }) => change ?? []);
  const prices = await priced(pinning, proved);
  // Without words nobody asked for a pin of words.
  const asked = choices.filter(({ way }) => way !== 'words' || words !== null);
  return asked.map((choice) => {
    const nth = choice.change === null ? -1 : proved.indexOf(choice.change);
    return { ...choice, change: prices[nth] ?? null };
  });
}

async function priced(
  keeping: Omit<Keeping, 'subject'>,
  changes: readonly ProvedChange[],
): Promise<readonly PricedChange[]> {
  if (changes.length === 0) return [];
  const finder = new UseFinder(keeping.requests.source);
  for (const _ of finder.grow());
  const before = await measure(keeping, keeping.parsed.spec, finder);
  const found: PricedChange[] = [];
  for (const change of changes) {
    found.push({ ...change, ...priceOf(before, await measure(keeping, change.spec, finder)) });
  }
  return found;
}

/** The changes alone. */
export async function searchChanges({ projector, requests, parsed, at, subject }: Keeping): Promise<KeepFound | null> {
  const { source, meta, memo } = requests;
  const thing = keptThing(subject, at, source, memo, meta);
  if (thing === null) return null;
  const tokens = (await requests.inputs(parsed)).tokens ?? estimatedTokens(source);
  const search = findChanges({ source, spec: parsed.spec, at, subject, thing, tokens });
  return answered(search, { projector, requests, at });
}

async function answered<T>(
  search: KeepSearch<T>,
  { projector, requests, at }: Pick<Keeping, 'projector' | 'requests' | 'at'>,
): Promise<T> {
  const kept = new KeptPipeline();
  let step = search.next(null);
  while (step.done !== true) step = search.next(await probe(projector, requests, at, step.value, kept));
  return step.value;
}

async function probe(
  projector: Projector,
  requests: SessionRequests,
  at: number,
  { parsed, steps }: ProbeRequest,
  kept: KeptPipeline,
): Promise<ProbeAnswer> {
  const { source, memo } = requests;
  const seen: StageStep[] = [];
  const inputs = await requests.inputs(parsed);
  const options = {
    ...inputs,
    kept,
    explain: false,
    ...(steps && { observe: (step: StageStep) => void seen.push(step) }),
  };
  const { view } = await projector.project(source, parsed.stages, at, memo, options);
  return { view, steps: seen };
}

async function measure(
  { projector, requests, at, parsed: own }: Omit<Keeping, 'subject'>,
  spec: ProjectionSpec,
  finder: UseFinder,
): Promise<Measured> {
  const parsed = spec === own.spec ? own : parsedAgain(spec);
  const { source, meta, points } = requests;
  const options = await requests.inputs(parsed);
  const limits = await requests.limits(parsed);
  const uses = new UsesFollower({
    source,
    finder,
    front: meta,
    ...(options.tokens && { tokens: options.tokens }),
  });
  const { take, summer } = requests.summer(limits);
  await followPoints(projector, { source, parsed, points, options }, (point) => {
    take(point);
    uses.take(point);
  });
  const { view, thinking } = await projector.project(source, parsed.stages, at, requests.memo, options);
  const lint = lintView({
    view,
    source,
    memo: requests.memo,
    sha256: (text) => nodeSha256().update(text).hex(),
    ...{ provider: '', modelApi: '', modelId: '' },
    thinking: { outcome: thinking, spec: parsed.spec, isAnswered: false },
  });
  return {
    sums: summer.sums,
    tokens: summer.totals.reduce((sum, each) => sum + each, 0),
    here: requests.tokensOf(view),
    uses: uses.all,
    refusedFor: lint.findings.find(({ severity }) => severity === 'error')?.text ?? null,
    hasWindow: limits.budget !== null,
  };
}

function parsedAgain(spec: ProjectionSpec): ParsedSpec {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(`a proved spec does not parse: ${parsed.error.map(({ text }) => text).join(' ')}`);
  return parsed.value;
}
