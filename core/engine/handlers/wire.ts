import { setImmediate } from 'node:timers/promises';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import { askedBehaviour, isCheckedAsMade, sentInputs } from '../../projection/binding/setting.ts';
import type { BindingInputs } from '../../projection/binding/types.ts';
import { overBudget } from '../../projection/overBudget.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { Projection, ProjectionSpec } from '../../projection/types.ts';
import { exportName } from '../../protocol/exportName.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { WireInfo, WireParams } from '../../protocol/wireTypes.ts';
import type { Budget } from '../../tokens/budget.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { lintSteps } from '../../wire/lintBody.ts';
import { previewOf } from '../../wire/preview.ts';
import { thinkingFindings } from '../../wire/thinkingLint.ts';
import { wireSteps } from '../../wire/toWire.ts';
import { LOSS_KINDS, type LossKind, TARGETS, type WireBody } from '../../wire/types.ts';
import { type Engine, failure } from '../engine.ts';
import { writeExport } from '../files/exportFolder.ts';
import { summaryOf } from '../library/summary.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { askedAt } from '../session/askedOf.ts';
import { budgetInfo } from '../session/budgetInfo.ts';
import { compute } from '../session/projecting.ts';
import type { Computed, Session } from '../session/session.ts';
import { assetsIn } from '../session/transcriptAssets.ts';

/** Characters of edits counted for the figures of one request. */
const COUNTED = 200_000;
const PREVIEW = { chars: 300_000, longest: 20_000 };
const LOSSES = 500;
const FINDINGS = 200;
/** Characters that may go to a clipboard; more goes to a file. */
const COPIED = 50_000_000;

/** A projection as the body of a provider's request: looked at, copied, saved. */
export function wireHandlers(engine: Engine): Pick<Handlers, 'wire.export' | 'wire.text' | 'wire.write'> {
  return {
    async 'wire.export'(params) {
      const made = await makeRequest(engine, params);
      return made.ok ? ok(await infoOf(made.value)) : made;
    },
    async 'wire.text'(params) {
      const made = await makeRequest(engine, params);
      if (!made.ok) return made;
      const { chunks } = made.value.body;
      const chars = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      if (chars > COPIED) return err(failure('wire.too_large', 'The request is too large to copy; save it to a file.'));
      return ok({ text: chunks.join('') });
    },
    async 'wire.write'({ path, ...params }) {
      const made = await makeRequest(engine, params);
      if (!made.ok) return made;
      const { body, computed, session } = made.value;
      const { title } = summaryOf(session.source.row(), null);
      const nameOf = (nth: number) => exportName(title, computed.projection.at, params.target, nth);
      return writeExport(engine.library.dir, path, nameOf, body.chunks);
    },
  };
}

/** A request that was written, and what it was written from. */
export interface Made {
  readonly body: WireBody;
  readonly strict: boolean;
  readonly session: Session;
  readonly computed: Computed;
  readonly budget: Budget | null;
  readonly tokenizer: string | null;
  /** The policy gives the recorded history. */
  readonly isHistory: boolean;
  readonly spec: ProjectionSpec;
  /** What fails of its thinking is left out. */
  readonly isRepaired: boolean;
}

/** Runs the steps of writing a body; by default as foreground work, with others answered in between. */
type WriteBody = (steps: Generator<void, WireBody, void>) => Promise<WireBody>;

/** Writes the request of a policy at a call point. */
export async function makeRequest(
  engine: Engine,
  params: WireParams,
  write?: WriteBody,
): Promise<Result<Made, ProtocolError>> {
  const subject = askedAt(engine, params);
  if (!subject.ok) return subject;
  const { session, parsed, at: now } = subject.value;
  const { work } = session;
  // Not that of the projection, which may have been made for another budget where no stage asks for one.
  const inputs = session.inputsFor(parsed.spec);
  const { budget } = inputs;
  const computed = await work.foreground(() => compute(engine, session, parsed, now, inputs, session.besidePipeline));
  const { source, memo } = session;
  const { meta, models } = source.row();
  const strict = params.strict ?? endsWithHygiene(parsed);
  const { model, maxTokens } = params;
  const { binding } = computed.inputs;
  const isCarried = params.target === 'anthropic' && (computed.projection.thinking?.dropped ?? 0) > 0;
  const isRepaired = strict && endsWithHygiene(parsed);
  const written = sentInputs(binding, isRepaired);
  const view =
    isCarried || written !== null
      ? (await work.foreground(() => sentProjection(engine, session, parsed, now, written))).view
      : computed.projection.view;
  const assets = await assetsIn(engine, session, view);
  const steps = wireSteps(view, source, memo, params.target, {
    meta: { ...meta, models },
    strict,
    assets,
    ...modelOption(model, parsed.spec.preserved_thinking?.model),
    ...(maxTokens == null ? {} : { maxTokens }),
    reserved: budget?.reserveOutput ?? 0,
    onMismatch: askedBehaviour(parsed.spec.preserved_thinking),
  });
  const tokenizer = parsed.spec.tokenizer ?? null;
  return ok({
    body: await (write === undefined ? work.foreground(() => patiently(steps)) : write(steps)),
    strict,
    session,
    computed,
    budget,
    tokenizer,
    spec: parsed.spec,
    isRepaired: written !== null,
    isHistory: isAsRecorded(parsed.spec, source),
  });
}

