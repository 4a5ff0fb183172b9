// The sink that writes into the library tells the same as the one that keeps everything in memory, whatever a reader
// does and wherever batches end.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import { runTokens } from '../../core/engine/jobs/runTokens.ts';
import { type ImportedTranscript, MemorySink } from '../../core/importers/memory.ts';
import type { Rewind } from '../../core/model/importSink.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { ImportedMessage, Origin } from '../../core/model/transcript.ts';
import type { ImportWriter, Library, StoredSource } from '../../core/store/index.ts';
import { extractPayloads } from '../../core/store/transcript/payloads.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { cases } from '../support/cases.ts';
import { writeRelatedSessions } from '../support/relatedSessions.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { openSource, wholeFile } from './support.ts';

const PAYLOAD = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 31) % 256)).toString('base64');

/** A file as it comes into being, and the two sinks that hear of it. */
class Twins {
  readonly memory = new MemorySink();
  readonly writer: ImportWriter;
  readonly library: Library;
  readonly path = '/a/session.jsonl';
  file = '';
  line = 0;
  readonly uidOf: (key: string) => string;

  constructor(library: Library, probe = 'probe') {
    this.library = library;
    const hash = createHash('sha256').update(probe).digest();
    const start = library.tables.beginImport({ path: this.path, bytes: 0, mtimeMs: 0, probe: hash, sha256: hash });
    if (start.kind !== 'writer') throw new Error(`an import began as ${start.kind}`);
    this.writer = start.writer;
    this.uidOf = (key) => createHash('sha256').update(hash).update(key).digest('hex').slice(0, 24);
  }

  record(text: string): Origin {
    const byteStart = Buffer.byteLength(this.file);
    this.file += `${text}\n`;
    const origin = { line: ++this.line, byteStart, byteEnd: byteStart + Buffer.byteLength(text) };
    this.writer.record({ text, value: undefined, path: [], ...origin });
    return origin;
  }

  begin(key: string): void {
    this.memory.begin(key, { format: 'pi', title: key });
    this.writer.begin(key, { format: 'pi', title: key });
  }

  message(message: ImportedMessage): void {
    expect(this.writer.message(message)).toBe(this.memory.message(message));
  }

  rewind(rewind: Rewind): void {
    this.memory.rewind(rewind);
    this.writer.rewind(rewind);
  }

  amend(index: number, message: ImportedMessage): void {
    this.memory.amend(index, message);
    this.writer.amend(index, message);
  }

  flush(): void {
    this.writer.flush(this.file.length);
  }

  finish(): void {
    this.writer.finish(wholeFile(this.file));
  }
}

/** Does random things to both sinks, as a reader may. */
class RandomReader {
  readonly #twins: Twins;
  readonly #rng: Rng;
  readonly #told: string[] = [];
  #key = 'main';
  #branches = 0;
  #texts = 0;

  constructor(twins: Twins, rng: Rng) {
    this.#twins = twins;
    this.#rng = rng;
    twins.begin('main');
  }

  step(): void {
    const act = this.#rng.pick([...Array(8).fill('message'), 'event', 'compaction', 'spawn', 'problem', ...MOVES]);
    this.#told.push(act);
    switch (act) {
      case 'message':
        this.#twins.message(this.#message([]));
        return;
      case 'event':
      case 'compaction':
        this.#event(act);
        return;
      case 'spawn':
        this.#spawn();
        return;
      case 'problem':
        this.#twins.writer.problem({ code: 'x', severity: 'info', text: 'x' });
        return;
      case 'begin':
        this.#begin();
        return;
      case 'rewind':
        this.#rewind();
        return;
      default:
        this.#amend();
    }
  }

