// An engine that is asked for many things at once, while transcripts grow, go back, are removed and counted, clients
// leave, and user code takes its time: in seeded random orders, with a scheduler and a clock of the test's own. When all
// has come to rest: every call was answered, by a result or by a reason that is no bug; answers are those of an engine
// that was just opened; nobody was told what is not so; no work goes on for anybody.
// A failure prints the steps, and fast-check's seed and path. PARALLAX_ORDERS = how many orders; a few run always.

import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { TimerOptions } from 'node:timers';
import timers from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Task, WorkQueue } from '../../core/engine/session/workQueue.ts';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import type { Events, MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { relatedGrowth } from '../support/relatedSessions.ts';
import { type ManualEngine, manualEngine } from './manualEngine.ts';
import { MESSAGES, sessionFile } from './support.ts';

const ORDERS = Number(process.env.PARALLAX_ORDERS ?? 12);
const SEED = Number(process.env.PARALLAX_SEED ?? 29);

/** Who waits for others to run; `passing` = the test's own work, which waits for nobody. */
const scheduler = { waiting: [] as (() => void)[], passing: false, waited: 0 };

/** Has everybody who yields wait for the scheduler, modules that were loaded before too; answers how to end that. */
function schedule(): () => void {
  const { setImmediate, setTimeout } = timers;
  const waits = <T>(value?: T): Promise<T> =>
    new Promise<T>((resolve) => {
      scheduler.waited++;
      scheduler.waiting.push(() => resolve(value as T));
    });
  const spies = [
    vi
      .spyOn(timers, 'setImmediate')
      .mockImplementation(<T>(value?: T) => (scheduler.passing ? setImmediate(value) : waits(value))),
    // Whoever waits for something else at most so long says how; whoever only waits, for the scheduler too.
    vi
      .spyOn(timers, 'setTimeout')
      .mockImplementation(<T>(ms?: number, value?: T, options?: TimerOptions) =>
        scheduler.passing || options !== undefined ? setTimeout(ms, value, options) : waits(value),
      ),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  };
}

/** Lets all promises settle that wait for nothing but each other. */
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SPECS: readonly unknown[] = [
  'raw',
  { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'reachability_gc' }] },
  {
    version: 1,
    stages: [
      { kind: 'sliding_window', options: { turns: 2 } },
      { kind: 'summary', options: { when: 'always', keep_turns: 1 } },
      { kind: 'hygiene' },
    ],
  },
  { version: 1, stages: [{ kind: 'context_policy', options: { max_input_tokens: 300 } }], budget: { window: 4_000 } },
  { version: 1, stages: [{ kind: 'tool_result_retention' }, { kind: 'tier_caps' }], budget: { window: 500 } },
  {
    version: 1,
    stages: [
      { kind: 'custom', options: { projector: 'm => m' } },
      { kind: 'sliding_window', options: { turns: 1 } },
      { kind: 'summary', options: { when: 'always', keep_turns: 1 } },
    ],
  },
];
const HASHES = ['now', 'later', 'none'] as const;
const TRANSCRIPTS = 3;
const CLIENTS = 2;

/** What may be answered instead of a result. */
const REASONS: ReadonlySet<string> = new Set([
  ...['request.superseded', 'transcript.changed', 'transcript.unknown', 'transcript.no_such_place'],
  ...['projection.unknown', 'protocol.closed', 'summary.unknown', 'job.unknown'],
]);

// Without images: making one smaller takes another thread, whose time is not the test's.
const ASKED = [{ role: 'user', content: 'Why does the login test fail?' }, ...MESSAGES.slice(1)];
const LINES = sessionFile([...ASKED, ...ASKED])
  .trimEnd()
  .split('\n');
