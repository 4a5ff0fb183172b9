// @vitest-environment happy-dom
// What the provider says it did to the thinking of a request: read wherever it is recorded, found among the problems of
// that request, and told at its answer.
import { describe, expect, it } from 'vitest';
import { metaOf } from '../../core/importers/formats/parallaxBundle/head.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { transformationProblems } from '../../core/insight/inputTransformations.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { Facts } from '../../renderer/drawer/Facts.tsx';
import { draw } from '../components/support.tsx';
import { runCli } from '../support/cli.ts';
import { detailOf } from '../support/detail.ts';

const DROPPED = { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' };
const ALLOWED = { ...DROPPED, type: 'thinking_mismatch_allowed' };
const LIST = [DROPPED];
const REQUEST = { model: 'claude-fable-5-1', max_tokens: 9, messages: [{ role: 'user', content: 'a' }] };
const answer = (list: unknown) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-fable-5-1',
  content: [{ type: 'text', text: 'b' }],
  usage: { input_tokens: 3, output_tokens: 5 },
  input_transformations: list,
});
const streamed = (list: unknown) =>
  [
    { request: REQUEST },
    { type: 'message_start', message: { ...answer(list), content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
const session = (list: unknown) =>
  [
    { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: { role: 'user', content: 'a' } },
    { type: 'assistant', uuid: 'v', parentUuid: 'u', sessionId: 's', requestId: 'r', message: answer(list) },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

const FORMS: readonly (readonly [string, (list: unknown) => string])[] = [
  ['a body', (list) => JSON.stringify({ request: REQUEST, response: answer(list) })],
  ['a stream', streamed],
  ['a session of Claude Code', session],
];

const lastMeta = (text: string): MessageMeta => {
  const [transcript] = importText(Buffer.from(text)).transcripts;
  return transcript?.messages.at(-1)?.meta ?? {};
};

describe('read', () => {
  it.each(FORMS)('from %s', (_name, form) => {
    expect(lastMeta(form(LIST)).inputTransformations).toEqual(LIST);
    expect(lastMeta(form([])).inputTransformations).toEqual([]);
    expect(lastMeta(form(undefined)).inputTransformations).toBeUndefined();
  });

  it('and again from a bundle', () => {
    const meta = lastMeta(FORMS[0]?.[1](LIST) ?? '');
    expect(metaOf(JSON.parse(JSON.stringify(meta))).inputTransformations).toEqual(LIST);
  });
});

describe('the problems of the request', () => {
  const [transcript] = importText(Buffer.from(FORMS[0]?.[1](LIST) ?? '')).transcripts;
  if (transcript === undefined) throw new Error('one transcript was read');
  const source = MemoryTranscript.of(transcript);
  const counts = (dropped: number) =>
    ({ onMismatch: 'drop_block', sent: 2, failing: dropped, foreign: 0, dropped }) as const;
  const problems = (list: MessageMeta['inputTransformations'], dropped: number | null, kind = 'raw') => {
    const meta = list === undefined ? {} : { inputTransformations: list };
    const spec = { version: 1, stages: [{ kind }] } as const;
    const thinking = dropped === null ? null : counts(dropped);
    return transformationProblems({ source, spec, at: 1, thinking, meta }).map(
      ({ code, severity, text }) => `${code} ${severity} ${text}`,
    );
  };

  it.each([
    [
      'what was dropped',
      LIST,
      null,
      /^thinking.provider_dropped warning .*dropped 1 thinking block .*\(made in another conversation\)\.$/,
    ],
    ['as it is computed', LIST, 1, /\(made in another conversation\)\.$/],
    ['not as it is computed', LIST, 2, /Computed here: 2; the recording is right\.$/],
    [
      'nothing, and something is computed',
      [],
      2,
      /^thinking.provider_dropped info The provider dropped no thinking .*Computed here: 2/,
    ],
    [
      'what was let through',
      [ALLOWED],
      null,
      /^thinking.provider_allowed info The provider let through 1 thinking block that was made/,
    ],
  ] as const)('%s', (_name, list, dropped, text) => {
    expect(problems(list, dropped)).toEqual([expect.stringMatching(text)]);
  });

  it('are none where the answer says nothing, nothing was done, or another policy is on the screen', () => {
    expect(problems(undefined, 2)).toEqual([]);
    expect(problems([], 0)).toEqual([]);
    expect(problems(LIST, 0, 'sliding_window')).toEqual([]);
  });

  it('are told by `project` at that call point, and at no other', async () => {
    const told = async (at: string) => {
      const { stdout } = await runCli(['project', '-', '--at', at, '--json', '--no-tokens'], FORMS[0]?.[1](LIST));
      return JSON.parse(stdout).problems.map(({ code }: { code: string }) => code);
    };
    expect(await told('1')).toContain('thinking.provider_dropped');
    expect(await told('2')).not.toContain('thinking.provider_dropped');
  });
});

it('the drawer tells each block at the answer', () => {
  const detail = detailOf({});
  const meta = { ...detail.meta, inputTransformations: [DROPPED, ALLOWED] };
  const { container } = draw(<Facts detail={{ ...detail, meta }} />);
  expect(container.textContent).toContain('thinking dropped at messages.1.content.0: made in another conversation');
  expect(container.textContent).toContain('thinking let through at messages.1.content.0');
});
