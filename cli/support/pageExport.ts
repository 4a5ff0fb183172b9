// Writes the page of a bundle, as the dialog of a report does.
import { readFile } from 'node:fs/promises';
import { bundlePage, pageTexts } from '../../core/engine/page/bundlePage.ts';
import type { BundleInput } from '../../core/report/bundle.ts';
import type { Scrubber } from '../../core/scrub/scrubber.ts';
import { buildIfStale, pageShell } from '../build.ts';
import { checkedText } from './scrubbing.ts';

/** The page of a finished bundle. `scrubber`: nothing it would find may be left in it; null = the bundle is not scrubbed. */
export async function pageOf(bundle: string, input: BundleInput, scrubber: Scrubber | null): Promise<string> {
  await buildIfStale(['page']);
  const html = await bundlePage({ bundle, input, shell: await readFile(pageShell(), 'utf8') });
  if (scrubber !== null) searchPage(scrubber, html);
  return html;
}

/** Ends the command if something is left in the finished file, whose pieces are decoded again. */
export function searchPage(scrubber: Scrubber, html: string): void {
  for (const text of pageTexts(html)) checkedText(scrubber, [text]);
}
