// Uses of what was said before: what is found, and where the request behind it holds it.
import { describe, expect, it } from 'vitest';
import { type Use, usesOf } from '../../core/insight/uses/index.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { noHost } from '../support/textTrace.ts';

const user = (content: string) => ({ role: 'user', content });
const say = (content: string) => ({ role: 'assistant', content });
const call = (id: string, name: string, args: unknown) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

function uses(messages: readonly unknown[], spec: unknown = 'raw'): readonly Use[] {
  return usesOf({ source: transcriptOf(messages), stages: stagesOf(spec) }, noHost).uses;
}

const told = (found: readonly Use[]) =>
  found.map(({ kind, at, evidence, outcome, sources }) => [kind, at, evidence, outcome, sources.map((s) => s.index)]);

const LAST_TURN = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
const TEXT = 'the parser keeps a stack of open brackets and closes them in reverse order';

describe('uses', () => {
  it('tells an anchor that was named before, and where it stands in the request behind its use', () => {
    const messages = [
      user('look at src/login.ts'),
      say('well'),
      user('go on'),
      call('1', 'open', { file: 'src/login.ts' }),
    ];
    expect(told(uses(messages))).toEqual([['anchor', 3, 'src/login.ts', 'original', [0]]]);
    const [gone] = uses(messages, LAST_TURN);
    expect(gone).toMatchObject({ outcome: 'gone', loss: { since: 3, stage: 0 } });
    expect(gone?.loss?.reason).not.toBe('');
  });

  it('tells an anchor from a longer one that contains it, and finds it in a longer path', () => {
    expect(uses([user('see src/login.tsx'), call('1', 'open', { file: 'src/login.ts' })])).toEqual([]);
    const moved = [user('see src/login.ts'), say('yes'), user('in /repo/src/login.ts'), say('src/login.ts it is')];
    expect(told(uses(moved, LAST_TURN))).toEqual([['anchor', 3, 'src/login.ts', 'elsewhere', [0]]]);
  });

  it('takes names of arguments and of tools for nobody’s words', () => {
    const again = [
      call('1', 'str_replace', { old_text: 'a' }),
      result('1', 'ok'),
      call('2', 'str_replace', { old_text: 'b' }),
    ];
    expect(uses([user('hi'), ...again])).toEqual([]);
  });

  it('does not take what four messages named for evidence', () => {
    const named = ['one', 'two', 'three', 'four'].map((word) => user(`${word}: ERR_OLD_KEY`));
    expect(uses([...named.slice(1), say('ERR_OLD_KEY')])).toHaveLength(1);
    expect(uses([...named, say('ERR_OLD_KEY')])).toEqual([]);
  });

  it('tells a quote across white space, whole in its evidence', () => {
    const broken = TEXT.replace(' of open', '\n   of open');
    const [quote] = uses([user(`note: ${broken}. More`), say(`So ${TEXT}!`)]);
    expect(quote).toMatchObject({ kind: 'quote', at: 1, part: 0, from: 3, to: 3 + TEXT.length, evidence: TEXT });
    expect(quote?.sources).toEqual([{ index: 0, part: 0, from: 6, to: 6 + broken.length }]);
  });

  const read = { path: 'notes/plan.md' };
  const twice = (second: string) => [
    user('start'),
    call('1', 'read', read),
    result('1', TEXT),
    user('go on'),
    call('2', 'read', { ...read, timeout: 5 }),
    result('2', second),
    user('end'),
  ];

  it('tells a call made again from one whose result changed, and one that was ignored from one that was forgotten', () => {
    const rereads = (messages: readonly unknown[], spec?: unknown) =>
      uses(messages, spec).filter(({ kind }) => kind === 'reread');
    expect(rereads(twice(TEXT))).toMatchObject([{ at: 4, outcome: 'original', ignored: true, changed: false }]);
    const [forgotten] = rereads(twice(TEXT), LAST_TURN);
    expect(forgotten).toMatchObject({ outcome: 'gone', ignored: false, again: { message: 5, part: 0 }, tokens: 19 });
    expect(rereads(twice('something quite different stands in this file by now'))).toMatchObject([{ changed: true }]);
    expect(rereads(twice('done'))).toEqual([]);
  });

  it('takes calls for the same by the digits of their numbers', () => {
    const get = (id: string, digits: string) => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: { name: 'get', arguments: `{"id":${digits}}` } }],
    });
    const twiceBy = (one: string, other: string) =>
      uses([user('go'), get('1', one), result('1', TEXT), user('again'), get('2', other), result('2', TEXT)]).filter(
        ({ kind }) => kind === 'reread',
      );
    expect(twiceBy('1234567890123456789', '1234567890123456789')).toHaveLength(1);
    expect(twiceBy('1234567890123456789', '1234567890123456788')).toEqual([]);
    expect(twiceBy('20', '20.0')).toHaveLength(1);
  });

  it('tells a call that fails again, whatever it says the second time', () => {
    const failing = [
      user('start'),
      call('1', 'run', { command: 'make' }),
      result('1', 'Error: no rule'),
      call('2', 'run', { command: 'make' }),
      result('2', 'Error: other words'),
    ];
    expect(uses(failing)).toMatchObject([
      { kind: 'repeated_failure', at: 3, sources: [{ index: 2 }], outcome: 'original' },
    ]);
  });

  it('suspects a call that changes what a user forbade to change, and none that reads it', () => {
    const rule = user('Never edit gen/schema.ts by hand.');
    const kinds = (tool: string) =>
      uses([rule, say('fine'), user('go'), call('1', tool, { path: 'gen/schema.ts' })], LAST_TURN).map(
        ({ kind, outcome }) => `${kind} ${outcome}`,
      );
    expect(kinds('edit_file')).toContain('rule gone');
    expect(kinds('read_file')).not.toContain('rule gone');
  });

  it('suspects a call that runs what was forbidden to run, and none that shows it', () => {
    const rule = user('Do not run gen/build.sh here.');
    const kinds = (command: string) =>
      uses([rule, say('fine'), user('go'), call('1', 'bash', { command })], LAST_TURN).map(
        ({ kind, outcome }) => `${kind} ${outcome}`,
      );
    expect(kinds('sh gen/build.sh --all')).toContain('rule gone');
    expect(kinds('cd /srv && cat gen/build.sh | head -20')).not.toContain('rule gone');
  });

  it('claims nothing of what no message said', () => {
    expect(uses([user('hello'), call('1', 'open', { file: 'src/login.ts' })])).toEqual([]);
  });
});

