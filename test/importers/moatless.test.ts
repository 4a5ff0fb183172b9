import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf } from '../../core/importers/formats/moatless/tree.ts';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, codes, importFile, jsonl, texts } from './support.ts';

const node = (node_id: number, parent_id: number | null, more: object = {}): object => ({
  node_id,
  parent_id,
  message: `m${node_id}`,
  ...more,
});
const tree = (...nodes: object[]): object => ({ metadata: { instance_id: 'i' }, nodes });
const finished = (value: number): object => ({ reward: { value }, observation: { terminal: true } });
const said = (name: string): string => `{"role":"user","content":"${name}"}`;

describe('the paths of a search tree', () => {
  it.each([
    ['a list', [-1, 0, 1], [], [[0, 1, 2]], [3]],
    [
      'two leaves, the last first',
      [-1, 0, 0],
      [],
      [
        [0, 2],
        [0, 1],
      ],
      [2, 1],
    ],
    [
      'the best leaf first',
      [-1, 0, 0],
      [[1, 5]],
      [
        [0, 1],
        [0, 2],
      ],
      [2, 1],
    ],
    [
      'the first of equally good ones',
      [-1, 0, 0, 0],
      [
        [1, 5],
        [2, 5],
      ],
      [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
      [2, 1, 1],
    ],
    ['several roots', [-1, -1], [], [[1], [0]], [1, 0]],
    ['nothing', [], [], [], []],
  ])('%s', (_name, parents, scores, paths, shared) => {
    const scoreOf = new Map(scores.map(([at, score]) => [at, score]));
    const found = pathsOf(parents.map((parent, at) => ({ parent, speaks: true, score: scoreOf.get(at) ?? null })));
    expect(found.paths.map(({ nodes }) => nodes)).toEqual(paths);
    expect(found.paths.map((path) => path.shared)).toEqual(shared);
    expect(found.silent).toEqual([]);
  });

  it('leaves out ends that say nothing', () => {
    const speaks = [true, false, true, false, false];
    const found = pathsOf([-1, 0, 1, 0, 3].map((parent, at) => ({ parent, speaks: speaks[at] ?? false, score: null })));
    expect(found).toEqual({ paths: [{ leaf: 2, nodes: [0, 1, 2], shared: 3 }], silent: [3, 4] });
  });
});

describe('moatless', () => {
  it('makes the best leaf the transcript and every other one a branch of it', () => {
    const file = importText(JSON.stringify(tree(node(0, null), node(1, 0, finished(9)), node(2, 0), node(3, 2))));
    expect(file.format).toBe('moatless');
    expect(file.transcripts.map(({ key, meta }) => [key, meta.branchOf, meta.branchAt])).toEqual([
      ['main', undefined, undefined],
      ['main node 3', 'main', 1],
    ]);
    expect([texts(file, 0), texts(file, 1)]).toEqual([
      [said('m0'), said('m1')],
      [said('m0'), said('m2'), said('m3')],
    ]);
    expect(codes(file)).toEqual(['import.branches']);
    expect(addsUp(file)).toBe(true);
  });

  it('takes a node whose parent is missing to follow the one before', () => {
    const file = importText(JSON.stringify(tree(node(0, null), node(1, 7))));
    expect(texts(file)).toEqual([said('m0'), said('m1')]);
    expect(codes(file)).toEqual(['import.missing_parent']);
  });

  it.each([
    ['a block', { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] }, 'c', 'user'],
    [
      'a call of chat completions',
      {
        choices: [
          { message: { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '' } }] } },
        ],
      },
      'c',
      'tool',
    ],
    ['no recorded answer', undefined, null, 'tool'],
  ])('pairs the observation with %s', (_name, response, id, role) => {
    const step = {
      node_id: 0,
      action: { thoughts: 't', action_args_class: 'f', a: 1 },
      observation: { message: 'seen', properties: { fail_reason: 'x' } },
      completions: response ? { build_action: { response } } : {},
    };
    const file = importText(JSON.stringify(tree(step)));
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    expect(facts.map((one) => one.role)).toEqual(['assistant', role]);
    expect(facts.flatMap(callsOf).map(({ part }) => [part.callId, part.name])).toEqual([[id, 'f']]);
    expect(facts.flatMap(resultsOf).map(({ part }) => [part.callId, part.isError])).toEqual([[id, true]]);
  });

  it('reads what came of an action in prose as a user would tell it', () => {
    const response = { role: 'assistant', content: [{ type: 'text', text: 'Action: look' }] };
    const step = { node_id: 0, observation: { message: 'seen' }, completions: { build_action: [{}, { response }] } };
    const file = importText(JSON.stringify(tree(step)));
    expect(texts(file)[1]).toBe(said('seen'));
    expect(file.transcripts[0]?.messages[1]?.meta.injected).toBe(true);
  });

  it('makes each line a tree of its own', () => {
    const file = importText(jsonl(tree(node(0, null)), tree(node(0, null), node(1, 0))));
    expect(file.transcripts.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['main', 1],
      ['main 2', 2],
    ]);
    expect(addsUp(file)).toBe(true);
  });
});

const files = corpusFiles('moatless').map((path) => [basename(path), path] as const);

describe.skipIf(files.length === 0)('real trees (skipped where there is no shared material)', () => {
  it.each(files)('%s: every node, call and result', (_name, path) => {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const nodes = (isRecord(document) ? arrayAt(document, 'nodes') : undefined)?.filter(isRecord) ?? [];
    const file = importFile(path);
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    const acted = nodes.filter((each) => isRecord(each.action)).length;
    expect(facts.flatMap(callsOf)).toHaveLength(acted);
    expect(facts.flatMap(resultsOf)).toHaveLength(acted);
    expect(facts).toHaveLength(nodes.length + acted);
  });
});
