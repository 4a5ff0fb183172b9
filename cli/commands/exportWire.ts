import { resolve } from 'node:path';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { countOf } from '../../core/util/counts.ts';
import { RawJson } from '../../core/util/json/index.ts';
import { inPieces } from '../../core/util/pieces.ts';
import type { BodyFinding } from '../../core/wire/lintBody.ts';
import { bodyText } from '../../core/wire/toWire.ts';
import { type Loss, TARGETS, type WireBody } from '../../core/wire/types.ts';
import { EXIT } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { grouped, note, oneLine, writeJson, writeJsonText, writeLine } from '../support/output.ts';
import { callPointOf } from '../support/projecting.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { type RequestOptions, targetNamed, writeRequest } from '../support/wireRequest.ts';
import { writeChunks } from '../support/writeChunks.ts';

/** The options of `parallax export --wire`. */
export interface WireExportOptions extends SpecOptions, RequestOptions {
  readonly wire: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly output?: string;
  readonly json?: boolean;
}

/** Losses shown one by one; the rest as numbers. */
const SHOWN = 40;
/** What a finding means for the request is at the end of its text. */
const FINDING_CHARS = 500;

/** Writes the projection as a request: to a file or stdout, what it cannot carry to stderr. */
export async function exportWire(file: string, options: WireExportOptions): Promise<void> {
  const target = targetNamed(options.wire);
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const given = { file, transcript, source, parsed, at, about: aboutOf(transcript) };
  const { body, findings } = await writeRequest(given, target, options);
  await writeBody(body, findings, options);
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = EXIT.finding;
}

async function writeBody(body: WireBody, findings: readonly BodyFinding[], options: WireExportOptions): Promise<void> {
  const path = options.output === undefined ? null : resolve(options.output);
  const bytes = path === null ? null : await writeChunks(path, body.chunks, 'the request');
  if (options.json) {
    const { target, url, model, chosen, losses } = body;
    const where = path === null ? { body: new RawJson(bodyText(body).trimEnd()) } : { path, bytes };
    await writeJson({ target, url, model, chosen, losses, findings, ...where });
    return;
  }
  if (path === null) for (const piece of inPieces(body.chunks)) await writeJsonText(piece);
  else await writeLine(`${path}  ${countOf(bytes ?? 0, 'byte')}  ${TARGETS[body.target].title}  ${body.model}`);
  for (const line of notesOf(body, findings)) note(line);
}

function notesOf({ chosen, losses, url }: WireBody, findings: readonly BodyFinding[]): readonly string[] {
  const lines = [`for ${url}`, ...chosen.map(({ field, value, why }) => `${field} ${value}: ${why}`)];
  lines.push(
    losses.length === 0
      ? 'everything is carried'
      : `${grouped(losses.length)} not carried as it is: ${kindsOf(losses)}`,
  );
  lines.push(...losses.slice(0, SHOWN).map(lossLine));
  if (losses.length > SHOWN) lines.push(`and ${grouped(losses.length - SHOWN)} more; --json lists all`);
  for (const { severity, index, text } of findings.slice(0, SHOWN)) {
    lines.push(`${severity}: ${index === null ? '' : `#${index} `}${oneLine(text, FINDING_CHARS)}`);
  }
  if (findings.length > SHOWN) lines.push(`and ${grouped(findings.length - SHOWN)} more findings; --json lists all`);
  return lines;
}

function kindsOf(losses: readonly Loss[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of losses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return [...kinds].map(([kind, count]) => `${kind} ${grouped(count)}`).join(', ');
}

function lossLine({ how, kind, index, path, text }: Loss): string {
  const where = [index === null ? '' : `#${index}`, path].filter((word) => word !== '').join(' ');
  return `${how === 'changed' ? 'changed' : 'left out'} (${kind}) ${where}: ${oneLine(text, 200)}`;
}
