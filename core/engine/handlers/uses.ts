import type { RowUses } from '../../filter/rowUses.ts';
import { type UsesIndex, wasMissing } from '../../insight/uses/index.ts';
import { trailOf } from '../../insight/uses/trail.ts';
import type { MessageUses, Use, UsedRow } from '../../insight/uses/types.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { ClientWork } from '../clientWork.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { pricingKey } from '../library/pricing.ts';
import { askedOf } from '../session/askedOf.ts';
import { knownUses, usesKey, walkedUses } from '../session/followUses.ts';

const LISTED = 50;
const EVIDENCE_CHARS = 200;

/** What messages relied on, and whether their requests held it. Runs in slices: clicks never wait for it. */
export function usesHandlers(
  engine: Engine,
): Pick<Handlers, 'uses.message' | 'uses.trail' | 'uses.session' | 'uses.rows' | 'uses.progress'> {
  const work = engine.clientWork();
  return {
    async 'uses.message'({ id, spec, index }, client) {
      const uses = await usesUnder(engine, work, client.clientId, id, spec);
      return uses.ok ? ok(messageUses(uses.value.about(index), index)) : uses;
    },
    async 'uses.trail'({ id, spec, index }, client) {
      const uses = await usesUnder(engine, work, client.clientId, id, spec);
      return uses.ok ? ok(trailOf(uses.value.about(index), index)) : uses;
    },
    async 'uses.session'({ id, spec }, client) {
      const uses = await usesUnder(engine, work, client.clientId, id, spec);
      return uses.ok ? ok(uses.value.figures) : uses;
    },
    'uses.progress'({ id }) {
      const session = engine.session(id);
      return session.ok ? ok({ share: session.value.uses.progress }) : session;
    },
    async 'uses.rows'({ id, spec, messages }, client) {
      const uses = await usesUnder(engine, work, client.clientId, id, spec);
      if (!uses.ok) return uses;
      const found = engine.session(id);
      if (!found.ok) return found;
      const { source, filtering } = found.value;
      const own = filtering.rowUses(uses.value);
      return ok({ rows: messages.flatMap((index) => (index < source.length ? usedRows(source, own, index) : [])) });
    },
  };
}

/** The uses of a transcript under a policy: those that are known, or looked for in the background. */
export async function usesUnder(
  engine: Engine,
  work: ClientWork,
  clientId: number,
  id: string,
  spec: unknown,
): Promise<Result<UsesIndex, ProtocolError>> {
  const subject = askedOf(engine, { id, spec });
  if (!subject.ok) return subject;
  const { session, parsed } = subject.value;
  const known = knownUses(engine, session, parsed.spec);
  if (known !== null) return ok(known.uses);
  const key = `${usesKey(session, parsed.spec)} ${pricingKey(engine, session)}`;
  const asked = work.begin(clientId, `${id} ${key}`, () =>
    session.uses.running.ask(
      key,
      () => {},
      () => session.work.background('checks', (turn) => walkedUses({ engine, session, parsed, turn })),
    ),
  );
  const made = await asked.done;
  if (!made.ok) return err(SUPERSEDED);
  return made.value.ok ? ok(made.value.value.uses) : made.value;
}

function messageUses(uses: readonly Use[], index: number): MessageUses {
  const later = uses.filter(({ at, sources }) => at > index && sources.some((source) => source.index === index));
  const earlier = uses.filter(({ at }) => at === index);
  const laterGone = later.filter(wasMissing).length;
  return {
    later: later.slice(0, LISTED).map(cut),
    laterTotal: later.length,
    laterGone,
    earlier: earlier.slice(0, LISTED).map(cut),
    earlierTotal: earlier.length,
  };
}

function usedRows(source: TranscriptSource, uses: RowUses, index: number): readonly UsedRow[] {
  const rows: UsedRow[] = [];
  for (let part = 0; part < Math.max(1, source.facts(index).parts.length); part++) {
    const { later, users, gone, goneSince, kinds } = uses.of(index, part);
    const lacked = kinds.includes('gone');
    if (later > 0 || lacked) rows.push({ index, part, later, users, gone, goneSince, lacked });
  }
  return rows;
}

function cut(use: Use): Use {
  return use.evidence.length <= EVIDENCE_CHARS
    ? use
    : { ...use, evidence: `${use.evidence.slice(0, EVIDENCE_CHARS)}…` };
}
