// System messages between turns, and tools that come and go: each refusal of the provider's pages, and what it takes.
import { describe, expect, it } from 'vitest';
import { toolsInPrompt } from '../../core/model/toolLoading.ts';
import { lintRequest, type ProviderRequest } from '../../core/wire/requestRules/index.ts';

const CLEAR_AT = 'mid-conversation-system-clear-at-2026-08-21';
const TOOLS = 'inline-tools-2026-09-15';

function rules(messages: readonly unknown[], given: Partial<ProviderRequest> = {}) {
  const betas = [CLEAR_AT, TOOLS, 'mid-conversation-output-config-2026-07-01'];
  const request = { provider: 'anthropic', model: 'claude-opus-5-5', betas, settings: {}, messages, ...given } as const;
  return lintRequest(request).map(({ rule, message = null, block = null }) => [rule, message, block]);
}

const user = (content: unknown = 'Mend it.') => ({ role: 'user', content });
const answer = (content: unknown = 'Done.') => ({ role: 'assistant', content });
const system = (more: object = {}) => ({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }], ...more });
const EFFORT = { role: 'system', content: [], output_config: { effort: 'low' } };
const SCOPED = { clear_at: 'next_user_message' };
const call = answer([{ type: 'tool_use', id: 't1', name: 'read', input: {} }]);
const result = user([{ type: 'tool_result', tool_use_id: 't1', content: 'y' }]);
const search = answer([
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
  { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
]);

describe('a system message between turns', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['behind a user’s, at the end', [user(), system()], []],
    ['behind a user’s, before an answer', [user(), system(), answer()], []],
    ['behind results alone', [user(), call, result, system()], []],
    ['behind a server tool’s result', [user(), search, system(), answer()], []],
    ['two in a row', [user(), system(), system(SCOPED), answer()], []],
    ['effort alone, anywhere', [EFFORT, user(), call, EFFORT, result], []],
    ['effort beside one with content', [user(), EFFORT, system(), answer()], []],
    ['first', [system(), user()], [['system_placement', 0, null]]],
    ['behind an answer', [user(), answer(), system()], [['system_placement', 2, null]]],
    ['between a call and its result', [user(), call, system(), result], [['system_placement', 2, null]]],
    ['before a user’s', [user(), system(SCOPED), user()], [['system_placement', 1, null]]],
    ['two in a row before a user’s, told once', [user(), system(), system(), user()], [['system_placement', 1, null]]],
  ])('%s', (_name, messages, found) => {
    expect(rules(messages)).toEqual(found);
  });

  it.each([
    ['claude-opus-4-8', []],
    ['claude-fable-5-1', []],
    ['some-model', []],
    ['claude-sonnet-5', [['system_unsupported', 1, null]]],
    ['claude-opus-4-7', [['system_unsupported', 1, null]]],
    ['claude-haiku-5-5', [['system_unsupported', 1, null]]],
  ])('to %s', (model, found) => {
    expect(rules([user(), system(), answer()], { model })).toEqual(found);
  });

  it('that is turn-scoped holds text alone', () => {
    const image = { type: 'image', source: { type: 'url', url: 'x' } };
    const cached = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    const content = [{ type: 'text', text: 'x' }, image, cached];
    expect(rules([user(), system({ ...SCOPED, content })])).toEqual([
      ['turn_scoped_content', 1, 1],
      ['turn_scoped_content', 1, 2],
    ]);
    expect(rules([user(), system({ ...SCOPED, output_config: { effort: 'low' } })])).toEqual([
      ['turn_scoped_content', 1, null],
    ]);
    expect(rules([user(), system({ clear_at: 'never', content: [cached] })])).toEqual([]);
    expect(rules([user(), system({ clear_at: 'soon' })])).toEqual([['turn_scoped_value', 1, null]]);
    expect(rules([{ ...user(), clear_at: 'never' }])).toEqual([['turn_scoped_role', 0, null]]);
  });

  it('needs its headers', () => {
    const found = rules([user(), system(SCOPED), answer(), EFFORT], { betas: [] });
    expect(found).toEqual([
      ['beta_missing', 1, null],
      ['beta_missing', 3, null],
    ]);
  });
});

