import type { AskedCheck, CheckedInfo } from '../../protocol/checkTypes.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { ClientContext, Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { CheckThreads } from '../check/checkThreads.ts';
import { readRulesInfo } from '../check/rulesText.ts';
import type { CheckProgress } from '../check/types.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { scopesOf } from '../library/policyScopes.ts';
import { cachePointsModeOf, pricesOf } from '../library/pricing.ts';
import { threadsHere } from '../threads/pool.ts';
import { StoppedError } from '../threads/types.ts';

/** Transcripts below which a thread costs more than it saves. */
const TRANSCRIPTS_A_THREAD = 4;

/** Rules held against transcripts, in threads: clicks never wait for them. */
export function checkHandlers(
  engine: Engine,
): Pick<Handlers, 'check.read' | 'check.run' | 'check.stop' | 'check.under'> {
  const runs = new ClientThreads(engine);
  const trials = new ClientThreads(engine);
  const threads = (rules: string, evidence: boolean) => {
    const { library, plainCounts: plain } = engine;
    const [cachePoints, prices] = [cachePointsModeOf(engine), pricesOf(engine)];
    return new CheckThreads({ dir: library.dir, rules, evidence, plain, cachePoints, prices });
  };
  return {
    'check.read': ({ rules }) => ok(readRulesInfo(rules)),
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
    async 'check.under'({ id, rules, rule, specs }, client) {
      const refused = refusalOf(engine, { ids: [id], rules });
      if (refused !== null) return err(refused);
      const scopes = scopesOf(engine, id);
      const tried = await trials.during(client.clientId, threads(rules, false), (at) =>
        at.ask({ kind: 'try', id, scopes, rule, specs }),
      );
      return tried.ok ? ok({ tried: tried.value }) : tried;
    },
  };
}

function refusalOf(engine: Engine, { ids, rules }: Pick<AskedCheck, 'ids' | 'rules'>): ProtocolError | null {
  const { faults } = readRulesInfo(rules);
  if (faults.length > 0) {
    const lines = faults.map(({ line, text }) => `${line === null ? '' : `line ${line}: `}${text}`);
    return failure('rules.invalid', lines.join('; '));
  }
  const missing = ids.find((id) => engine.library.get(id) === null);
  return missing === undefined ? null : failure('transcript.unknown', `The library has no transcript ${missing}.`);
}

async function checkAll(
  engine: Engine,
  threads: CheckThreads,
  { ids, run }: AskedCheck,
  client: ClientContext,
): Promise<readonly CheckedInfo[]> {
  const found: CheckedInfo[] = [];
  let done = 0;
  // One iterator for all: each thread takes the transcript that is next.
  const queue = ids.entries();
  const takeOn = async (): Promise<void> => {
    for (const [at, id] of queue) {
      const onProgress = (reached: CheckProgress): void => {
        if (ids.length === 1) client.emit('check', { run, checked: null, ...reached });
      };
      const checked = await threads.ask({ kind: 'check', id, scopes: scopesOf(engine, id) }, onProgress);
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
