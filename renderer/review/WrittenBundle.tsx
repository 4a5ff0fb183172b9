import { CircleCheck } from 'lucide-react';
import type { ResultOf } from '../../core/protocol/methods.ts';
import { shellWord } from '../../core/util/shellWord.ts';
import type { HostBridge } from '../host/types.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { formatBytes } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { ExportLine } from './ExportLine.tsx';
import { type PageSubject, WritePage } from './WritePage.tsx';

/** A bundle as it was written; `place` = where, or the name it is downloaded under. */
export type WrittenReport = ResultOf<'export.write'> & { readonly place: string };

interface Props {
  readonly written: WrittenReport;
  readonly host: HostBridge | null;
  readonly page: PageSubject;
}

/** Where the report went, how somebody else opens and checks it, and the text for an issue. */
export function WrittenBundle({ written, host, page }: Props) {
  const { place, bytes, prefixHash, markdown, besideProblem } = written;
  const command = `npm run parallax -- verify ${shellWord(place, host?.platform === 'win32' ? 'windows' : 'posix')}`;
  return (
    <div data-testid="export-done">
      <p className="dialog-status" role="status">
        <CircleCheck size={15} className="tone-good" aria-hidden />
        {host?.kind === 'web' ? `Downloaded, ${formatBytes(bytes)}.` : `Written, ${formatBytes(bytes)}.`}
      </p>
      <ul className="export-list">
        <ExportLine name="File" value={place} isMono testId="export-place" />
        <ExportLine name="Prefix hash" value={prefixHash} isMono />
        <ExportLine name="To open it" value="Drop it on Parallax: same policy, same call point." />
        <li>
          <span className="mute">To check it, in a checkout of Parallax</span>
          <span className="export-command">
            <span className="mono export-value" data-testid="export-command">
              {command}
            </span>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </li>
      </ul>
      <WritePage subject={page} host={host} />
      <section className="issue-text" aria-label="Text for an issue">
        <div className="issue-head">
          <b>Text for an issue</b>
          <span className="grow mute ellipsis">
            {host?.kind === 'electron' && besideProblem === null
              ? 'Markdown; also saved next to the file, as .md'
              : 'Markdown'}
          </span>
          <CopyButton text={markdown} label="Copy the text for an issue">
            Copy issue text
          </CopyButton>
        </div>
        {host?.kind === 'electron' && besideProblem !== null && (
          <p className="issue-problem" role="status" data-testid="issue-problem">
            The file is written, its copy of this text is not: <Seen text={besideProblem} />. Copy it from here.
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled with keys too */}
        <pre className="mono" tabIndex={0} data-testid="issue-text">
          {markdown}
        </pre>
      </section>
    </div>
  );
}
