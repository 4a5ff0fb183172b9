// A reviewed file leaves: written, with a text for an issue beside it. Nothing leaves that is undecided or would leak.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { exportName } from '../../protocol/exportName.ts';
import type { ProtocolError, ResultOf } from '../../protocol/methods.ts';
import { bundleMarkdown, type IssueNote } from '../../report/markdown.ts';
import { leakPlace } from '../../scrub/finished.ts';
import { kindTitle } from '../../scrub/kinds.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { countOf } from '../../view/words.ts';
import type { Engine } from '../engine.ts';
import { failure } from '../failures.ts';
import { writeExport } from '../files/exportFolder.ts';
import { fileFailure } from '../files/writeFile.ts';
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
  if (leaks.length === 0) return null;
  const places = [...new Set(leaks.map((leak) => `${kindTitle(leak.kind)} at ${leakPlace(leak)}`))];
  const more = places.length > PLACES ? ` and ${places.length - PLACES} more` : '';
  const left = `${countOf(leaks.length, 'finding')} left in the finished file: ${places.slice(0, PLACES).join(', ')}${more}`;
  return failure('export.left', `Nothing was written: ${left}.`);
}

// What a person wrote for the issue goes through the same search.
function maskedNote({ scrubber }: OpenReview, { expected, happened }: IssueNote): IssueNote {
  for (const text of [expected, happened]) scrubber.learn(JSON.stringify(text));
  return { expected: scrubber.maskText(expected), happened: scrubber.maskText(happened) };
}

function leavesSomething({ scrubber }: OpenReview, markdown: string): boolean {
  return scrubber.remaining(JSON.stringify(markdown).slice(1, -1), { key: '', isKey: false }).length > 0;
}
