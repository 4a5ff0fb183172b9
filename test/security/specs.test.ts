// A spec may come from anybody: a bundle, a bug report, a colleague's chat. Every option of every stage is given every
// hostile value: it is refused or read, in time, and what is refused is told in few words.
import { afterAll, describe, expect, test } from 'vitest';
import { Projector } from '../../cli/support/projecting.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { serve } from '../../core/protocol/serve.ts';
import { inProcessPair } from '../../core/protocol/transports.ts';
import { sampleSession } from '../../core/sample/index.ts';
import { parseQuery } from '../../core/search/parseQuery.ts';
import { runHere } from './support.ts';

const DEEP: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
const DEEP_OBJECT: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);

/** Values that no option expects, or that expects an option to do too much. */
const VALUES: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE],
  ...['', ' ', '\u0000', '__proto__', 'constructor', '\ud800', '\u202e', 'a'.repeat(100_000), '('.repeat(5_000)],
  ...['(a+)+$', '(a|a)*b', '.*'.repeat(2_000), '{'.repeat(5_000), '*'.repeat(5_000), '[[:alpha:]]', '\\1\\2\\3'],
  ...[[], {}, [null], [[]], [{}], ['(a+)+$'], Array.from({ length: 5_000 }, (_, i) => `x${i}`)],
  ...[{ __proto__: { polluted: 1 } }, JSON.parse('{"__proto__":{"polluted":1}}'), { toString: 1 }, { length: -1 }],
  ...[{ at: 'x', keep: -5 }, [{ name: 'Bash', keep: 1e99 }], DEEP, DEEP_OBJECT],
];

const SLOW_MS = 2_000;
const OPTIONS = STAGES.stages.flatMap((stage) => stage.params.map((param) => [stage.kind, param.name] as const));
const counts = { trials: 0, contained: 0 };

afterAll(() => console.log(`specs: ${counts.trials} trials, ${counts.contained} contained`));

const sample = importText(new TextEncoder().encode(sampleSession())).transcripts[0];
if (sample === undefined) throw new Error('the sample is a transcript');
const source = MemoryTranscript.of(sample);
const projector = new Projector();
afterAll(() => projector.close());

async function attempt(spec: unknown): Promise<void> {
  counts.trials++;
  const startedAt = performance.now();
  const parsed = parseSpec(spec, STAGES);
  if (parsed.ok) {
    // A stage may find that it cannot act; it may not throw, and the program's own code has to end.
    const isCode = parsed.value.stages.some(({ kind }) => kind === 'custom');
    if (!isCode) await projector.project(source, parsed.value.stages, source.length);
  } else {
    for (const { text } of parsed.error) expect(text.length).toBeLessThan(20_000);
  }
  expect(performance.now() - startedAt).toBeLessThan(SLOW_MS);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  counts.contained++;
}

describe('every option is given every hostile value', () => {
  test.each(OPTIONS)('%s: %s', async (kind, name) => {
    for (const value of VALUES) await attempt({ version: 1, stages: [{ kind, options: { [name]: value } }] });
  });
});

describe('a spec as a whole', () => {
  const WHOLE: Readonly<Record<string, unknown>> = {
    'a deep list': DEEP,
    'a deep object': DEEP_OBJECT,
    'deep stages': { version: 1, stages: DEEP },
    'a deep budget': { version: 1, stages: [], budget: DEEP_OBJECT },
    'a deep name': { version: 1, name: DEEP, stages: [] },
    'a long name': { version: 1, name: 'x'.repeat(1e6), stages: [] },
    'ten thousand stages': { version: 1, stages: Array.from({ length: 10_000 }, () => ({ kind: 'raw' })) },
    'a kind of the prototype': { version: 1, stages: [{ kind: '__proto__' }, { kind: 'constructor' }] },
    'a policy of the prototype': { policy: 'toString' },
    'options that are a list': { version: 1, stages: [{ kind: 'reachability_gc', options: [] }] },
    'a window without an end': { version: 1, stages: [], window: Number.POSITIVE_INFINITY },
    'a negative window': { version: 1, stages: [], window: -1 },
  };
  test.each(Object.entries(WHOLE))('%s', (_, spec) => attempt(spec));

  test('the command line says that it nests too deep', async () => {
    const option = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const run = await runHere(['project', 'none', '--spec', `{"policy":"reachability_gc","roots":${option}}`]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('The spec nests more than 100 levels deep.');
  });

  test('so does the engine, whatever the call', async () => {
    const [mine, theirs] = inProcessPair();
    serve(theirs, {} as never);
    const answers: unknown[] = [];
    mine.onMessage((message) => answers.push(JSON.parse(String(message))));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    mine.send(`{"type":"request","id":1,"method":"settings.set","params":{"key":"x","value":${deep}}}`);
    const error = { code: 'protocol.too_deep', expected: true };
    await expect.poll(() => answers.at(-1)).toMatchObject({ id: 1, error });
  });
});

describe('a query', () => {
  const QUERIES = [
    ...[
      '(',
      ')',
      '"',
      '"'.repeat(9_999),
      '('.repeat(20_000),
      ')'.repeat(20_000),
      '-'.repeat(20_000),
      'OR '.repeat(9_999),
    ],
    ...['a OR '.repeat(9_999), `role:${'x'.repeat(1e5)}`, 'after:99999999999', 'before:-1', `${'a* '.repeat(5_000)}`],
    ...['tool:"', 'NEAR(a b, 9999999)', '{a b}:c', 'search MATCH 1', "'; DROP TABLE contents; --", '\u0000', '\ud800'],
    ...[
      'a:b:c:d:e',
      '*',
      '**',
      '^a',
      'a AND NOT',
      'AND',
      'NOT NOT NOT',
      `${'"a" '.repeat(5_000)}`,
      '٪',
      'ﷺ'.repeat(2_000),
    ],
  ];
  test.each(QUERIES.map((query) => [query.slice(0, 24), query] as const))('%j', (_, query) => {
    counts.trials++;
    const startedAt = performance.now();
    parseQuery(query, { time: 0, zoneMinutes: 0 });
    expect(performance.now() - startedAt).toBeLessThan(SLOW_MS);
    counts.contained++;
  });
});
