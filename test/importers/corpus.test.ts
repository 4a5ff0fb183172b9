// Real files of the four formats, where the shared material is at hand.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../core/util/unknown.ts';
import { FORMATS } from '../support/formats.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, importFile, ungroupedIn } from './support.ts';

const shared = sharedDir();

function manifest(): Map<string, Record<string, unknown>> {
  if (!shared) return new Map();
  const value: unknown = JSON.parse(readFileSync(join(shared, 'corpus', 'MANIFEST.json'), 'utf8'));
  const files = isRecord(value) && Array.isArray(value.files) ? value.files.filter(isRecord) : [];
  return new Map(files.map((file) => [stringAt(file, 'file') ?? '', file]));
}

const known = manifest();

describe.skipIf(!shared)('the corpus (skipped where there is no shared material)', () => {
  const cases = FORMATS.flatMap((format) =>
    corpusFiles(format).map((path) => [format, relative(join(shared ?? '', 'corpus'), path), path] as const),
  );

  it('is there', () => expect(cases.length).toBeGreaterThan(30));

  it.each(cases)('%s: %s', (format, name, path) => {
    const file = importFile(path);
    expect(file.format).toBe(format);
    const badLines = numberAt(known.get(name) ?? {}, 'bad_lines') ?? 0;
    // Some files are of a tool's session, and hold no message.
    const isSilent = file.counts.messages === 0;
    const told = file.problems.filter(({ code }) => !isSilent || code !== 'import.no_messages');
    const findings = told.filter((problem) => problem.severity !== 'info');
    expect(findings.slice(0, badLines).every((problem) => problem.code === 'import.broken_line')).toBe(true);
    expect(findings.slice(badLines)).toEqual([]);
    expect(addsUp(file)).toBe(true);
    expect(ungroupedIn(file)).toEqual([]);
    for (const transcript of file.transcripts) {
      for (const event of transcript.events) expect(event.at).toBeLessThanOrEqual(transcript.messages.length);
      for (const message of transcript.messages) expect(JSON.parse(message.text)).toEqual(message.value);
    }
    const entry = known.get(name);
    if (entry) compare(format, entry, file);
  });
});

type File = ReturnType<typeof importFile>;

function compare(format: string, entry: Record<string, unknown>, file: File): void {
  const messages = file.transcripts.flatMap((transcript) => transcript.messages);
  const records = messages.reduce((sum, message) => sum + message.origins.length, 0);
  if (format === 'claude-code') {
    const types = recordAt(recordAt(entry, 'claude') ?? {}, 'types') ?? {};
    const notes = (numberAt(types, 'user') ?? 0) + (numberAt(types, 'assistant') ?? 0);
    const progress = file.transcripts.filter(
      ({ meta }) => meta.parentCallId !== undefined && meta.agentId !== undefined,
    );
    const nested = progress
      .flatMap((transcript) => transcript.messages)
      .reduce((sum, message) => sum + message.origins.length, 0);
    const broken = messages.length > 0 ? notesWithoutContent(file) : 0;
    const attached = messages.filter(({ meta }) => meta.provenance !== undefined).length;
    const events = file.transcripts.flatMap((transcript) => transcript.events);
    const kept = events.filter(({ kind }) => kind.startsWith('attachment.')).length;
    expect(attached + kept).toBe(numberAt(types, 'attachment') ?? 0);
    expect(records - attached - nested + file.ignored.length + broken).toBe(notes);
  } else if (format === 'openai-chat' && !/ctxprof|interactions/.test(stringAt(entry, 'file') ?? '')) {
    expect(messages.length).toBe(numberAt(entry, 'messages'));
  } else if (format === 'anthropic-messages' && (stringAt(entry, 'file') ?? '').includes('extracted/')) {
    expect(messages.length).toBe(numberAt(entry, 'messages'));
  } else if (format === 'openai-responses' && !/tap-/.test(stringAt(entry, 'file') ?? '')) {
    // The manifest counts items; an answer's message has several.
    expect(records).toBe(numberAt(entry, 'messages'));
  } else if (format === 'codex') {
    const items = itemsOf(join(shared ?? '', 'corpus', stringAt(entry, 'file') ?? ''));
    const events = file.transcripts.flatMap((transcript) => transcript.events);
    const beside = events.filter((event) => event.kind === 'ghost_snapshot').length;
    expect(items.length).toBe(numberAt(entry, 'messages'));
    expect(records + beside).toBe(items.length);
    expect(partsOf(messages, 'tool_result')).toBe(items.filter((type) => type.endsWith('_output')).length);
    const calls = items.filter((type) => /^(function|custom_tool|local_shell|tool_search)_call$/.test(type));
    expect(partsOf(messages, 'tool_call')).toBe(calls.length);
    expect(file.transcripts.length).toBe((stringAt(entry, 'file') ?? '').includes('6-rollouts') ? 6 : 1);
  } else if (format === 'copilot-cli') {
    const said = messages.filter(({ value }) => isRecord(value) && value.role !== 'tool');
    expect(said.length).toBe(numberAt(entry, 'messages'));
    // The manifest counts a call where its record of start or end stands as well.
    const started = file.transcripts.flatMap(({ events }) =>
      events.filter(({ kind }) => kind === 'tool.execution_start'),
    );
    expect(partsOf(messages, 'tool_call')).toBe(started.length);
    expect(partsOf(messages, 'tool_result')).toBe(started.length);
  } else if (format === 'opencode') {
    // Of a stream the manifest counts the lines.
    const isStream = stringAt(entry, 'messages_unit') === 'lines';
    const said = messages.filter(({ value }) => isRecord(value) && value.role !== 'tool');
    expect(isStream ? file.counts.records : said.length).toBe(numberAt(entry, 'messages'));
    expect(partsOf(messages, 'tool_call')).toBe(partsOf(messages, 'tool_result'));
    expect(partsOf(messages, 'tool_call')).toBeGreaterThan(0);
  } else if (format === 'pi') {
    const recorded = messages.filter(({ meta }) => meta.compactSummary !== true);
    expect(recorded.length).toBe(numberAt(entry, 'messages'));
    // The manifest counts by pattern: one call of this file stands in a text that a person pasted.
    const quoted = (stringAt(entry, 'file') ?? '').endsWith('pi-before-compaction.jsonl') ? 1 : 0;
    expect(partsOf(messages, 'tool_call') + quoted).toBe(numberAt(recordAt(entry, 'features') ?? {}, 'tool_calls'));
  }
}

function partsOf(messages: readonly { readonly value?: unknown }[], kind: string): number {
  return messages.flatMap(({ value }) => readMessage(value).parts).filter((part) => part.kind === kind).length;
}

/** The types of a rollout's response items, counted without the importer. */
function itemsOf(path: string): string[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const values = lines.map((line): unknown => JSON.parse(line)).filter(isRecord);
  return values
    .filter((value) => value.type === 'response_item')
    .map((value) => stringAt(recordAt(value, 'payload') ?? {}, 'type') ?? '');
}

function notesWithoutContent(file: File): number {
  const events = file.transcripts.flatMap((transcript) => transcript.events);
  return events.filter((event) => event.kind === 'unknown:user' || event.kind === 'unknown:assistant').length;
}
