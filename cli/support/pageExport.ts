// Writes the page of a bundle: an engine on a separate library, which is gone afterwards, opens the bundle and is asked.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { capturePage } from '../../core/page/capture.ts';
import { pageHtml } from '../../core/page/html.ts';
import { searchedTexts } from '../../core/page/searched.ts';
import type { PageAbout } from '../../core/page/types.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ProjectionInfo } from '../../core/protocol/types.ts';
import type { BundleInput } from '../../core/report/bundle.ts';
import type { Scrubber } from '../../core/scrub/scrubber.ts';
import { buildIfStale, pageShell } from '../build.ts';
import { withEngine } from './engine.ts';
import { CliFailure, EXIT } from './failure.ts';
import { checkedText } from './scrubbing.ts';

const PAUSE_MS = 25;

/** The page of a finished bundle. `scrubber`: nothing it would find may be left in it; null = the bundle is not scrubbed. */
export async function pageOf(bundle: string, input: BundleInput, scrubber: Scrubber | null): Promise<string> {
  await buildIfStale(['page']);
  const shell = await readFile(pageShell(), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'parallax-page-'));
  try {
    const file = join(folder, 'bundle.json');
    await writeFile(file, bundle, { mode: 0o600 });
    const html = await withEngine({ library: join(folder, 'library') }, async (engine) => {
      const id = await imported(engine, file);
      const about = (projection: ProjectionInfo) => aboutOf(input, projection);
      const pieces = await capturePage({ engine, id, spec: input.spec, about, pause: () => wait(PAUSE_MS) });
      const [head] = pieces;
      if (head === undefined) throw new Error('a page has no head');
      return pageHtml(shell, aboutIn(head.json), pieces, (json) => gzipSync(json, { level: 9 }).toString('base64'));
    });
    if (scrubber !== null) searchPage(scrubber, html);
    return html;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function aboutIn(json: string): PageAbout {
  const head: { readonly about: PageAbout } = JSON.parse(json);
  return head.about;
}

async function imported(engine: EngineClient, file: string): Promise<string> {
  const { jobId } = await engine.call('import.start', { paths: [file] });
  const { outcomes } = await engine.call('import.result', { jobId });
  const { transcripts } = await engine.call('library.list', {});
  const [first] = transcripts;
  if (first === undefined) {
    throw new CliFailure(EXIT.unreadable, 'export.page', `the bundle could not be opened: ${JSON.stringify(outcomes)}`);
  }
  return first.id;
}

function aboutOf({ transcript, spec, scrub, createdAt, source }: BundleInput, projection: ProjectionInfo): PageAbout {
  if (projection.prefixHash === null) throw new Error('a projection without its hash');
  return {
    parallax: ENGINE_VERSION,
    createdAt: createdAt ?? new Date().toISOString(),
    title: transcript.title ?? transcript.id,
    format: transcript.format,
    messages: transcript.messages ?? source.length,
    at: projection.at,
    policy: spec.name ?? 'custom',
    prefixHash: projection.prefixHash,
    scrub: scrub ?? { scrubbed: false, findings: [] },
  };
}

/** Ends the command if something is left in the finished file, whose pieces are decoded again. */
export function searchPage(scrubber: Scrubber, html: string): void {
  const unpack = (text: string) => gunzipSync(Buffer.from(text, 'base64')).toString();
  for (const text of searchedTexts(html, unpack)) checkedText(scrubber, [text]);
}