// Chosen for this request, else the one that the policy's requests go to.
function modelOption(chosen: string | null | undefined, reader: string | undefined): { readonly model?: string } {
  const model = chosen == null || chosen === '' ? reader : chosen;
  return model === undefined ? {} : { model };
}

// What the client sends: the provider drops, not the client.
function sentProjection(
  engine: Engine,
  session: Session,
  { spec, stages }: ParsedSpec,
  at: number,
  binding: BindingInputs | null,
): Promise<Projection> {
  return engine.project(session, stages, at, { ...session.inputsFor(spec), binding });
}

// Other calls are answered between the steps.
async function patiently<T>(steps: Generator<void, T, void>): Promise<T> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await setImmediate();
  return step.value;
}

// Who repairs a history for a provider wants a request that it takes.
function endsWithHygiene({ stages }: ParsedSpec): boolean {
  return stages.findLast(({ enabled }) => enabled)?.traits.repairs === true;
}

async function infoOf(made: Made): Promise<WireInfo> {
  const { body, strict, session, computed, tokenizer } = made;
  const { target, url, model, chosen, losses } = body;
  const preview = previewOf(body, PREVIEW);
  const linted = await patiently(lintSteps(body, (text) => nodeSha256().update(text).hex(), session.source));
  const found = [...budgetFindings(made), ...thinkingOf(made), ...linted];
  const count = (severity: string): number => found.filter((each) => each.severity === severity).length;
  const kinds = new Map<LossKind, number>();
  for (const { kind } of losses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const { projection } = computed;
  return {
    target,
    title: TARGETS[target].title,
    url,
    model,
    json: preview.text,
    shown: { messages: preview.shown, of: preview.total, shortened: preview.shortened },
    bytes: body.chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0),
    tokens: session.tokenizing(tokenizer).viewFigure(projection.view, { chars: COUNTED }).figure,
    strict,
    chosen,
    losses: losses.slice(0, LOSSES).map(({ kind, how, index, path, text }) => ({ kind, how, index, path, text })),
    lossKinds: [...kinds].map(([kind, count]) => ({ kind, count })).sort((a, b) => rankOf(a.kind) - rankOf(b.kind)),
    findings: found.slice(0, FINDINGS).map(({ code, severity, text, index }) => ({ code, severity, text, index })),
    findingCounts: { error: count('error'), warning: count('warning'), info: count('info') },
    problems: projection.problems,
  };
}

// What the budget says on screen is said here too: one request, one verdict.
function budgetFindings({ session, computed, budget, tokenizer, isHistory }: Made) {
  const { projection } = computed;
  const { source, edits } = session;
  const tokens = session.tokenizing(tokenizer);
  const allowance = { chars: COUNTED };
  const { byCategory } = tokens.view(projection.view, allowance);
  const state = budgetInfo(budget, byCategory, { source, edits, projection, tokens, allowance });
  const isAnswered =
    isHistory && projection.at < source.length && source.meta(projection.at).usage?.input !== undefined;
  const finding = overBudget(state, isAnswered);
  return finding === null ? [] : [finding];
}

function thinkingOf({ body, computed, spec, isHistory, isRepaired, session }: Made) {
  const { thinking, at } = computed.projection;
  if (body.target !== 'anthropic' || isRepaired) return [];
  return thinkingFindings(thinking, spec, isHistory && isCheckedAsMade(spec) && at < session.source.length);
}

// What the model would have read first, what only tools keep for themselves last.
const LESSER: readonly LossKind[] = ['cache_control', 'name', 'id', 'field', 'metadata'];

function rankOf(kind: LossKind): number {
  const lesser = LESSER.indexOf(kind);
  return lesser < 0 ? LOSS_KINDS.indexOf(kind) : LOSS_KINDS.length + lesser;
}
