import { useState } from 'react';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { commandLine, FORMATS } from './words.ts';

const TITLE: Readonly<Record<(typeof FORMATS)[number], string>> = {
  ...{ text: 'text', json: 'JSON', junit: 'JUnit', sarif: 'SARIF', github: 'GitHub' },
};
const OPTIONS = FORMATS.map((value) => ({ value, title: TITLE[value] }));

/** The command that finds the same, for CI. */
export function CommandBox({ name }: { readonly name: string | null }) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('text');
  const line = commandLine(name, format);
  return (
    <section className="checks-command" aria-label="The same on the command line">
      <div className="checks-command-head">
        <h3>The same on the command line</h3>
        <Segmented label="Printed as" value={format} options={OPTIONS} onChange={setFormat} />
      </div>
      <div className="checks-command-line">
        <span className="mono ellipsis" data-testid="checks-command">
          <Seen text={line} />
        </span>
        <CopyButton text={line} label="Copy the command" />
      </div>
      <p className="faint checks-exit">
        Exit 0: no rule failed. 1: a rule failed. 2: wrong usage. 3: a file cannot be read.
      </p>
    </section>
  );
}
