// What the command line adds to what is said of a file that no format knows: the commands that help.
import type { Problem } from '../../core/model/problem.ts';
import { isMisread } from '../../core/protocol/misread.ts';
import { shellWord } from '../../core/util/shellWord.ts';

const LISTED = '`parallax formats` lists what is read';

/** A sentence to put behind the problem's text; empty where no command helps. */
export function commandHint({ code }: Pick<Problem, 'code'>, file: string): string {
  if (code === 'import.not_recognised' || isMisread(code)) {
    return ` \`parallax mapping guess ${shellWord(file)}\` finds its fields; ${LISTED}.`;
  }
  return code === 'import.not_transcript' || code === 'import.binary_file' ? ` ${LISTED}.` : '';
}