const RELATED = relatedGrowth();
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const BODY = JSON.stringify({
  model: 'gpt-4o',
  instructions: 'You look after a small shop that sells bicycles.',
  tools: [{ type: 'function', function: { name: 'stock', parameters: { type: 'object' } } }],
  input: Array.from({ length: 5 }, (_, turn) => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `How many of kind ${turn}?` }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `${turn + 3} of them.` }] },
  ]).flat(),
});

interface Person {
  client: EngineClient;
  /** The last projection of each transcript. */
  readonly shown: Map<number, string>;
  /** Messages as last told, by transcript id. */
  readonly messages: Map<string, number>;
  seriesId: string | null;
}

/** One order of things. */
class World {
  engine: ManualEngine = manualEngine();
  readonly steps: string[] = [];
  readonly wrong: string[] = [];
  readonly tasks: Promise<unknown>[] = [];
  readonly calls: { readonly name: string; settled: boolean }[] = [];
  readonly people: Person[] = [];
  readonly #ids: string[] = [];
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #written = 3;
  #related = RELATED.before.length;

  async begin(): Promise<void> {
    const names = ['growing.jsonl', 'related.jsonl', 'body.json'];
    const contents = [text(LINES.slice(0, this.#written)), text(RELATED.before), BODY];
    for (const [at, name] of names.entries()) {
      writeFileSync(this.path(name), contents[at]!);
      this.#ids.push((await this.take(name))[0] ?? '');
    }
    for (let n = 0; n < CLIENTS; n++) this.people.push(this.#person());
  }

  path(name: string): string {
    return join(this.engine.dir, name);
  }

  /** The test's own work: nothing of the engine's goes on meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    scheduler.passing = true;
    try {
      return await work();
    } finally {
      scheduler.passing = false;
    }
  }

  async take(name: string): Promise<readonly string[]> {
    const ids = await this.alone(() => this.engine.take(this.path(name)));
    for (const id of ids) this.#changed.add(id);
    return ids;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  #person(): Person {
    const client = this.engine.connect();
    const person: Person = { client, shown: new Map(), messages: new Map(), seriesId: null };
    client.on('transcript', (event) => this.#heard(person, event));
    client.on('series', ({ seriesId, problem }) => {
      if (problem !== undefined) this.wrong.push(`series ${seriesId} says: ${problem}`);
      if (person.seriesId !== null && Number(seriesId.split('-')[1]) < Number(person.seriesId.split('-')[1])) {
        this.wrong.push(`${seriesId} was told of after ${person.seriesId} was begun`);
      }
    });
    return person;
  }

  // Infos are told in the order of what they are of, and growth as growth.
  #heard({ messages }: Person, { id, reason, info }: Events['transcript']): void {
    const before = messages.get(id);
    if (this.#removed.has(id) && reason !== 'removed') this.wrong.push(`${reason} was told of what is removed`);
    if (info === null) {
      messages.delete(id);
      return;
    }
    messages.set(id, info.messages);
    if (before === undefined || reason === 'changed') return;
    if (reason === 'grew' ? info.messages <= before : info.messages !== before) {
      this.wrong.push(`${reason} from ${before} to ${info.messages} messages`);
    }
  }

  call<M extends MethodName>(person: Person, method: M, params: Params<M>, then?: (result: ResultOf<M>) => void): void {
    const call = { name: method, settled: false };
    this.calls.push(call);
    person.client.call(method, params).then(
      (result) => {
        call.settled = true;
        then?.(result);
      },
      (error: unknown) => {
        call.settled = true;
        if (error instanceof EngineError && REASONS.has(error.code)) return;
        this.wrong.push(
          `${method} failed: ${error instanceof EngineError ? `${error.message} ${error.data.cause ?? ''}` : String(error)}`,
        );
      },
    );
  }

  /** One step; what it is follows from the numbers. */
  async step(kind: number, who: number, which: number, how: number): Promise<void> {
    const names = Object.keys(STEPS);
    const name = names[kind % names.length]!;
    const person = this.people[who % CLIENTS]!;
    const at = which % TRANSCRIPTS;
    this.steps.push(`${name} client ${who % CLIENTS} transcript ${at} ${how}`);
    await STEPS[name]!(this, { person, at, id: this.#ids[at]!, how });
    for (let turn = 0; turn < 3; turn++) await tick();
  }

  async grow(by: number): Promise<void> {
    this.#written = Math.min(LINES.length, this.#written + by);
    writeFileSync(this.path('growing.jsonl'), text(LINES.slice(0, this.#written)));
    await this.take('growing.jsonl');
    this.#back();
  }

  async rewind(by: number): Promise<void> {
    this.#related = Math.min(RELATED.before.length + RELATED.rest.length, this.#related + by);
    writeFileSync(this.path('related.jsonl'), text([...RELATED.before, ...RELATED.rest].slice(0, this.#related)));
    await this.take('related.jsonl');
    this.#back();
  }

  // What was removed is in the library again once its file is imported again.
  #back(): void {
    for (const id of [...this.#removed]) if (this.engine.other.get(id) !== null) this.#removed.delete(id);
  }

  tellNews(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    this.engine.news(changed);
  }

  noteRemoved(ids: readonly string[], removed: boolean): void {
    for (const id of ids) {
      if (removed) this.#removed.add(id);
      else this.#removed.delete(id);
    }
  }

  leave(person: Person): void {
    person.client.close();
    this.people[this.people.indexOf(person)] = this.#person();
  }

  /** Does what a job is asked to do. */
  async doJobs(): Promise<boolean> {
    const next = this.engine.jobs.list().find(({ state }) => state === 'queued');
    if (next === undefined) return false;
    const { request } = this.engine.jobs.started.find(({ id }) => id === next.jobId)!;
    this.engine.jobs.run(next.jobId);
    if (request.kind === 'tokens') await this.alone(() => this.engine.count(request.transcriptId, request.tokenizer));
    // It may have been cancelled meanwhile.
    if (this.engine.jobs.list().some(({ jobId, state }) => jobId === next.jobId && state === 'running')) {
      this.engine.jobs.finish(next.jobId);
    }
    return true;
  }

  breathe(times: number): void {
    for (const resume of scheduler.waiting.splice(0, times)) resume();
  }

  /** Lets everything run until nothing is left to do. */
  async rest(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await tick();
      if (scheduler.waiting.length > 0) this.breathe(Number.POSITIVE_INFINITY);
      else if (!this.engine.sandbox.letOneRun() && !(await this.doJobs())) {
        this.engine.passTime();
        quiet++;
        continue;
      }
      quiet = 0;
    }
  }

  async ask<M extends MethodName>(client: EngineClient, method: M, params: Params<M>): Promise<ResultOf<M> | string> {
    let answer: ResultOf<M> | string | null = null;
    client.call(method, params).then(
      (result) => {
        answer = result;
      },
      (error: unknown) => {
        answer = error instanceof EngineError ? error.code : String(error);
      },
    );
    await this.rest();
    return answer ?? `${method} was not answered`;
  }

  /** All that is asked of an engine at rest. */
  async answers(client: EngineClient): Promise<unknown> {
    const all: unknown[] = [];
    for (const id of this.#ids) {
      all.push(id, await this.ask(client, 'transcript.open', { id }));
      for (const spec of SPECS) {
        const window = { from: 0, to: 200 };
        const shown = await this.ask(client, 'projection.set', { id, spec, at: null, rows: window });
        all.push(typeof shown === 'string' ? shown : { ...shown, projectionId: null, ms: null });
      }
      const points: unknown[] = [];
      // How many come at once is a matter of time.
      let isWhole = false;
      const stop = client.on('series', (series) => {
        points.push(...series.points);
        isWhole = series.complete;
      });
      await this.ask(client, 'series.start', { id, spec: SPECS[1], samples: 50 });
      stop();
      all.push(points, isWhole);
      all.push(await this.ask(client, 'budget.presets', { id, at: null, firstOver: true }));
      all.push(await this.ask(client, 'trace.message', { id, spec: SPECS[2], index: 0, part: null, at: null }));
      all.push(await this.ask(client, 'transcript.usage', { id, from: 0, to: 10 }));
    }
    const { transcripts } = (await this.ask(client, 'library.list', {})) as ResultOf<'library.list'>;
    all.push([...transcripts].sort((a, b) => (a.id < b.id ? -1 : 1)));
    return all;
  }
}

interface Given {
  readonly person: Person;
  readonly at: number;
  readonly id: string;
  readonly how: number;
}

const specOf = (how: number) => SPECS[how % SPECS.length];

const STEPS: Readonly<Record<string, (world: World, given: Given) => void | Promise<void>>> = {
  open: (world, { person, id }) =>
    world.call(person, 'transcript.open', { id }, ({ messages }) => person.messages.set(id, messages)),
  close: (world, { person, id }) => world.call(person, 'transcript.close', { id }),
  project: (world, { person, at, id, how }) => {
    const params = {
      id,
      spec: specOf(how),
      at: how % 5 === 0 ? 2 : null,
      hash: HASHES[how % 3]!,
      rows: { from: 0, to: 40 },
    };
    world.call(person, 'projection.set', params, ({ projectionId }) => person.shown.set(at, projectionId));
  },
  hash: (world, { person, at }) => {
    world.call(person, 'projection.hash', { projectionId: person.shown.get(at) ?? 'none' });
  },
  rows: (world, { person, at, how }) => {
    const projectionId = person.shown.get(at) ?? 'none';
    if (how % 2 === 0) world.call(person, 'projection.rows', { projectionId, from: 0, to: 100 });
    else world.call(person, 'projection.why', { projectionId, index: how % 6 });
  },
  series: (world, { person, id, how }) => {
    world.call(person, 'series.start', { id, spec: specOf(how), samples: 20 }, ({ seriesId }) => {
      person.seriesId = seriesId;
    });
  },
  stop: (world, { person }) => {
    if (person.seriesId !== null) world.call(person, 'series.stop', { seriesId: person.seriesId });
  },
  presets: (world, { person, id, how }) =>
    world.call(person, 'budget.presets', { id, at: how % 4 === 0 ? 2 : null, firstOver: how % 2 === 0 }),
  trace: (world, { person, id, how }) =>
    world.call(person, 'trace.message', { id, spec: specOf(how), index: how % 4, part: null, at: null }),
  lint: (world, { person, id, how }) =>
    how % 2 === 0
      ? world.call(person, 'lint.run', { id, spec: specOf(how), at: null })
      : world.call(person, 'wire.export', { id, spec: specOf(how), at: null, target: 'anthropic' }),
  usage: (world, { person, id }) => world.call(person, 'transcript.usage', { id, from: 0, to: 10 }),
  search: (world, { person, at }) =>
    world.call(person, 'search.text', { projectionId: person.shown.get(at) ?? 'none', text: 'the', limit: 20 }),
  grow: (world, { how }) => world.grow(1 + (how % 4)),
  rewind: (world, { how }) => world.rewind(1 + (how % 9)),
  news: (world) => world.tellNews(),
  remove: (world, { person, id }) => {
    world.call(person, 'library.remove', { ids: [id] }, ({ removed }) => world.noteRemoved(removed, true));
  },
  restore: (world, { person, id }) => {
    world.noteRemoved([id], false);
    world.call(person, 'library.restore', { ids: [id] });
  },
  summarize: (world, { person, id, how }) =>
    how % 3 === 0
      ? world.call(person, 'summaries.remove', { id, from: 0, to: 2 })
      : world.call(person, 'summaries.set', { id, from: 0, to: 2, content: `Summary ${how}.` }),
  tag: (world, { person, id, how }) =>
    world.call(person, 'tags.apply', { ids: [id], add: [`tag ${how % 3}`], remove: [] }),
  list: (world, { person }) => world.call(person, 'library.list', {}),
  trim: (world) => world.engine.trim(),
  leave: (world, { person }) => world.leave(person),
  job: async (world) => void (await world.doJobs()),
  code: (world) => void world.engine.sandbox.letOneRun(),
  time: (world) => world.engine.passTime(),
  breathe: (world, { how }) => world.breathe(1 + how),
  breatheMore: (world, { how }) => world.breathe(1 + how * 2),
};

/** Names of an engine's own, and times. */
const CHANCE: ReadonlySet<string> = new Set(['projectionId', 'ms', 'seriesId', 'cursor']);

/** Where two values differ, and how: a few places. */
function differences(left: unknown, right: unknown, at = ''): readonly string[] {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    const [a, b] = [left, right].map((value) => JSON.stringify(value)?.slice(0, 150));
    return left === right ? [] : [`${at}: ${a} and ${b}`];
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)].filter((key) => !CHANCE.has(key)));
  return [...keys]
    .flatMap((key) => differences(Reflect.get(left, key), Reflect.get(right, key), `${at}.${key}`))
    .slice(0, 5);
}

async function check(steps: readonly (readonly [number, number, number, number])[]): Promise<void> {
  const world = new World();
  const { engine: first } = world;
  const begun: { readonly done: Task<unknown>['done']; settled: boolean }[] = [];
  const { background } = WorkQueue.prototype;
  const spy = vi.spyOn(WorkQueue.prototype, 'background').mockImplementation(function (this: WorkQueue, rank, run) {
    const task = background.call(this, rank, run) as Task<never>;
    const noted = { done: task.done, settled: false };
    begun.push(noted);
    const settle = (): void => {
      noted.settled = true;
    };
    task.done.then(settle, settle);
    return task;
  });
  try {
    await world.begin();
    for (const step of steps) await world.step(...step);
    world.tellNews();
    await world.rest();
    const told = () => `${world.steps.join('\n')}\n`;
    expect(world.wrong, told()).toEqual([]);
    expect(
      world.calls.filter(({ settled }) => !settled).map(({ name }) => name),
      told(),
    ).toEqual([]);
    expect(
      begun.filter(({ settled }) => !settled),
      told(),
    ).toHaveLength(0);
    await world.answers(world.people[0]!.client);
    const answers = await world.answers(world.people[0]!.client);
    for (const { client } of world.people) client.close();
    await world.rest();
    expect(
      begun.filter(({ settled }) => !settled),
      told(),
    ).toHaveLength(0);
    const fresh = manualEngine(world.engine.dir);
    world.engine = fresh;
    const client = fresh.connect();
    await world.answers(client);
    expect(differences(answers, await world.answers(client)), told()).toEqual([]);
    await fresh.dispose();
  } finally {
    spy.mockRestore();
    await first.dispose();
    scheduler.waiting.length = 0;
  }
}

test(`${ORDERS} orders of things`, { timeout: 60_000 + ORDERS * 20_000 }, async () => {
  await Promise.all((['o200k_base', 'cl100k_base', 'estimate'] as const).map((id) => loadCounter(id)));
  let now = 0;
  // Each look at the clock is a millisecond later: slices end by what was done, not by how fast.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  const unschedule = schedule();
  const number = fc.nat({ max: 199 });
  const order = fc.array(fc.tuple(number, number, number, number), { maxLength: 90, size: 'max' });
  try {
    await fc.assert(fc.asyncProperty(order, check), {
      seed: SEED,
      numRuns: ORDERS,
      endOnFailure: !process.env.PARALLAX_SHRINK,
    });
    expect(scheduler.waited).toBeGreaterThan(ORDERS);
  } finally {
    unschedule();
    clock.mockRestore();
  }
});
