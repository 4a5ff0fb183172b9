import type { MessageMeta } from '../model/message.ts';
import type { Problem } from '../model/problem.ts';
import { readProvenance } from '../model/provenance.ts';
import type { SummaryArtifact } from '../model/summary.ts';
import type { PlacedCompaction, TranscriptSource } from '../model/transcript.ts';
import {
  elements,
  isJsonText,
  type JsonMember,
  type JsonSyntaxError,
  members,
  parseJsonText,
} from '../util/json/index.ts';
import { err, ok, type Result } from '../util/result.ts';
import { arrayAt, isRecord, ownAt } from '../util/unknown.ts';
import { BUNDLE_MARK, BUNDLE_VERSIONS, BundleCompaction, BundleHead, BundleSummary } from './format.ts';
import { projectionOf, rawSlice } from './rawSlice.ts';

/** A bundle as read: its head, the raw slice as a transcript, the exact texts of the projected messages. */
export interface Bundle {
  readonly head: BundleHead;
  readonly source: TranscriptSource;
  readonly projected: readonly string[];
  /** What is recorded apart from the messages, as text; null and none where nothing is. */
  readonly request: string | null;
  readonly metas: readonly string[];
}

/**
 * Reads a bundle's text. Errors: `bundle.not_json` (also: cut short), `bundle.foreign` (JSON, but no bundle),
 * `bundle.version` (made by a newer Parallax), `bundle.broken` (a member missing or of the wrong type).
 */
export function readBundle(text: string): Result<Bundle, Problem> {
  const json = parseJsonText(text);
  if (!json.ok) return err(notJson(json.error, text));
  const top = membersOf(text);
  const marked = checkMark(top);
  if (marked !== null) return err(marked);
  const head = BundleHead.safeParse(headOf(top));
  if (!head.success) {
    const issue = head.error.issues[0];
    return err(broken(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`));
  }
  const held = membersOf(top.get('raw'));
  const raw = messagesOf(held);
  const projected = messagesOf(membersOf(top.get('projected')));
  if (raw === null || projected === null) {
    return err(broken(`${raw === null ? 'raw' : 'projected'}.messages: a list of messages is missing`));
  }
  if (raw.length !== head.data.at || head.data.fates.length !== head.data.at) {
    return err(
      broken(`at is ${head.data.at}, but there are ${raw.length} raw messages and ${head.data.fates.length} fates`),
    );
  }
  const compactions = compactionsOf(held);
  if (compactions === null) return err(broken('raw.compactions: a compaction is not as it should be'));
  const summaries = summariesOf(held);
  if (summaries === null) return err(broken('raw.summaries: a summary is not as it should be'));
  const metas = elementsOf(held.get('meta'));
  const recorded = metas.map((meta) => recordedMeta(JSON.parse(meta)));
  const projections = elementsOf(held.get('projections')).map(projectionOf);
  if (!projections.every((one) => one !== null)) {
    return err(broken('raw.projections: a recorded projection is not as it should be'));
  }
  const source = rawSlice(raw, summaryOf(held), compactions, summaries, recorded, projections);
  return ok({
    head: head.data,
    source,
    projected,
    request: held.get('request') ?? null,
    metas,
  });
}

function recordedMeta(meta: unknown): Pick<MessageMeta, 'provenance' | 'failedCallIds'> {
  if (!isRecord(meta)) return {};
  const provenance = readProvenance(ownAt(meta, 'provenance'));
  const failedCallIds = arrayAt(meta, 'failedCallIds')?.filter((id) => typeof id === 'string');
  return { ...(provenance !== undefined && { provenance }), ...(failedCallIds !== undefined && { failedCallIds }) };
}

type Members = ReadonlyMap<string, string>;

// The big members stay text: parsing them would lose what makes them exact.
function membersOf(text = ''): Members {
  if (text.trimStart()[0] !== '{') return new Map();
  return new Map(members(text, text.indexOf('{')).map((member) => [member.key, valueText(text, member)]));
}

function elementsOf(text = ''): readonly string[] {
  return text[0] === '[' ? elements(text, 0).map(({ start, end }) => text.slice(start, end)) : [];
}

function valueText(text: string, member: JsonMember): string {
  return text.slice(member.valueStart, member.valueEnd);
}

function checkMark(top: Members): Problem | null {
  const mark: unknown = JSON.parse(top.get('parallax') ?? 'null');
  if (!isRecord(mark) || ownAt(mark, 'format') !== BUNDLE_MARK.format) {
    const text =
      'This is JSON, but no Parallax bundle. Bundles are made by "parallax export" or File > Export bug report.';
    return { code: 'bundle.foreign', severity: 'error', text };
  }
  const version = ownAt(mark, 'version');
  if (BUNDLE_VERSIONS.includes(version)) return null;
  const text = `The bundle has version ${JSON.stringify(version)}; this program reads versions ${BUNDLE_VERSIONS.join(' and ')}. Update Parallax.`;
  return { code: 'bundle.version', severity: 'error', text };
}

function headOf(top: Members): Record<string, unknown> {
  const head: Record<string, unknown> = {};
  for (const [key, text] of top) if (key !== 'raw' && key !== 'projected') head[key] = JSON.parse(text);
  return head;
}

function messagesOf(held: Members): readonly string[] | null {
  if (held.get('messages')?.[0] !== '[') return null;
  const texts = elementsOf(held.get('messages'));
  return texts.every((message) => message[0] === '{') ? texts : null;
}

function summaryOf(held: Members): string | null {
  const value: unknown = JSON.parse(held.get('summary') ?? 'null');
  return typeof value === 'string' ? value : null;
}

// Null: not as they should be. Texts of replacements are JSON strings in it, so nothing is lost by parsing.
function compactionsOf(held: Members): readonly PlacedCompaction[] | null {
  const value: unknown = JSON.parse(held.get('compactions') ?? '[]');
  return BundleCompaction.array().safeParse(value).data ?? null;
}

function summariesOf(held: Members): readonly SummaryArtifact[] | null {
  const value: unknown = JSON.parse(held.get('summaries') ?? '[]');
  return BundleSummary.array().safeParse(value).data ?? null;
}

function notJson(error: JsonSyntaxError, text: string): Problem {
  const looksCut = text.trimStart().startsWith('{"parallax"') && !isJsonText(text) && !text.trimEnd().endsWith('}}');
  const what = looksCut ? 'The bundle is cut short' : 'The file is not JSON, so it is not a bundle';
  return { code: 'bundle.not_json', severity: 'error', text: `${what}: ${error.message}. Ask for the file again.` };
}

function broken(what: string): Problem {
  return { code: 'bundle.broken', severity: 'error', text: `The bundle is damaged: ${what}. Ask for the file again.` };
}
