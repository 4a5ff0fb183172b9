import { FileText, FolderSearch } from 'lucide-react';
import { useState } from 'react';
import type { GivenFile } from '../../core/protocol/files.ts';
import type { HostBridge } from '../host/types.ts';
import { useActions, useHost } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { SourcePath } from './SourcePath.tsx';

/** Any other file or folder: chosen in the host's dialogs, then imported, and followed where the host knows its place. */
export function OtherSource({ onDone }: { readonly onDone: () => void }) {
  const { importPaths, startFollow, toast } = useActions();
  const host = useHost();
  const [chosen, setChosen] = useState<readonly GivenFile[]>([]);
  const choose = async (ask: () => Promise<readonly GivenFile[]>) => {
    try {
      const given = await ask();
      if (given.length > 0) setChosen(given);
    } catch (thrown) {
      toast({ tone: 'error', text: 'The file could not be read.', detail: toProtocolError(thrown).message });
    }
  };
  const importIt = () => {
    void importPaths(chosen.map(({ handle }) => handle));
    onDone();
  };
  const followIt = () => {
    for (const { handle } of chosen) void startFollow(handle);
    onDone();
  };
  return (
    <section className="source-group" aria-labelledby="other">
      <h3 id="other">Another file or folder</h3>
      {host !== null && <Choices host={host} isFirst={chosen.length === 0} choose={choose} />}
      {chosen.length > 0 && (
        <div className="source-row" data-testid="source-chosen">
          <div className="source-row-text grow">
            {chosen.map(({ handle, name }) => (
              <SourcePath key={handle} path={name} />
            ))}
          </div>
          <button
            type="button"
            className={host?.pickFolder ? 'button' : 'button button-primary'}
            onClick={importIt}
            data-testid="source-import"
          >
            Import
          </button>
          {host?.pickFolder && (
            <button type="button" className="button button-primary" onClick={followIt} data-testid="source-follow">
              Import and follow
            </button>
          )}
        </div>
      )}
      {host?.kind === 'web' && (
        <p className="source-note mute">
          A browser uploads a copy and does not say where the file is. To import a folder, or to follow a file, start
          Parallax with its path: <code className="mono">npm start -- --web PATH</code>
        </p>
      )}
    </section>
  );
}

interface ChoicesProps {
  readonly host: HostBridge;
  readonly isFirst: boolean;
  choose(ask: () => Promise<readonly GivenFile[]>): Promise<void>;
}

function Choices({ host, isFirst, choose }: ChoicesProps) {
  const { pickFolder } = host;
  return (
    <div className="source-field">
      <button
        type="button"
        className={isFirst ? 'button button-primary' : 'button'}
        onClick={() => void choose(() => host.pickFiles())}
        data-testid="source-file"
        data-autofocus
      >
        <FileText size={14} aria-hidden /> Choose files…
      </button>
      {pickFolder && (
        <button
          type="button"
          className="button"
          onClick={() => void choose(async () => [await pickFolder()].filter((folder) => folder !== null))}
          data-testid="source-folder"
        >
          <FolderSearch size={14} aria-hidden /> Choose a folder…
        </button>
      )}
    </div>
  );
}
