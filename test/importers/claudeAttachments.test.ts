// What Claude Code puts into a request beside the conversation: attachments, and texts taken out of the queue in mid-turn.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { partText } from '../../core/model/partText.ts';
import { turnStarts } from '../../core/model/turns.ts';
import { isRecord, recordAt, stringAt } from '../../core/util/unknown.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

let serial = 0;
const base = { sessionId: 's', isSidechain: false, version: '2.1.219', timestamp: '2026-01-01T00:00:00.000Z' };

function line(type: string, extra: object): Record<string, unknown> {
  return { ...base, type, uuid: `r${serial++}`, ...extra };
}

const user = (content: unknown, extra: object = {}) => line('user', { message: { role: 'user', content }, ...extra });
const answer = (id: string, ...content: unknown[]) =>
  line('assistant', { message: { id, role: 'assistant', model: 'claude-x', content } });
const says = (text: string) => ({ type: 'text', text });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string) => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);
const attach = (attachment: object, extra: object = {}) => line('attachment', { attachment, ...extra });
const queued = (prompt: unknown, extra: object = {}) =>
  attach({ type: 'queued_command', prompt, commandMode: 'prompt', origin: { kind: 'human' }, ...extra });
const operation = (name: string, extra: object = {}) => ({
  type: 'queue-operation',
  operation: name,
  sessionId: 's',
  ...extra,
});

const session = (...records: unknown[]) => importText(jsonl(user('go'), ...records, answer('end', says('done'))));
const main = ({ transcripts }: ReturnType<typeof importText>) => transcripts[0];
/** Every message as `role text`. */
const said = (file: ReturnType<typeof importText>) =>
  (main(file)?.messages ?? []).map(({ value }) => {
    const message = isRecord(value) ? value : {};
    const content = message.content;
    return typeof content === 'string' ? content : JSON.stringify(content);
  });

