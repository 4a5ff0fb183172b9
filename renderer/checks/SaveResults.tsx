import { Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReportFormat, reportText } from '../../core/check/formats/index.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import type { CheckRun } from '../state/types.ts';
import { saveText } from '../ui/saveText.ts';
import { reportOf, resultsName } from './results.ts';

type SavedFormat = Exclude<ReportFormat, 'github'>;

const SAVED: Readonly<Record<SavedFormat, { readonly title: string; readonly type: string }>> = {
  text: { title: 'Text', type: 'text/plain' },
  json: { title: 'JSON', type: 'application/json' },
  junit: { title: 'JUnit XML', type: 'application/xml' },
  sarif: { title: 'SARIF 2.1', type: 'application/sarif+json' },
};
const FORMATS = Object.keys(SAVED) as SavedFormat[];

interface Props {
  readonly run: CheckRun;
  /** Of the file of rules; null = it has none. */
  readonly name: string | null;
}

/** Saves what a finished run found, as the command prints it. */
export function SaveResults({ run, name }: Props) {
  const { engine, store, actions } = useApp();
  const save = async (format: SavedFormat): Promise<void> => {
    try {
      const { version } = await engine.call('engine.info', {});
      const report = reportOf(run, name, store.getState().library.transcripts ?? []);
      const file = resultsName(name, format);
      saveText(file, reportText(report, format, version), SAVED[format].type);
      actions.toast({ tone: 'ok', text: `Saved as ${file}.` });
    } catch (thrown) {
      actions.toast({ tone: 'error', text: 'The results were not saved.', detail: toProtocolError(thrown).message });
    }
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-button" aria-label="Save results as…" data-testid="checks-save">
        <Download size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {FORMATS.map((format) => (
            <DropdownMenu.Item key={format} className="menu-item" onSelect={() => void save(format)}>
              {SAVED[format].title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
