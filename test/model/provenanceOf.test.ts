// Who put a message there, told from what is recorded beside it, what it says of itself, and wrappers in its text.
import { describe, expect, it } from 'vitest';
import { isFromPerson, PROVENANCE_KINDS, provenanceWords, readProvenance } from '../../core/model/provenance.ts';
import { messageOrigin } from '../../core/model/provenanceOf.ts';
import { isRuntimeText, runtimeSpans, withoutRuntime } from '../../core/model/runtimeContext.ts';

const user = (content: unknown, extra: object = {}) => ({ role: 'user', content, ...extra });
const text = (value: string) => ({ type: 'text', text: value });
const ENVELOPE = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\ntask done\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>';
const FACTS = 'Sender (untrusted metadata):\n```json\n{"id": "7"}\n```';

describe('the origin of a message', () => {
  it.each<[string, unknown, string | null, string | null]>([
    ['plain words', user('hello'), null, null],
    ['words about a tag', user('what does <system-reminder> mean?'), null, null],
    [
      'a reminder',
      user('<system-reminder>\nTodo list is empty.\n</system-reminder>'),
      'runtime context',
      'system-reminder',
    ],
    [
      'a command',
      user('<command-name>/clear</command-name>\n<command-args></command-args>'),
      'command',
      'command-name',
    ],
    ['a caveat', user('Caveat: The messages below were generated'), 'runtime context', 'caveat'],
    [
      'a notification',
      user([text('<task-notification>x</task-notification>')]),
      'task notification',
      'task-notification',
    ],
    [
      'an environment',
      user('<environment_context>\n<cwd>/w</cwd>\n</environment_context>'),
      'runtime context',
      'environment_context',
    ],
    ['an envelope', user(ENVELOPE), 'runtime context', 'OPENCLAW_INTERNAL_CONTEXT'],
    ['facts of a channel', user(`${FACTS}\n\nIs it done?`), 'with runtime context', 'untrusted metadata'],
    [
      'a reminder in front of words',
      user([text('<system-reminder>a</system-reminder>'), text('Do it.')]),
      'with runtime context',
      'system-reminder',
    ],
    ['an open tag', user('<system-reminder> is not closed'), null, null],
    [
      'another session',
      user('go', { provenance: { kind: 'inter_session', sourceTool: 'sessions_send' } }),
      'from another session',
      'sessions_send',
    ],
    ['a marker of another session', user('[Inter-session message] sourceTool=x\ngo'), 'from another session', null],
    [
      'the system itself',
      user('go', { provenance: { kind: 'internal_system' } }),
      'runtime context',
      'internal_system',
    ],
    ['a person of a channel', user('go', { provenance: { kind: 'external_user' } }), null, null],
    [
      'a summary of a projection',
      { role: 'system', content: 's', _harn_projection: { synthetic: true, policy: 'summary_prefix' } },
      'written by a projection',
      'summary_prefix',
    ],
    [
      'a cleared result',
      { role: 'tool', content: 'c', _harn_projection: { redacted: true, policy: 'reachability_gc' } },
      'cleared by a projection',
      'reachability_gc',
    ],
    [
      'a cleared block',
      user([{ ...text('c'), _harn_projection: { redacted: true } }]),
      'cleared by a projection',
      null,
    ],
    [
      'an assistant that quotes one',
      { role: 'assistant', content: '<system-reminder>x</system-reminder>' },
      null,
      null,
    ],
    ['no message', 'x', null, null],
  ])('%s', (_name, message, label, type) => {
    const origin = messageOrigin(message, {});
    expect(origin === null ? null : [origin.label, origin.type]).toEqual(label === null ? null : [label, type]);
  });

  it('is what is recorded beside the message before all else', () => {
    const origin = messageOrigin(user('<system-reminder>x</system-reminder>'), {
      provenance: { kind: 'queued_prompt' },
    });
    expect(origin).toEqual({ ...provenanceWords({ kind: 'queued_prompt' }), type: null, words: null });
  });

  it('holds what the person wrote beside what the runtime did', () => {
    const message = user(`${FACTS}\n\nIs it\n\ndone?\n<system-reminder>x</system-reminder>`);
    expect(messageOrigin(message, {})?.words).toBe('Is it done?');
  });

  it('is looked for in linear time', () => {
    for (const one of [
      ' '.repeat(200_000),
      '<system-reminder>'.repeat(9000),
      `A${' a'.repeat(90_000)}(`,
      '\n'.repeat(150_000),
    ]) {
      const begin = performance.now();
      messageOrigin(user(`<${one}`), {});
      runtimeSpans(one);
      expect(performance.now() - begin).toBeLessThan(1000);
    }
  });
});

describe('runtime text', () => {
  it('is told with its place', () => {
    const said = 'a\n<system-reminder>b</system-reminder>\nc';
    const spans = runtimeSpans(said);
    expect(spans.map(({ from, to, name }) => [said.slice(from, to), name])).toEqual([
      ['<system-reminder>b</system-reminder>', 'system-reminder'],
    ]);
    expect(withoutRuntime(said, spans)).toBe('a\n\nc');
    expect(isRuntimeText(said)).toBe(false);
    expect(isRuntimeText('<system-reminder>b</system-reminder>\n')).toBe(true);
  });
});

describe('a provenance that a file states', () => {
  it('is read as it was written, and nothing else', () => {
    for (const kind of PROVENANCE_KINDS) {
      expect(readProvenance({ kind, type: 't' })).toEqual({ kind, type: 't' });
      expect(provenanceWords({ kind }).title.length).toBeGreaterThan(10);
    }
    expect([readProvenance({ kind: 'constructor' }), readProvenance('queued_prompt'), readProvenance(null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(PROVENANCE_KINDS.filter((kind) => isFromPerson({ kind }))).toEqual(['queued_prompt']);
  });
});