const TOOL = (name: string, deferred = false) => ({ name, input_schema: {}, ...(deferred && { defer_loading: true }) });
const settings = { tools: [TOOL('read'), TOOL('grep', true)] };
const reference = (name: string) => ({ type: 'tool_reference', tool_name: name });
const loads = (name: string) => user([{ type: 'tool_result', tool_use_id: 't1', content: [reference(name)] }]);
const change = (type: string, tool: object) => system({ content: [{ type, tool }] });
const grep = answer([{ type: 'tool_use', id: 't2', name: 'grep', input: {} }]);

describe('tools that come and go', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['a reference in a result', [user(), call, loads('grep'), grep], []],
    ['a reference to what is not given', [user(), call, loads('find')], [['tool_reference_unresolved', 2, 0]]],
    ['a call before the reference', [user(), grep, call, loads('grep')], [['tool_not_loaded', 1, 0]]],
    ['an addition by reference', [user(), change('tool_addition', { type: 'tool_reference', name: 'grep' }), grep], []],
    [
      'a definition brought along',
      [user(), change('tool_addition', { type: 'tool_definition', definition: TOOL('find') }), call, loads('find')],
      [],
    ],
    [
      'a definition of a name that is there',
      [user(), change('tool_addition', { type: 'tool_definition', definition: TOOL('read') })],
      [['tool_name_conflict', 1, 0]],
    ],
    [
      'a call behind the removal',
      [user(), change('tool_removal', { type: 'tool_reference', name: 'read' }), call],
      [['tool_not_loaded', 2, 0]],
    ],
    [
      'a tool of an MCP server, which the request does not list',
      [user(), change('tool_addition', { type: 'mcp_tool_reference', server_name: 's', name: 'x' })],
      [],
    ],
    [
      'a change behind an answer that goes on',
      [user(), search, change('tool_removal', { type: 'tool_reference', name: 'read' })],
      [['system_placement', 2, null]],
    ],
  ])('%s', (_name, messages, found) => {
    expect(rules(messages, { settings })).toEqual(found);
  });

  it('are a note where no definitions are recorded at all', () => {
    const messages = [user(), call, loads('find')];
    const request = { provider: 'anthropic', model: '', betas: null, settings: {}, messages } as const;
    expect(lintRequest(request).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['tool_reference_unresolved', 'info'],
    ]);
  });

  it('may not all be deferred, nor be too many', () => {
    expect(rules([user()], { settings: { tools: [TOOL('grep', true)] } })).toEqual([
      ['tools_all_deferred', null, null],
    ]);
    const tools = [TOOL('read'), ...Array.from({ length: 10_001 }, (_, i) => TOOL(`t${i}`, true))];
    expect(rules([user()], { settings: { tools } })).toEqual([['available_tools_limit_exceeded', null, null]]);
  });

  it('need a header where messages change them', () => {
    const removal = [user(), change('tool_removal', { type: 'tool_reference', name: 'read' })];
    expect(rules(removal, { settings, betas: ['mid-conversation-tool-changes-2026-07-01'] })).toEqual([]);
    expect(rules(removal, { settings, betas: [] })).toEqual([['beta_missing', 1, 0]]);
    const defined = [user(), change('tool_addition', { type: 'tool_definition', definition: TOOL('find') })];
    const found = rules(defined, { settings, betas: ['mid-conversation-tool-changes-2026-07-01'] });
    expect(found).toEqual([['beta_missing', 1, 0]]);
  });

  it('count from the first message that loads them', () => {
    const searched = answer([
      {
        type: 'tool_search_tool_result',
        tool_use_id: 's1',
        content: { type: 'tool_search_tool_search_result', tool_references: [reference('grep')] },
      },
    ]);
    const removed = change('tool_removal', { type: 'tool_reference', name: 'grep' });
    expect(toolsInPrompt(settings.tools, [user()])).toEqual({ fixed: ['read'], loaded: [] });
    expect(toolsInPrompt(settings.tools, [user(), searched, loads('grep'), removed])).toEqual({
      fixed: ['read'],
      loaded: [{ name: 'grep', message: 1 }],
    });
    expect(toolsInPrompt(settings.tools, [loads('read'), loads('find')]).loaded).toEqual([]);
  });
});
