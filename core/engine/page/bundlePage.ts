// Makes the page of a bundle: an engine on a separate library, which is gone afterwards, opens the bundle and is asked.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bytesOfText, textOfBytes } from '../../page/byteText.ts';
import { capturePage } from '../../page/capture.ts';
import { pageHtml } from '../../page/html.ts';
import { searchedTexts } from '../../page/searched.ts';
import type { PageAbout } from '../../page/types.ts';
import { policyName } from '../../projection/policyName.ts';
import { allPresets, PRESETS } from '../../projection/presets.ts';
import { type EngineClient, EngineError } from '../../protocol/client.ts';
import { createClient } from '../../protocol/createClient.ts';
import type { ProjectionInfo } from '../../protocol/types.ts';
import type { BundleInput } from '../../report/bundle.ts';
import type { IssueNote } from '../../report/markdown.ts';
import { spawnEngine } from '../client.ts';
import { failure } from '../failures.ts';
import { ENGINE_VERSION } from '../version.ts';

const PAUSE_MS = 25;

/** What a page is made of. */
export interface BundlePageInput {
  /** The finished bundle. */
  readonly bundle: string;
  readonly input: BundleInput;
  /** The built page that takes a transcript: its HTML. */
  readonly shell: string;
  /** What whoever reports it expected, and what happened. */
  readonly note?: IssueNote;
}

/** The page of a finished bundle. Rejects with an EngineError if the bundle does not open. */
export async function bundlePage({ bundle, input, shell, note }: BundlePageInput): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parallax-page-'));
  try {
    const file = join(folder, 'bundle.json');
    await writeFile(file, bundle, { mode: 0o600 });
    return await withLibrary(join(folder, 'library'), async (engine) => {
      const id = await imported(engine, file);
      const about = (projection: ProjectionInfo) => aboutOf(input, projection, note);
      const pieces = await capturePage({ engine, id, spec: input.spec, about, pause: () => wait(PAUSE_MS) });
      const [head] = pieces;
      if (head === undefined) throw new Error('a page has no head');
      return pageHtml(shell, aboutIn(head.json), pieces, packPiece);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The JSON of a piece as a page holds it. */
export function packPiece(json: string): string {
  return textOfBytes(gzipSync(json, { level: 9 }));
}

/** The JSON that `packPiece` packed. */
export function unpackPiece(text: string): string {
  return gunzipSync(bytesOfText(text)).toString();
}

/** The JSON texts of a finished page, whose pieces are decoded again: what is searched for what must not leave it. */
export function pageTexts(html: string): Iterable<string> {
  return searchedTexts(html, unpackPiece);
}

// In a separate thread: whoever works beside it does not wait.
async function withLibrary<T>(dir: string, run: (engine: EngineClient) => Promise<T>): Promise<T> {
  const engine = spawnEngine({ dir });
  try {
    return await run(createClient(engine.connect()));
  } finally {
    await engine.dispose();
  }
}

async function imported(engine: EngineClient, file: string): Promise<string> {
  const { jobId } = await engine.call('import.start', { paths: [file] });
  const { outcomes } = await engine.call('import.result', { jobId });
  const { transcripts } = await engine.call('library.list', {});
  const [first] = transcripts;
  if (first !== undefined) return first.id;
  throw new EngineError(failure('export.page', `The bundle could not be opened: ${JSON.stringify(outcomes)}`));
}

function aboutIn(json: string): PageAbout {
  const head: { readonly about: PageAbout } = JSON.parse(json);
  return head.about;
}

function aboutOf(
  { transcript, spec, scrub, createdAt, source }: BundleInput,
  projection: ProjectionInfo,
  note: IssueNote | undefined,
): PageAbout {
  if (projection.prefixHash === null) throw new Error('a projection without its hash');
  const said = note !== undefined && (note.expected !== '' || note.happened !== '');
  return {
    parallax: ENGINE_VERSION,
    createdAt: createdAt ?? new Date().toISOString(),
    title: transcript.title ?? transcript.id,
    format: transcript.format,
    messages: transcript.messages ?? source.length,
    at: projection.at,
    policy: policyName(spec, allPresets(PRESETS)) ?? 'a custom policy',
    prefixHash: projection.prefixHash,
    scrub: scrub ?? { scrubbed: false, findings: [] },
    ...(said && { note }),
  };
}
