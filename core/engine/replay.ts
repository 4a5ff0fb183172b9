// A transcript may record projections that were made while it was written. The same policy on the same raw prefix must
// give the same prefix hash; where it does not, something in the record cannot be trusted, and that is shown.
import type { Problem } from '../model/problem.ts';
import { parseSpec } from '../projection/parseSpec.ts';
import { STAGES } from '../projection/stages.ts';
import type { StoredEvent } from '../store/types.ts';
import { arrayAt, boolAt, isRecord, numberAt, recordAt, stringAt } from '../util/unknown.ts';
import type { Engine } from './engine.ts';
import { compute } from './projecting.ts';
import type { Session } from './session/session.ts';

const PAGE = 1000;

/** What a recorded projection says of itself, as far as it can be replayed. */
interface Recorded {
  readonly policy: string;
  readonly at: number;
  readonly prefixHash: string;
  readonly option: Readonly<Record<string, unknown>>;
}

/** Replays the recorded projections of a transcript; a problem for each that differs or cannot be replayed. */
export async function replayProblems(engine: Engine, session: Session): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const total = session.source.row().counts.events;
  for (let from = 0; from < total; from += PAGE) {
    for (const event of engine.library.events(session.id, from, Math.min(from + PAGE, total))) {
      if (event.kind !== 'transcript.projection') continue;
      const problem = await replay(engine, session, event);
      if (problem) problems.push(problem);
    }
  }
  return problems;
}

async function replay(engine: Engine, session: Session, event: StoredEvent): Promise<Problem | null> {
  const where = { line: event.origin.line, byteStart: event.origin.byteStart, index: event.at };
  const recorded = readRecorded(event);
  if (!recorded || recorded.at > session.source.length) {
    const text = 'A recorded projection cannot be replayed: it does not say which policy gave which prefix hash.';
    return { code: 'projection.replay_unreadable', severity: 'info', text, where };
  }
  const parsed = parseSpec(recorded.option, STAGES);
  if (!parsed.ok || recorded.policy === 'custom') {
    const text = `A recorded projection by ${recorded.policy} cannot be replayed: its code or options are not recorded.`;
    return { code: 'projection.replay_unknown', severity: 'info', text, where };
  }
  const { prefixHash } = await compute(engine, session, parsed.value, recorded.at);
  if (prefixHash === recorded.prefixHash) return null;
  const text =
    `The recorded projection by ${recorded.policy} has the prefix hash ${recorded.prefixHash}, ` +
    `replayed here it is ${prefixHash}. Options that the event does not record were taken as their defaults.`;
  return { code: 'projection.replay_mismatch', severity: 'warning', text, where };
}

function readRecorded(event: StoredEvent): Recorded | null {
  const record: unknown = JSON.parse(event.json);
  if (!isRecord(record)) return null;
  const metadata = recordAt(record, 'metadata') ?? record;
  const policy = stringAt(metadata, 'policy');
  const prefixHash = stringAt(metadata, 'prefix_hash');
  if (policy === undefined || prefixHash === undefined) return null;
  // Kept and dropped together are the raw prefix, wherever the event itself stands.
  const kept = numberAt(metadata, 'kept_count');
  const dropped = numberAt(metadata, 'dropped_count');
  const at = kept !== undefined && dropped !== undefined ? kept + dropped : event.at;
  const keepLast = numberAt(metadata, 'summary_keep_last');
  const window = rootWindow(arrayAt(metadata, 'roots_consulted') ?? []);
  const respects = boolAt(metadata, 'respects_provider_signatures');
  const option = {
    policy,
    ...(keepLast === undefined ? {} : { keep_last: keepLast }),
    ...(window === null || policy !== 'reachability_gc' ? {} : { root_window: window }),
    ...(respects === undefined ? {} : { respect_provider_signatures: respects }),
  };
  return { policy, at, prefixHash, option };
}

// `last_8_messages`: the root window, unless the transcript was shorter than it, and then it made no difference.
function rootWindow(roots: readonly unknown[]): number | null {
  for (const root of roots) {
    const match = typeof root === 'string' ? /^last_(\d+)_messages$/.exec(root) : null;
    if (match?.[1]) return Number(match[1]);
  }
  return null;
}