describe('what dangles', () => {
  const STUB = 'File unchanged since last read. Refer to the earlier Read result in this conversation.';
  const dangling = (messages: readonly unknown[], spec: unknown) =>
    told(uses(messages, spec).filter(({ kind }) => kind === 'dangling'));

  it('is a stub whose earlier result is not in the request', () => {
    const path = { file_path: 'notes/plan.md' };
    const read = [call('1', 'Read', path), result('1', TEXT)];
    const again = [user('go on'), call('2', 'Read', path), result('2', STUB), say('well')];
    const session = [user('start'), ...read, ...again];
    expect(dangling(session, 'raw')).toEqual([]);
    expect(dangling(session, LAST_TURN)).toEqual([['dangling', 6, STUB, 'gone', [2]]]);
  });

  it('is the path of output that was put aside, where only the path is left', () => {
    const aside = 'Output too large (50KB). Full output saved to: /tmp/out/b17x.txt\n\nPreview: …';
    const session = [
      user('start'),
      call('1', 'Bash', { command: 'make' }),
      result('1', aside),
      user('look into /tmp/out/b17x.txt'),
      say('well'),
    ];
    expect(dangling(session, 'raw')).toEqual([]);
    expect(dangling(session, LAST_TURN)).toEqual([['dangling', 4, '/tmp/out/b17x.txt', 'gone', [2]]]);
  });

  it('is not what is named before it is introduced', () => {
    const session = [
      user('write the results to runs/b17x.txt'),
      say('well'),
      user('now'),
      call('1', 'Bash', { command: 'make' }),
      result('1', 'Full output saved to: runs/b17x.txt'),
      say('done'),
    ];
    expect(dangling(session, 'raw')).toEqual([]);
  });

  it('is a tool that a message refers to and no definition names', () => {
    const found = {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: '1', content: [{ type: 'tool_reference', tool_name: 'SendMessage' }] },
      ],
    };
    const search = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: '1', name: 'ToolSearch', input: { query: 'x' } }],
    };
    const source = transcriptOf([user('start'), search, found, say('well')]);
    const under = (toolsJson?: string) =>
      usesOf({ source, stages: stagesOf('raw'), front: toolsJson === undefined ? {} : { toolsJson } }, noHost).uses;
    expect(under()).toEqual([]);
    expect(under('[{"name":"SendMessage"}]')).toEqual([]);
    expect(told(under('[{"name":"Other"}]'))).toEqual([['dangling', 3, 'SendMessage', 'gone', [2]]]);
  });
});
