import { basename, dirname } from 'node:path';
import { type Baselines, baselineFile, readBaselineText, withRecords } from '../../check/baseline.ts';
import { baselineName } from '../../check/baselineName.ts';
import { type AskedCheck, BASELINE_CHARS, type CheckedInfo, type GivenRules } from '../../protocol/checkTypes.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { ClientContext, Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { baselineKey } from '../check/baselineKeys.ts';
import { CheckThreads } from '../check/checkThreads.ts';
import { readRulesInfo } from '../check/rulesText.ts';
import type { CheckProgress, RecordedBefore } from '../check/types.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { readBeside } from '../files/beside.ts';
import { scopesOf } from '../library/policyScopes.ts';
import { cachePointsModeOf, pricesOf } from '../library/pricing.ts';
import { threadsHere } from '../threads/pool.ts';
import { StoppedError } from '../threads/types.ts';

/** Transcripts below which a thread costs more than it saves. */
const TRANSCRIPTS_A_THREAD = 4;

type CheckMethods =
  | 'check.read'
  | 'check.baseline'
  | 'check.record'
  | 'check.run'
  | 'check.stop'
  | 'check.under'
  | 'check.passing';

/** Rules held against transcripts, in threads: clicks never wait for them. */
export function checkHandlers(engine: Engine): Pick<Handlers, CheckMethods> {
  const runs = new ClientThreads(engine);
  const trials = new ClientThreads(engine);
  const threads = (rules: string, evidence: boolean) => {
    const { library, plainCounts: plain } = engine;
    const [cachePoints, prices] = [cachePointsModeOf(engine), pricesOf(engine)];
    return new CheckThreads({ dir: library.dir, rules, evidence, plain, cachePoints, prices });
  };
  return {
    'check.read': ({ rules, baseline }) => ok(readRulesInfo(rules, baseline)),
    async 'check.baseline'({ path }) {
      const name = baselineName(basename(path));
      const read = await readBeside(path, name, BASELINE_CHARS);
      if (!read.ok) return err(failure('file.unreadable', `${name} could not be read: ${read.error}.`));
      return ok({ name, text: read.value });
    },
    'check.record'({ baseline, found }) {
      const before = baselinesOf(baseline);
      return before.ok ? ok({ text: baselineFile(withRecords(before.value, found)) }) : before;
    },
    async 'check.run'(asked, client) {
      const refused = refusalOf(engine, asked);
      if (refused !== null) return err(refused);
      const started = performance.now();
      const found = await runs.during(client.clientId, threads(asked.rules, asked.ids.length === 1), (at) =>
        checkAll(engine, at, asked, client),
      );
      return found.ok ? ok({ checked: found.value, ms: Math.round(performance.now() - started) }) : found;
    },
    async 'check.stop'(_params, client) {
      await Promise.all([runs.end(client.clientId), trials.end(client.clientId)]);
      return ok({});
    },
    async 'check.under'({ id, rule, specs, ...given }, client) {
      const asked = { ids: [id], ...given };
      const refused = refusalOf(engine, asked);
      if (refused !== null) return err(refused);
      const scopes = scopesOf(engine, id);
      const recorded = recordedOf(engine, asked)(id);
      const tried = await trials.during(client.clientId, threads(given.rules, false), (at) =>
        at.ask({ kind: 'try', id, scopes, recorded, rule, specs }),
      );
      return tried.ok ? ok({ tried: tried.value }) : tried;
    },
    async 'check.passing'({ id, rule, spec, all, ...given }, client) {
      const asked = { ids: [id], ...given };
      const refused = refusalOf(engine, asked);
      if (refused !== null) return err(refused);
      const scopes = scopesOf(engine, id);
      const recorded = recordedOf(engine, asked)(id);
      return trials.during(client.clientId, threads(given.rules, false), (at) =>
        at.ask({ kind: 'search', id, scopes, recorded, rule, spec, all }),
      );
    },
  };
}

function refusalOf(engine: Engine, { ids, rules, baseline }: Omit<AskedCheck, 'run'>): ProtocolError | null {
  const { faults } = readRulesInfo(rules, baseline);
  if (faults.length > 0) {
    const lines = faults.map(({ line, text }) => `${line === null ? '' : `line ${line}: `}${text}`);
    return failure('rules.invalid', lines.join('; '));
  }
  const missing = ids.find((id) => engine.library.get(id) === null);
  return missing === undefined ? null : failure('transcript.unknown', `The library has no transcript ${missing}.`);
}

function baselinesOf(text: string | null): Result<Baselines, ProtocolError> {
  const read = text === null ? ok({}) : readBaselineText(text);
  return read.ok ? read : err(failure('baseline.invalid', `The baseline ${read.error}.`));
}

/** What was recorded of each transcript; null = no rule compares with a baseline. */
function recordedOf({ library }: Engine, { rules, baseline, path }: GivenRules): (id: string) => RecordedBefore | null {
  const baselines = baselinesOf(baseline);
  if (!readRulesInfo(rules, baseline).wantsBaseline || !baselines.ok) return () => null;
  const folder = path === null ? null : dirname(path);
  return (id) => {
    const row = library.get(id);
    if (row === null) return null;
    const isAlone = library.tables.transcripts.isAlone(id);
    const named = baselineKey({ paths: row.files, key: row.key, isAlone }, baselines.value, folder);
    return { ...named, records: (named.key !== null && baselines.value[named.key]) || {} };
  };
}

async function checkAll(
  engine: Engine,
  threads: CheckThreads,
  { ids, run, ...given }: AskedCheck,
  client: ClientContext,
): Promise<readonly CheckedInfo[]> {
  const found: CheckedInfo[] = [];
  const recorded = recordedOf(engine, given);
  let done = 0;
  // One iterator for all: each thread takes the transcript that is next.
  const queue = ids.entries();
  const takeOn = async (): Promise<void> => {
    for (const [at, id] of queue) {
      const onProgress = (reached: CheckProgress): void => {
        if (ids.length === 1) client.emit('check', { run, checked: null, ...reached });
      };
      const checked = await threads.ask(
        { kind: 'check', id, scopes: scopesOf(engine, id), recorded: recorded(id) },
        onProgress,
      );
      found[at] = checked;
      done++;
      if (ids.length > 1) client.emit('check', { run, checked, done, total: ids.length });
    }
  };
  const count = Math.max(1, Math.min(threadsHere(), Math.ceil(ids.length / TRANSCRIPTS_A_THREAD)));
  await Promise.all(Array.from({ length: count }, takeOn));
  return found;
}

/** Threads at work for clients: what a client asks next ends what it asked before, and so does its leaving. */
class ClientThreads {
  readonly #working = new Map<number, CheckThreads>();

  constructor(engine: Engine) {
    engine.whenLeft((clientId) => void this.end(clientId));
  }

  async end(clientId: number): Promise<void> {
    const working = this.#working.get(clientId);
    this.#working.delete(clientId);
    await working?.close();
  }

  /** Works in threads that are closed afterwards. Error: `request.superseded`. */
  async during<T>(
    clientId: number,
    threads: CheckThreads,
    work: (threads: CheckThreads) => Promise<T>,
  ): Promise<Result<T, ProtocolError>> {
    const ended = this.end(clientId);
    this.#working.set(clientId, threads);
    try {
      await ended;
      return ok(await work(threads));
    } catch (error) {
      if (error instanceof StoppedError) return err(SUPERSEDED);
      throw error;
    } finally {
      if (this.#working.get(clientId) === threads) this.#working.delete(clientId);
      await threads.close();
    }
  }
}
