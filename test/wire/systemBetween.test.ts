// System messages between turns on the wire: in place where the model takes them, byte for byte where they were recorded
// there, and told wherever they become something else.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintBody } from '../../core/wire/lintBody.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import type { WireOptions, WireTarget } from '../../core/wire/types.ts';
import { stagesOf } from '../support/projecting.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const OPUS = 'claude-opus-5-5';

function write(messages: readonly unknown[], options: Partial<WireOptions> & { target?: WireTarget } = {}) {
  const { target = 'anthropic', meta = { format: 'openai-chat', models: [] }, ...more } = options;
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const { view } = project(source, stagesOf('raw'), source.length, { memo });
  const body = toWire(view, source, memo, target, { meta, model: OPUS, ...more });
  const sent: { readonly messages?: unknown; readonly input?: unknown; readonly system?: unknown } = JSON.parse(
    bodyText(body),
  );
  const errors = lintBody(body, sha256).filter(({ severity }) => severity === 'error');
  return { sent, losses: body.losses.map(({ kind, how, index }) => [kind, how, index]), errors };
}

const user = { role: 'user', content: 'Look.' };
const answer = { role: 'assistant', content: 'Done.' };
const brief = { role: 'system', content: 'Be brief.' };
const calls = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'call_1', content: 'text' };
const BRIEF = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] };
const AS_USER = { role: 'user', content: [{ type: 'text', text: 'Be brief.' }] };

const rolesOf = (sent: unknown) => (Array.isArray(sent) ? sent.map(({ role }) => role) : null);

describe('a system message of another API', () => {
  it.each<[string, readonly unknown[], readonly string[], boolean]>([
    ['behind a user’s, at the end', [user, brief], ['user', 'system'], false],
    ['behind a user’s, before an answer', [user, brief, answer], ['user', 'system', 'assistant'], false],
    [
      'behind results',
      [user, calls, result, brief, answer],
      ['user', 'assistant', 'user', 'system', 'assistant'],
      false,
    ],
    ['before a user’s', [user, answer, brief, user], ['user', 'assistant', 'user', 'user'], true],
    ['behind an answer', [user, answer, brief], ['user', 'assistant', 'user'], true],
  ])('%s', (_name, messages, roles, isTold) => {
    const { sent, losses, errors } = write(messages);
    expect(rolesOf(sent.messages)).toEqual(roles);
    expect(losses).toEqual(isTold ? [['role', 'changed', messages.indexOf(brief)]] : []);
    expect(errors).toEqual([]);
  });

  it('is a user’s for a model that takes none there, and goes beside the turns before the first', () => {
    const { sent, losses } = write([user, brief, answer], { model: 'claude-sonnet-5' });
    expect(sent.messages).toEqual([expect.anything(), AS_USER, expect.anything()]);
    expect(losses).toEqual([['role', 'changed', 1]]);
    expect(write([brief, user]).sent).toMatchObject({ system: 'Be brief.' });
    expect(write([user, brief]).sent.messages).toEqual([user, brief]);
    const developer = { role: 'developer', content: 'Be brief.' };
    expect(write([user, developer]).sent.messages).toEqual([user, BRIEF]);
  });
});

const SCOPED = { role: 'system', content: [{ type: 'text', text: '3 calls left.' }], clear_at: 'next_user_message' };
const EFFORT = { role: 'system', content: [], output_config: { effort: 'low' } };
const CHANGE = { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'grep' } }] };
const RECORDED = [EFFORT, user, SCOPED, answer, user, CHANGE, answer, user];
const META = { format: 'anthropic-messages', models: [OPUS] } as const;

describe('recorded at Anthropic', () => {
  it('all of it goes out again, byte for byte, also where only known fields may', () => {
    for (const strict of [false, true]) {
      const { sent, losses } = write(RECORDED, { meta: META, strict });
      expect(JSON.stringify(sent.messages)).toBe(JSON.stringify(RECORDED));
      expect(losses).toEqual([]);
    }
  });

  it('what a user’s message cleared is not sent where nothing clears it', () => {
    const { sent, losses } = write([user, SCOPED, answer, user], { meta: META, target: 'openai' });
    expect(rolesOf(sent.messages)).toEqual(['user', 'assistant', 'user']);
    expect(losses).toEqual([['message', 'left_out', 1]]);
    expect(rolesOf(write([user, SCOPED], { meta: META, target: 'openai' }).sent.messages)).toEqual(['user', 'system']);
  });
});