  get #transcripts(): readonly ImportedTranscript[] {
    return this.#twins.memory.result().transcripts;
  }

  get #current(): ImportedTranscript {
    const found = this.#transcripts.find(({ key }) => key === this.#key);
    if (!found) throw new Error('lost the current transcript');
    return found;
  }

  #message(before: readonly Origin[]): ImportedMessage {
    const rng = this.#rng;
    const words = rng.chance(0.15) ? 'the same words again' : `${'words of it '.repeat(rng.below(12))}${this.#texts++}`;
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PAYLOAD } };
    const content = [{ type: 'text', text: words }, ...(rng.chance(0.1) ? [image] : [])];
    const text = JSON.stringify({ role: rng.pick(['user', 'assistant', 'system']), content });
    const records = 1 + rng.below(2);
    const added = Array.from({ length: records }, (_, i) =>
      this.#twins.record(JSON.stringify({ type: 'message', i, n: this.#texts, message: JSON.parse(text) })),
    );
    const meta = {
      ...(rng.chance(0.7) ? { timestamp: this.#time() } : {}),
      ...(rng.chance() ? { model: this.#model() } : {}),
    };
    return { text, meta, origins: [...before, ...added] };
  }

  #time(): string {
    return `2026-01-01T00:00:${String(this.#rng.below(60)).padStart(2, '0')}.000Z`;
  }

  #model(): string {
    return this.#rng.pick(['model-a', 'model-b', 'model-c']);
  }

  #event(kind: 'event' | 'compaction'): void {
    const { memory, writer } = this.#twins;
    const at = this.#current.messages.length;
    const json = JSON.stringify({ type: kind, n: this.#texts++ });
    const origin = this.#twins.record(json);
    const time = this.#rng.chance() ? { timestamp: this.#time() } : {};
    const event = { kind, at, visibility: 'internal' as const, text: kind, json, origin, ...time };
    if (kind === 'event') {
      memory.event(event);
      writer.event(event);
      return;
    }
    const more = this.#rng.pick([
      {},
      { kind: 'replacement' as const, replacement: ['{"role":"user"}'] },
      { kind: 'cleared' as const, clearedCallIds: ['c1', 'c2'] },
      { kind: 'opaque' as const, opaqueChars: 7 },
    ]);
    const compaction = { at, trigger: 'auto', preTokens: this.#texts, ...more };
    memory.compaction(event, compaction);
    writer.compaction(event, compaction);
  }

  #spawn(): void {
    const spawn = { callId: `call-${this.#texts}`, ...(this.#rng.chance() ? { agentId: 'a' } : { sessionId: 's' }) };
    this.#twins.memory.spawn(spawn);
    this.#twins.writer.spawn(spawn);
  }

  #begin(): void {
    const known = this.#rng.chance(0.7);
    this.#key = known ? this.#rng.pick(this.#transcripts).key : `chain-${this.#branches++}`;
    this.#twins.begin(this.#key);
  }

  #rewind(): void {
    const current = this.#current;
    const n = current.messages.length;
    const at = this.#rng.chance(0.3) ? Math.max(0, n - 1 - this.#rng.below(2)) : this.#rng.below(n + 1);
    // A branch left once and taken up again may give its key to another.
    const taken = new Set(this.#transcripts.map((one) => one.key));
    let key = 'branch-0';
    for (let i = 1; taken.has(key); i++) key = `branch-${i}`;
    const leave = { key, meta: { branchOf: this.#key, branchAt: at } };
    const others = this.#transcripts.filter(
      (other) => other.key !== current.key && shared(current, other) >= at && other.messages.length >= at,
    );
    if (others.length === 0 || this.#rng.chance(0.4)) {
      this.#twins.rewind({ at, leave });
      return;
    }
    const other = this.#rng.pick(others);
    const more = other.messages.length - at;
    const to = this.#rng.chance() ? other.messages.length : at + this.#rng.below(more + 1);
    this.#twins.rewind({ at, leave, resume: { key: other.key, to } });
  }

  #amend(): void {
    const { messages } = this.#current;
    if (messages.length === 0) return;
    const index = this.#rng.chance() ? messages.length - 1 : this.#rng.below(messages.length);
    const { role } = JSON.parse(messages[index]!.text);
    const message = this.#message(messages[index]!.origins);
    this.#twins.amend(index, { ...message, text: message.text.replace(/"role":"\w+"/, `"role":"${role}"`) });
  }
}

