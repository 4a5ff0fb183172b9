import { describe, expect, it } from 'vitest';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { codeProblems, logLines, markers } from '../../renderer/policy/custom/codeProblems.ts';
import { EXAMPLES } from '../../renderer/policy/custom/examples.ts';
import { readSpecText } from '../../renderer/policy/readSpecText.ts';
import { markOf, parseWhole, sliderMarks } from '../../renderer/policy/sliderScale.ts';
import { specFileName, specText } from '../../renderer/policy/specFile.ts';
import { readSaved, renamed, withoutPolicy, withPolicy } from '../../renderer/state/savedPolicies.ts';
import { describePlace } from '../../renderer/ui/problemPlace.ts';

const RAW: ProjectionSpec = { version: 1, stages: [] };

describe('slider', () => {
  it('stops at every number of a short range', () => {
    expect(sliderMarks(0, 64)).toEqual(Array.from({ length: 65 }, (_, value) => value));
  });

  it('stops at numbers of two digits in a long range, ascending, both ends included', () => {
    const marks = sliderMarks(0, 10_000);
    expect(marks.length).toBeLessThan(250);
    expect([marks[0], marks.at(-1)]).toEqual([0, 10_000]);
    expect(marks).toContain(500);
    expect(marks.every((mark, at) => at === 0 || mark > (marks[at - 1] ?? 0))).toBe(true);
  });

  it('stands at the nearest mark, at the end for all beyond', () => {
    const marks = sliderMarks(0, 10_000);
    expect(marks[markOf(marks, 503)]).toBe(500);
    expect(marks[markOf(marks, 1_000_000)]).toBe(10_000);
    expect(markOf(marks, 0)).toBe(0);
  });

  it.each([
    ['1,200', 0, 1200],
    [' 12 ', 0, 12],
    ['19_300', 0, 19_300],
    ['-1', 0, null],
    ['1.5', 0, null],
    ['', 0, null],
    ['0', 1, null],
    ['99999999999999999', 0, null],
  ])('reads %j (at least %i) as %j', (text, min, value) => {
    expect(parseWhole(text, min)).toBe(value);
  });
});

describe('saved policies', () => {
  it('reads its own list back', () => {
    const list = withPolicy(withPolicy([], 'b', RAW), 'a', { ...RAW, stages: [{ kind: 'gc', options: { x: 1 } }] });
    expect(list.map((one) => one.name)).toEqual(['a', 'b']);
    expect(readSaved(JSON.parse(JSON.stringify(list)))).toEqual(list);
  });

  it('keeps the budget of a policy', () => {
    const budget = {
      model: 'gpt-5',
      reserve_output: 8000,
      injection_reserve: 0,
      overhead: 21_340,
      caps: { tool_result: '30%', user: 9 },
    };
    const list = withPolicy([], 'a', { ...RAW, budget });
    expect(readSaved(JSON.parse(JSON.stringify(list)))).toEqual(list);
  });

  it('leaves out what does not read', () => {
    const values = [
      null,
      1,
      { name: '' },
      { name: 'x' },
      { name: 'y', spec: { stages: [{}] } },
      { name: 'z', spec: RAW },
    ];
    expect(readSaved(values).map((one) => one.name)).toEqual(['z']);
    expect(readSaved('nonsense')).toEqual([]);
  });

  it('replaces, renames and removes by name', () => {
    const list = withPolicy([], 'a', RAW);
    expect(withPolicy(list, 'a', { ...RAW, stages: [{ kind: 'gc' }] })).toHaveLength(1);
    expect(renamed(list, 'a', 'b')).toEqual([{ name: 'b', spec: { ...RAW, name: 'b' } }]);
    expect(renamed(withPolicy(list, 'b', RAW), 'a', 'b')).toHaveLength(1);
    expect(renamed(list, 'none', 'b')).toBe(list);
    expect(withoutPolicy(list, 'a')).toEqual([]);
  });
});