describe('attachments that the model is sent', () => {
  it.each<[object, string, string]>([
    [{ type: 'edited_text_file', filename: '/a.ts', snippet: '1\tx' }, '/a.ts\n1\tx', 'file_change'],
    [
      { type: 'nested_memory', path: '/R.md', content: { path: '/R.md', content: 'Be brief.' } },
      '/R.md\nBe brief.',
      'memory',
    ],
    [{ type: 'hook_additional_context', content: ['one', 'two'], hookEvent: 'PostToolUse' }, 'one\ntwo', 'hook'],
    [{ type: 'hook_success', hookEvent: 'SessionStart', content: 'Welcome', stdout: '{}' }, 'Welcome', 'hook'],
    [{ type: 'hook_blocking_error', blockingError: { blockingError: 'no', command: 'x' } }, 'no', 'hook'],
    [
      { type: 'task_reminder', content: [{ id: '1', subject: 'Plan', status: 'pending' }], itemCount: 1 },
      '#1. [pending] Plan',
      'reminder',
    ],
    [
      { type: 'todo_reminder', content: [{ content: 'Test it', status: 'completed' }] },
      '[completed] Test it',
      'reminder',
    ],
    [{ type: 'plan_mode', reminderType: 'full', planFilePath: '/p.md', planExists: false }, '/p.md', 'reminder'],
    [{ type: 'plan_file_reference', planFilePath: '/p.md', planContent: '# Plan' }, '/p.md\n# Plan', 'file'],
    [{ type: 'skill_listing', content: '- a: b', skillCount: 1 }, '- a: b', 'listing'],
    [{ type: 'agent_listing_delta', addedTypes: ['x'], addedLines: ['- x: y'], removedTypes: [] }, '- x: y', 'listing'],
    [{ type: 'deferred_tools_delta', addedNames: [], addedLines: [], removedNames: ['Web'] }, 'Web', 'listing'],
    [{ type: 'mcp_instructions_delta', addedNames: ['m'], addedBlocks: ['## m'], removedNames: [] }, '## m', 'listing'],
    [{ type: 'compact_file_reference', filename: '/big.ts' }, '/big.ts', 'file'],
    [{ type: 'directory', path: '/src', content: 'a.ts' }, '/src\na.ts', 'file'],
    [{ type: 'opened_file_in_ide', filename: '/a.ts' }, '/a.ts', 'editor'],
    [
      { type: 'selected_lines_in_ide', filename: '/a.ts', lineStart: 3, lineEnd: 4, content: 'x()' },
      '/a.ts:3-4\nx()',
      'editor',
    ],
    [
      {
        type: 'diagnostics',
        files: [
          {
            uri: '/f.ts',
            diagnostics: [{ message: 'No name', severity: 'Error', range: { start: { line: 9, character: 0 } } }],
          },
        ],
      },
      '/f.ts\n10:1 Error No name',
      'editor',
    ],
    [
      { type: 'queued_command', prompt: '<task-notification>x</task-notification>', commandMode: 'task-notification' },
      '<task-notification>x</task-notification>',
      'task_notification',
    ],
    [
      { type: 'queued_command', prompt: 'from afar', commandMode: 'prompt', origin: { kind: 'peer' } },
      'from afar',
      'inter_session',
    ],
  ])('%j', (attachment, content, kind) => {
    const file = session(attach(attachment));
    expect(said(file)).toEqual(['go', content, JSON.stringify([says('done')])]);
    const meta = main(file)?.messages[1]?.meta;
    expect(meta).toMatchObject({ provenance: { kind, type: stringAt({ ...attachment }, 'type') }, injected: true });
    expect(main(file)?.events).toEqual([]);
    expect(addsUp(file)).toBe(true);
    // It is no turn of the person's.
    const transcript = main(file);
    expect(transcript && turnStarts(MemoryTranscript.of(transcript))).toEqual([0]);
  });

  it('reads an attached file, and a picture as a picture', () => {
    const text = { type: 'text', file: { filePath: '/a.ts', content: 'let a;' } };
    const image = { type: 'image', file: { base64: 'iVBO', type: 'image/png' } };
    const file = session(
      attach({ type: 'file', filename: '/a.ts', content: text }),
      attach({ type: 'file', filename: '/a.png', content: image }),
    );
    expect(said(file).slice(1, 3)).toEqual([
      JSON.stringify([says('/a.ts\nlet a;')]),
      JSON.stringify([
        says('/a.png'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
      ]),
    ]);
  });

  it('takes a queued prompt exactly as it is recorded, as words of a person and a turn of theirs', () => {
    const file = session(queued('f\u00e9 "now"'), queued([says('look'), { type: 'image', source: {} }]));
    expect(texts(file)[1]).toBe('{"role":"user","content":"f\u00e9 \\"now\\""}');
    expect(main(file)?.messages[1]?.meta).toMatchObject({ provenance: { kind: 'queued_prompt' } });
    expect(main(file)?.messages[1]?.meta.injected).toBeUndefined();
    const transcript = main(file);
    expect(transcript && turnStarts(MemoryTranscript.of(transcript))).toEqual([0, 1, 2]);
  });

  it('takes the text that was sent where the release records it, under the role it was sent in', () => {
    const rendered = [{ content: '<system-reminder>Today is Monday.</system-reminder>' }];
    const file = session(
      attach({ type: 'date_change', newDate: '2026-01-05' }, { rendered, renderedRole: 'system' }),
      attach({ type: 'brand_new' }, { rendered: [{ content: 'a' }, { content: [says('b')] }] }),
      attach({ type: 'skill_listing', content: 'never sent' }, { rendered: [] }),
    );
    expect(texts(file).slice(1, 3)).toEqual([
      '{"role":"system","content":"<system-reminder>Today is Monday.</system-reminder>"}',
      '{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}',
    ]);
    expect(main(file)?.events.map(({ text }) => text)).toEqual(['skill_listing: nothing of it was sent']);
  });

  it.each<[object, string]>([
    [
      { type: 'task_reminder', content: [], itemCount: 0 },
      'task_reminder: sent by the client, but its words are not recorded',
    ],
    [
      { type: 'auto_mode', autoModeConsentFlow: false },
      'auto_mode: sent by the client, but its words are not recorded',
    ],
    [{ type: 'command_permissions', allowedTools: [] }, 'command_permissions: kept by the client, not sent'],
    [{ type: 'hook_success', hookEvent: 'PostToolUse', content: 'fine' }, 'hook_success: kept by the client, not sent'],
    [{ type: 'hook_system_message', content: 'hello' }, 'hook_system_message: kept by the client, not sent'],
    [{ type: 'brand_new', content: 'x' }, 'brand_new: a kind that this version does not know'],
  ])('%j is an event', (attachment, text) => {
    const file = session(attach(attachment));
    expect(said(file)).toHaveLength(2);
    expect(main(file)?.events).toMatchObject([
      { kind: `attachment.${stringAt({ ...attachment }, 'type')}`, text, at: 1 },
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('stand behind the results of the calls before them', () => {
    const hook = attach({ type: 'hook_additional_context', content: ['hooked'] });
    const file = session(answer('m', call('a'), call('b')), result('a'), hook, result('b'), queued('and now?'));
    const shapes = said(file).map((content) => /tool_use_id":"(\w)|hooked|and now|go|tool_use|done/.exec(content)?.[0]);
    expect(shapes).toEqual(['go', 'tool_use', 'tool_use_id":"a', 'tool_use_id":"b', 'hooked', 'and now', 'done']);
  });

  it('stand before the next answer where a call has no result', () => {
    const file = session(answer('m', call('a')), queued('stop that'), answer('n', says('stopped')));
    expect(said(file).map((content) => content.slice(0, 9))).toEqual([
      'go',
      '[{"type":',
      'stop that',
      '[{"type":',
      '[{"type":',
    ]);
  });

  it('are what a later record hangs below, and make no branch', () => {
    const first = user('go');
    const note = attach({ type: 'skill_listing', content: '- a' }, { parentUuid: first.uuid });
    const next = answer('m', says('hm'));
    next.parentUuid = note.uuid;
    const last = user('more', { parentUuid: next.uuid });
    const file = importText(jsonl(first, note, next, last));
    expect(file.transcripts).toHaveLength(1);
    expect(said(file)).toHaveLength(4);
    expect(codes(file)).toEqual([]);
  });

  it('belong to the sub-agent in whose chain they stand', () => {
    const side = { isSidechain: true, agentId: 'ag' };
    const file = importText(
      jsonl(
        user('go'),
        user('sub task', side),
        attach({ type: 'skill_listing', content: '- a' }, side),
        answer('m', says('x')),
      ),
    );
    expect(file.transcripts.map(({ messages }) => messages.length)).toEqual([2, 2]);
    expect(file.transcripts[1]?.messages[1]?.meta).toMatchObject({ sidechain: true, agentId: 'ag' });
  });
});

describe('texts taken out of the queue', () => {
  const old = { version: '2.1.20' };
  const oldAnswer = (id: string, ...content: unknown[]) => ({ ...answer(id, ...content), ...old });
  const oldSession = (...records: unknown[]) =>
    importText(
      jsonl(
        user('go', old),
        oldAnswer('m', call('a')),
        { ...result('a'), ...old },
        ...records,
        oldAnswer('end', says('done')),
      ),
    );

  it('are messages in mid-turn where the release records nothing else', () => {
    const file = oldSession(operation('enqueue', { content: 'can we fix them all?' }), operation('remove'));
    expect(said(file)[3]).toBe('can we fix them all?');
    expect(main(file)?.messages[3]?.meta.provenance).toEqual({ kind: 'queued_prompt', type: 'queue-operation' });
    expect(main(file)?.events.map(({ text }) => text)).toEqual(['enqueue: can we fix them all?']);
    expect(addsUp(file)).toBe(true);
  });

  it('are taken oldest first, or the one that is named', () => {
    const [a, b] = [operation('enqueue', { content: 'one' }), operation('enqueue', { content: 'two' })];
    expect(said(oldSession(a, b, operation('remove'), operation('remove'))).slice(3, 5)).toEqual(['one', 'two']);
    const named = oldSession(a, b, operation('remove', { content: 'two' }), operation('dequeue'), user('one', old));
    expect(said(named).slice(3, 5)).toEqual(['two', 'one']);
  });

  it.each<[string, readonly object[]]>([
    ['a user record after it', [operation('remove'), user('X', old)]],
    ['a dequeue and its user record', [operation('dequeue'), user('X', old)]],
    ['an attachment after it', [operation('remove', { content: 'X' }), queued('X')]],
    ['an attachment before it', [queued('X'), operation('remove', { content: 'X' })]],
    ['an attachment before one that names nothing', [queued('X'), operation('remove')]],
  ])('are one message with %s', (_name, records) => {
    const file = oldSession(operation('enqueue', { content: 'X' }), ...records);
    expect(said(file).filter((content) => content === 'X')).toHaveLength(1);
    expect(addsUp(file)).toBe(true);
  });

  it.each<[string, readonly object[]]>([
    [
      'withdrawn, in a release that records an attachment for what it takes up',
      [attach({ type: 'skill_listing', content: '-' }), operation('remove', { content: 'X' })],
    ],
    ['withdrawn, as the reason says', [operation('remove', { content: 'X', reason: 'cancelled' })]],
    ['taken back as a whole', [operation('popAll', { content: 'X' }), operation('remove')]],
  ])('are no message if %s', (_name, records) => {
    const file = importText(
      jsonl(user('go'), operation('enqueue', { content: 'X' }), ...records, answer('end', says('done'))),
    );
    expect(said(file)).not.toContain('X');
    expect(addsUp(file)).toBe(true);
  });

  it('are messages where the reason says so', () => {
    const records = [
      operation('enqueue', { content: 'X' }),
      operation('remove', { content: 'X', reason: 'absorbed_mid_turn' }),
    ];
    expect(
      said(
        importText(
          jsonl(user('go'), attach({ type: 'skill_listing', content: '-' }), ...records, answer('e', says('d'))),
        ),
      ),
    ).toContain('X');
  });

  it('are events as data of a task, and the person’s no more as a notification', () => {
    const task = oldSession(operation('enqueue', { content: '{"task_id":"1"}' }), operation('remove'));
    expect(said(task)).toHaveLength(4);
    const note = oldSession(
      operation('enqueue', { content: '<task-notification>x</task-notification>' }),
      operation('remove'),
    );
    expect(main(note)?.messages[3]?.meta).toMatchObject({ injected: true, provenance: { kind: 'task_notification' } });
  });
});

const files = corpusFiles('claude-code').map((path) => [basename(path), path] as const);

/** All strings of the messages of a transcript, by the line they come from. */
function textByLine({ messages }: ImportedTranscript): Map<number, string> {
  const found = new Map<number, string>();
  const source = new MemoryTranscript(messages);
  for (const [index, { value, text, origins }] of messages.entries()) {
    const message: unknown = value ?? JSON.parse(text);
    const own = source
      .facts(index)
      .parts.map((part) => partText(message, part))
      .join('\n');
    for (const { line: at } of origins) found.set(at, own);
  }
  return found;
}

describe.skipIf(sharedDir() === null)('attachments of the corpus (skipped where there is no shared material)', () => {
  it.each(files)('%s: each is one message or one event, and a queued prompt is said', (_name, path) => {
    const text = readFileSync(path, 'utf8');
    const { transcripts } = importText(text);
    const inMessages = new Map(transcripts.flatMap((one) => [...textByLine(one)]));
    const inEvents = new Set(transcripts.flatMap(({ events }) => events.map(({ origin }) => origin.line)));
    const odd: string[] = [];
    for (const [at, row] of text.split('\n').entries()) {
      if (!row.includes('"attachment"')) continue;
      const record: unknown = JSON.parse(row);
      const attachment = isRecord(record) && record.type === 'attachment' ? recordAt(record, 'attachment') : undefined;
      if (attachment === undefined) continue;
      const message = inMessages.get(at + 1);
      if ((message !== undefined) === inEvents.has(at + 1)) odd.push(`line ${at + 1}: ${String(attachment.type)}`);
      const prompt = stringAt(attachment, 'prompt');
      if (prompt !== undefined && message !== prompt) odd.push(`line ${at + 1}: the prompt`);
    }
    expect(odd).toEqual([]);
  });
});