const MOVES = ['begin', 'rewind', 'rewind', 'amend', 'amend'];

/** Messages that two transcripts begin with. */
function shared(a: ImportedTranscript, b: ImportedTranscript): number {
  const differs = a.messages.findIndex((message, i) => message !== b.messages[i]);
  return differs < 0 ? a.messages.length : differs;
}

function countsOf({ messages, events, compactions }: ImportedTranscript) {
  const facts = messages.map(({ text }) => readMessage(JSON.parse(text)));
  return {
    messages: messages.length,
    parts: facts.reduce((sum, one) => sum + one.parts.length, 0),
    turns: facts.filter((one) => one.beginsTurn).length,
    callPoints: facts.filter((one) => one.role === 'assistant').length,
    events: events.length,
    compactions: compactions.length,
    assets: messages.reduce((sum, { text }) => sum + extractPayloads(text).payloads.length, 0),
  };
}

function rowOf(transcript: ImportedTranscript) {
  const { messages, events } = transcript;
  const times = [...messages.map(({ meta }) => meta.timestamp), ...events.map(({ timestamp }) => timestamp)]
    .filter((time) => time !== undefined)
    .sort();
  const models = messages.flatMap(({ meta }) => meta.model ?? []);
  return {
    meta: transcript.meta,
    counts: countsOf(transcript),
    models: [...new Set(models)],
    startedAt: times[0] ?? null,
    endedAt: times.at(-1) ?? null,
  };
}

/** Everything the library says of a transcript, in the words of the one in memory. */
function storedOf(library: Library, id: string, source: StoredSource) {
  const indices = [...Array(source.length).keys()];
  const { counts, meta, models, startedAt, endedAt } = source.row();
  const { problems: _, ...numbers } = counts;
  return {
    row: { meta, counts: numbers, models, startedAt, endedAt },
    texts: source.texts(0, source.length),
    metas: indices.map((i) => source.meta(i)),
    origins: indices.map((i) => source.origins(i)),
    facts: indices.map((i) => source.facts(i)),
    parts: [...source.partCounts()],
    system: source.systemMessages?.(),
    events: library
      .events(id, 0, counts.events)
      .map(({ seq, timestamp, ...event }) => ({ ...event, ...(timestamp === null ? {} : { timestamp }) })),
    compactions: source.compactions(),
    spawns: library.spawns(id),
  };
}

function toldOf(transcript: ImportedTranscript) {
  const { messages, events, spawns } = transcript;
  const facts = messages.map(({ text }) => readMessage(JSON.parse(text)));
  return {
    row: rowOf(transcript),
    texts: messages.map(({ text }) => text),
    metas: messages.map(({ meta }) => meta),
    origins: messages.map(({ origins }) => origins),
    facts,
    system: facts.flatMap(({ role }, index) => (role === 'system' ? [index] : [])),
    parts: facts.map(({ parts }) => parts.length),
    events,
    compactions: transcript.compactions.map((compaction, i) => {
      const timestamp = transcript.compactionTimes[i];
      return timestamp === undefined ? compaction : { ...compaction, timestamp };
    }),
    spawns,
  };
}