describe('specs as text', () => {
  it('reads JSON, and the bare name of a policy', () => {
    expect(readSpecText(' {"version":1} ')).toEqual({ ok: true, value: { version: 1 } });
    expect(readSpecText('clean_tool_repair')).toEqual({ ok: true, value: 'clean_tool_repair' });
    expect(readSpecText('"raw"')).toEqual({ ok: true, value: 'raw' });
  });

  it('says where JSON breaks', () => {
    const read = readSpecText('{\n  "version": 1,\n  oops\n}');
    expect(read).toMatchObject({ ok: false, problem: { code: 'spec.syntax', where: { line: 3, column: 3 } } });
  });

  it('names files after the policy', () => {
    expect(specFileName({ ...RAW, name: 'clean, then reclaim' })).toBe('clean-then-reclaim.parallax.json');
    expect(specFileName({ ...RAW, name: '///' })).toBe('policy.parallax.json');
    expect(JSON.parse(specText(RAW))).toEqual(RAW);
  });
});

describe('custom code', () => {
  const threw = {
    code: 'custom.threw',
    severity: 'error' as const,
    text: 'TypeError: x is null',
    where: { line: 3, column: 10 },
  };
  const log = { code: 'custom.log', severity: 'info' as const, text: 'hello 3' };
  const wall = { code: 'custom.wall', severity: 'error' as const, text: 'it was still running' };

  it('says each failure in words, with its place', () => {
    const [first, second] = codeProblems([threw, log, wall]);
    expect(first).toMatchObject({ head: 'The code threw an error', line: 3, column: 10 });
    expect(second).toMatchObject({ head: 'Stopped: it ran too long', line: null });
    expect(second?.advice).toContain('loop');
  });

  it('marks those that have a place, and keeps what was logged', () => {
    expect(markers(codeProblems([threw, wall]))).toEqual([
      { line: 3, column: 10, text: 'The code threw an error: TypeError: x is null', severity: 'error' },
    ]);
    expect(logLines([threw, log])).toEqual(['hello 3']);
  });

  it('offers examples that are functions', () => {
    for (const { code } of EXAMPLES) expect(() => new Function(`${code}; return project;`)()).not.toThrow();
    expect(new Set(EXAMPLES.map((one) => one.title)).size).toBe(EXAMPLES.length);
  });
});

describe('examples do what they say', () => {
  const run = (title: string, messages: readonly unknown[]): unknown => {
    const code = EXAMPLES.find((one) => one.title === title)?.code ?? '';
    const project: (list: readonly unknown[]) => unknown = new Function('console', `${code}; return project;`)({
      log: () => undefined,
    });
    return project(messages);
  };
  const user = (text: string) => ({ role: 'user', content: text });
  const result = (text: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'a', content: text }],
  });

  it('the last turns', () => {
    const messages = [user('1'), result('r'), user('2'), user('3'), user('4'), result('r')];
    expect(run('The last turns', messages)).toMatchObject({ messages: messages.slice(2) });
  });

  it('shorten old results', () => {
    const messages = [result('x'.repeat(3000)), ...Array.from({ length: 20 }, () => user('y'.repeat(3000)))];
    const out = run('Shorten old results', messages) as { content: [{ content: string }] }[];
    expect(out[0]?.content[0].content).toMatch(/1000 characters left out/);
    expect(out.slice(1)).toEqual(messages.slice(1));
  });

  it('without reminders', () => {
    const messages = [user('a'), user('<system-reminder>x</system-reminder>'), user('b')];
    expect(run('Without reminders', messages)).toMatchObject({ kept_indices: [0, 2] });
  });
});

describe('places of problems', () => {
  it.each([
    [undefined, ''],
    [{ file: '/a/b.jsonl', line: 3, column: 7 }, 'b.jsonl:3:7'],
    [{ file: 'C:\\a\\b.jsonl', index: 4 }, 'b.jsonl #4'],
    [{ line: 3 }, 'line 3'],
    [{ path: 'root_window' }, 'root_window'],
    [{ byteStart: 1200 }, 'byte 1,200'],
  ])('%j is %j', (where, words) => {
    expect(describePlace(where)).toBe(words);
  });
});
