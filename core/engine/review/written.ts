// A reviewed file leaves: written, with a text for an issue beside it. Nothing leaves that is undecided or would leak.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { exportName } from '../../protocol/exportName.ts';
import type { ProtocolError, ResultOf } from '../../protocol/methods.ts';
import { bundleMarkdown, type IssueNote } from '../../report/markdown.ts';
import { type Leak, leakPlace, leaksIn } from '../../scrub/finished.ts';
import { kindTitle } from '../../scrub/kinds.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { Engine } from '../engine.ts';
import { failure, SUPERSEDED } from '../failures.ts';
import { writeExport } from '../files/exportFolder.ts';
import { fileFailure } from '../files/writeFile.ts';
import { bundlePage, pageTexts } from '../page/bundlePage.ts';
import { inTurns } from '../session/inTurns.ts';
import type { FinishedReview } from './finishReview.ts';
import type { OpenReview } from './openReview.ts';

const PLACES = 3;

/**
 * Writes a finished file to `path`, or (null) into the library's folder of exports. Errors, none of which holds a value:
 * `export.undecided`, `export.left`, `export.not_written`.
 */
export async function writeReviewed(
  engine: Engine,
  open: OpenReview,
  finished: FinishedReview,
  { path, note }: { readonly path: string | null; readonly note: IssueNote },
): Promise<Result<ResultOf<'export.write'>, ProtocolError>> {
  const refused = refusalOf(open, finished);
  if (refused !== null) return err(refused);
  const { input, sums, text } = finished;
  const masked = maskedNote(open, note);
  const markdownOf = (name: string): string => bundleMarkdown(input, sums, name, masked);
  if (leavesSomething(open, markdownOf(path === null ? '' : basename(path)))) {
    return err(
      failure(
        'export.left',
        'Nothing was written: the text for the issue, or the name of the file, still holds something that must not leave.',
      ),
    );
  }
  const nameOf = (nth: number) => exportName(input.transcript.title, open.leaving.at, 'bundle', nth);
  const written = await writeExport(engine.library.dir, path, nameOf, [text.text]);
  if (!written.ok) return written;
  const markdown = markdownOf(basename(written.value.path));
  const besideProblem = await saveBeside(`${written.value.path}.md`, markdown);
  return ok({ ...written.value, prefixHash: sums.prefixHash, markdown, besideProblem });
}

// The bundle is there, and whoever asked has the text: without the copy of it nothing is lost.
async function saveBeside(path: string, markdown: string): Promise<string | null> {
  try {
    await writeFile(path, markdown, { mode: 0o600 });
    return null;
  } catch (error) {
    const failed = fileFailure('export.not_written', path, error);
    return failed.ok ? null : failed.error.message;
  }
}

function refusalOf({ review }: OpenReview, { leaks }: FinishedReview): ProtocolError | null {
  const undecided = review.undecided.length;
  if (undecided > 0) {
    const what = `${countOf(undecided, 'candidate')} ${undecided === 1 ? 'is' : 'are'} undecided`;
    return failure('export.undecided', `Nothing was written: ${what}. Decide what becomes of each.`);
  }
  return leaks.length === 0 ? null : leftIn('file', leaks);
}

function leftIn(what: string, leaks: readonly Leak[]): ProtocolError {
  const places = [...new Set(leaks.map((leak) => `${kindTitle(leak.kind)} at ${leakPlace(leak)}`))];
  const more = places.length > PLACES ? ` and ${grouped(places.length - PLACES)} more` : '';
  const left = `${countOf(leaks.length, 'finding')} left in the finished ${what}: ${places.slice(0, PLACES).join(', ')}${more}`;
  return failure('export.left', `Nothing was written: ${left}.`);
}

/**
 * Writes the page of a finished file to `path`, or (null) into the library's folder of exports. Errors: as for the file, and
 * `export.no_page`.
 */
export async function writePage(
  engine: Engine,
  open: OpenReview,
  finished: FinishedReview,
  { path, note }: { readonly path: string | null; readonly note: IssueNote },
): Promise<Result<ResultOf<'export.page'>, ProtocolError>> {
  const refused = refusalOf(open, finished);
  if (refused !== null) return err(refused);
  const shell = await shellOf(engine);
  if (!shell.ok) return shell;
  const { input, text } = finished;
  const html = await bundlePage({ bundle: text.text, input, shell: shell.value, note: maskedNote(open, note) });
  const leaks: Leak[] = [];
  // In turns with what a person asks for meanwhile.
  const { work } = open.leaving.session;
  const searched = work.background('asked', async (turn) => {
    for (const piece of pageTexts(html)) leaks.push(...(await inTurns(leaksIn(open.scrubber, piece), turn)));
  });
  if (!(await searched.done).ok) return err(SUPERSEDED);
  if (leaks.length > 0) return err(leftIn('page', leaks));
  const nameOf = (nth: number) => exportName(input.transcript.title, open.leaving.at, 'page', nth);
  return writeExport(engine.library.dir, path, nameOf, [html]);
}

async function shellOf({ pageShell }: Engine): Promise<Result<string, ProtocolError>> {
  const unbuilt = 'Nothing was written: the program of the page is not built here. `parallax export --html` builds it.';
  if (pageShell === null) return err(failure('export.no_page', unbuilt));
  try {
    return ok(await readFile(pageShell, 'utf8'));
  } catch (error) {
    return fileFailure('export.no_page', pageShell, error);
  }
}

// What a person wrote for the issue goes through the same search.
function maskedNote({ scrubber }: OpenReview, { expected, happened }: IssueNote): IssueNote {
  for (const text of [expected, happened]) scrubber.learn(JSON.stringify(text));
  return { expected: scrubber.maskText(expected), happened: scrubber.maskText(happened) };
}

function leavesSomething({ scrubber }: OpenReview, markdown: string): boolean {
  return scrubber.remaining(JSON.stringify(markdown).slice(1, -1), { key: '', isKey: false }).length > 0;
}
