import { type Autopsy, type LostItem, SURVIVAL_CLASSES, type SurvivalClass } from '../../insight/autopsy/types.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { CompactionInfo, LostLine, LostPage, SurvivalInfo } from '../../protocol/autopsyTypes.ts';
import type { Params, ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { askedOf } from '../session/askedOf.ts';
import { type FoundAutopsies, findAutopsies } from '../session/autopsies.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import type { Session } from '../session/session.ts';

/** Policies whose compactions are kept for each session. */
const KEPT = 3;
/** Repeated calls and lost items that one answer holds. */
const AGAIN_LISTED = 50;
const MOST_LOST = 500;
const TEXT_CHARS = 300;
const USERS_LISTED = 20;

/** What compactions lost. Runs in slices: clicks never wait for it. */
export function autopsyHandlers(engine: Engine): Pick<Handlers, 'autopsy.session' | 'autopsy.lost'> {
  const works = engine.clientWork();
  const known = new WeakMap<Session, BoundedMap<string, FoundAutopsies>>();
  const find = async (
    clientId: number,
    session: Session,
    parsed: ParsedSpec,
  ): Promise<Result<FoundAutopsies, ProtocolError>> => {
    const { state } = session.inputsFor(parsed.spec);
    const key = JSON.stringify([session.source.length, state, session.isCalibrating, parsed.spec]);
    const kept = known.get(session) ?? new BoundedMap<string, FoundAutopsies>(KEPT);
    known.set(session, kept);
    const before = kept.get(key);
    if (before !== undefined) return ok(before);
    const asked = works.begin(clientId, `${session.id} ${key}`, () =>
      session.work.background('checks', (turn) => findAutopsies({ engine, session, parsed, turn })),
    );
    const made = await asked.done;
    if (!made.ok) return err(SUPERSEDED);
    if (made.value.ok) kept.set(key, made.value.value);
    return made.value;
  };
  const ask = async (clientId: number, { id, spec }: Params<'autopsy.session'>) => {
    const subject = askedOf(engine, { id, spec });
    if (!subject.ok) return subject;
    const { session, parsed } = subject.value;
    const found = await find(clientId, session, parsed);
    return found.ok ? ok({ found: found.value, parsed }) : found;
  };
  return {
    async 'autopsy.session'(params, client) {
      const asked = await ask(client.clientId, params);
      if (!asked.ok) return asked;
      const { found, parsed } = asked.value;
      const { autopsies, more, provenance } = found;
      const compactions = autopsies.map((autopsy) => infoOf(parsed, autopsy));
      return ok({ compactions, more, provenance });
    },
    async 'autopsy.lost'({ id, spec, ...page }, client) {
      const asked = await ask(client.clientId, { id, spec });
      if (!asked.ok) return asked;
      const autopsy = asked.value.found.autopsies[page.compaction];
      if (autopsy !== undefined) return ok(lostPage(autopsy, page));
      return err(failure('autopsy.no_such_compaction', `There is no compaction ${page.compaction}.`));
    },
  };
}

function infoOf({ stages }: ParsedSpec, autopsy: Autopsy): CompactionInfo {
  const { covered, survival, after, ...rest } = autopsy;
  const { rereads, repeatedFailures, filesReadAgain, ...behind } = after;
  const again = [
    ...rereads.map((call) => ({ ...call, kind: 'reread' as const })),
    ...repeatedFailures.map((call) => ({ ...call, kind: 'repeated_failure' as const })),
  ];
  const stage = stages.find(({ position }) => position === autopsy.stage);
  return {
    ...rest,
    stageTitle: autopsy.stage === null ? null : (stage?.title ?? null),
    covered: { messages: covered.length, from: covered[0] ?? null, to: covered.at(-1) ?? null },
    survival: survival && survivalInfo(survival),
    after: {
      ...behind,
      again: again.slice(0, AGAIN_LISTED).map((call) => ({ ...call, evidence: cut(call.evidence) })),
      rereads: rereads.length,
      rereadTokens: rereads.reduce((sum, { tokens }) => sum + tokens, 0),
      rereadCost: rereads.reduce<number | null>(
        (sum, { cost }) => (sum === null || cost === null ? null : sum + cost),
        0,
      ),
      repeatedFailures: repeatedFailures.length,
      filesReadAgain: filesReadAgain.length,
    },
  };
}

function survivalInfo(survival: NonNullable<Autopsy['survival']>): CompactionInfo['survival'] {
  const entries = SURVIVAL_CLASSES.map((name): [SurvivalClass, SurvivalInfo] => {
    const { lost, ...figures } = survival[name];
    return [name, { ...figures, lost: lost.length, usedLater: lost.filter(wasUsed).length }];
  });
  return Object.fromEntries(entries) as Record<SurvivalClass, SurvivalInfo>;
}

function wasUsed({ usedLater }: LostItem): boolean {
  return usedLater.length > 0;
}

function lostPage(
  { survival }: Autopsy,
  { class: name, used, from, to }: Pick<Params<'autopsy.lost'>, 'class' | 'used' | 'from' | 'to'>,
): LostPage {
  const classes = name === null ? SURVIVAL_CLASSES : [name];
  const all = classes.flatMap((each) => (survival?.[each].lost ?? []).map((item) => ({ item, class: each })));
  const shown = used ? all.filter(({ item }) => wasUsed(item)) : all;
  if (name === null) shown.sort((a, b) => b.item.usedLater.length - a.item.usedLater.length);
  const lost = shown.slice(from, Math.min(to, from + MOST_LOST)).map(lineOf);
  return { from, total: shown.length, lost };
}

function lineOf({ item, class: name }: { readonly item: LostItem; readonly class: SurvivalClass }): LostLine {
  return {
    ...item,
    class: name,
    text: cut(item.text),
    cut: item.text.length > TEXT_CHARS,
    usedLater: item.usedLater.slice(0, USERS_LISTED),
    users: item.usedLater.length,
  };
}

function cut(text: string): string {
  return text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS)}…` : text;
}