/** Compares the library with what was told; sources stay open from one time to the next. */
function compare(twins: Twins, open: Map<string, StoredSource>): void {
  const { library, memory } = twins;
  const told = memory.result().transcripts;
  expect(
    library
      .list()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(told.map(({ key }) => key).sort());
  for (const transcript of told) {
    const id = twins.uidOf(transcript.key);
    const source = open.get(id) ?? openSource(library, id);
    open.set(id, source);
    source.refresh();
    expect({ key: transcript.key, ...storedOf(library, id, source) }).toEqual({
      key: transcript.key,
      ...toldOf(transcript),
    });
  }
  for (const id of open.keys()) if (library.get(id) === null) open.delete(id);
}

async function checkTokens(twins: Twins): Promise<void> {
  const { library, memory } = twins;
  const counted: number[] = [];
  for (const { key, messages } of memory.result().transcripts) {
    const id = twins.uidOf(key);
    await runTokens(library, id, 'estimate');
    const source = openSource(library, id);
    const sums = new Array<number>(7).fill(0);
    const totals = library.tokenTotals('estimate').get(id);
    for (let i = 0; i < messages.length; i++) {
      const own = source.tokenCounts(i, 'estimate');
      expect(own?.length).toBe(source.facts(i).parts.length);
      counted.push(...(own ?? []));
      for (const tokens of own ?? []) sums[0]! += tokens;
    }
    expect(totals?.messages ?? 0).toBe(messages.length);
    expect((totals?.byCategory ?? []).reduce((sum, tokens) => sum + tokens, 0)).toBe(sums[0]);
  }
  expect(counted.every((tokens) => tokens >= 0)).toBe(true);
}

async function play(seed: number): Promise<void> {
  const rng = seededRng(seed);
  const library = openLibrary(tempDir());
  const twins = new Twins(library);
  const reader = new RandomReader(twins, rng);
  const open = new Map<string, StoredSource>();
  const steps = 20 + rng.below(120);
  const flushing = rng.pick([0, 0.02, 0.1, 0.4]);
  for (let i = 0; i < steps; i++) {
    reader.step();
    if (!rng.chance(flushing)) continue;
    twins.flush();
    if (rng.chance(0.5)) compare(twins, open);
    if (rng.chance(0.3)) await checkTokens(twins);
  }
  twins.finish();
  compare(twins, open);
  await checkTokens(twins);
  const id = library.list()[0]!.id;
  library.tables.db.prepare('UPDATE sources SET bytes = ?').run(Buffer.byteLength(twins.file));
  expect(Buffer.from(library.fileBytes(id) ?? []).toString()).toBe(twins.file);
  expect(orphans(library)).toBe(0);
}

/** Contents that no message has. */
function orphans(library: Library): number {
  const sql = 'SELECT count(*) FROM contents WHERE id NOT IN (SELECT content_id FROM messages)';
  return library.tables.db.prepare<[], number>(sql).pluck().get() ?? -1;
}

describe('a reader that goes back, takes up and amends', () => {
  test.each(Array.from({ length: cases(100, 30) }, (_, i) => i + 1))('seed %i', async (seed) => {
    await play(seed);
  });
});

test('a branch that was removed comes back with another import, out of a session that stayed', async () => {
  const library = openLibrary(tempDir());
  const { session } = writeRelatedSessions(library.dir);
  await runImport(library, session);
  const before = library.list();
  const branch = before.find(({ meta }) => meta.branchOf !== undefined);
  const texts = (id: string) => openSource(library, id).texts(0, openSource(library, id).length);
  const told = before.map(({ id }) => [id, texts(id)]);
  library.remove(branch?.id ?? '', 0);
  while (library.upkeepStep());
  expect(library.list()).toHaveLength(before.length - 1);
  const { transcripts } = await runImport(library, session);
  expect(transcripts.filter(({ existed }) => !existed).map(({ id }) => id)).toEqual([branch?.id]);
  expect(new Map(library.list().map(({ id }) => [id, texts(id)]))).toEqual(new Map(told.map(([id, all]) => [id, all])));
  while (library.upkeepStep());
  const hidden = 'SELECT count(*) FROM transcripts WHERE removed = 3';
  expect(library.tables.db.prepare<[], number>(hidden).pluck().get()).toBe(0);
  expect(orphans(library)).toBe(0);
  expect(Buffer.from(library.fileBytes(branch?.id ?? '') ?? [])).toEqual(readFileSync(session));
});
