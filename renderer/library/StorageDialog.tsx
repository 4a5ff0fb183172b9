import { useMemo } from 'react';
import type { JobInfo, StorageGroupName, StorageInfo, TranscriptSummary } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes, plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { Seen } from '../ui/Seen.tsx';
import { JobBar } from './JobBar.tsx';

const GROUP: Readonly<Record<StorageGroupName, { readonly title: string; readonly unit: string }>> = {
  messages: { title: 'Messages', unit: 'text' },
  records: { title: 'Records of the files', unit: 'record' },
  assets: { title: 'Images and other payloads', unit: 'payload' },
  facts: { title: 'Facts about messages', unit: 'page' },
  tokens: { title: 'Token counts', unit: 'text' },
  index: { title: 'Search index', unit: 'block' },
  other: { title: 'Indexes and overhead', unit: '' },
};
const LARGEST = 8;
/** What a disk of today writes while the file is made again. Unit: bytes a second. */
const COMPACT_RATE = 100_000_000;

/** What the library takes on disk, by what and by which transcripts, and giving back what is free. */
export function StorageDialog({ onClose }: { readonly onClose: () => void }) {
  const actions = useActions();
  const jobs = useAppState((state) => state.jobs);
  const transcripts = useAppState((state) => state.library.transcripts);
  const running = Object.values(jobs).filter(({ state }) => state === 'running' || state === 'queued');
  const compacting = running.find(({ kind }) => kind === 'compact') ?? null;
  const isCompacting = compacting !== null;
  const isImporting = running.some(({ kind }) => kind === 'import');
  const { value: info, error } = useAnswer('storage.get', isCompacting ? null : {}, { about: 'the library' });
  const largest = useMemo(
    () => [...filesOf(transcripts ?? [])].sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST),
    [transcripts],
  );
  return (
    <Modal
      title="Storage"
      onClose={onClose}
      width={560}
      testId="storage-dialog"
      footer={
        info && (
          <>
            {compacting ? (
              <Compacting job={compacting} />
            ) : (
              <span className="grow mute">{describeCompact(info, isImporting)}</span>
            )}
            <button
              type="button"
              className="button button-primary"
              disabled={isCompacting || isImporting || info.freeBytes === 0}
              onClick={() => void actions.compact()}
              data-testid="compact"
            >
              {isCompacting ? 'Compacting…' : 'Compact'}
            </button>
          </>
        )
      }
    >
      {error && (
        <p className="library-notice-error" role="alert">
          Couldn’t read storage info: {error.message}
        </p>
      )}
      {!info && !error && <p className="mute">Measuring…</p>}
      {info && (
        <>
          <p>
            <b className="num">{formatBytes(info.fileBytes)}</b> in{' '}
            <code className="mono">
              <Seen text={info.path} />
            </code>
          </p>
          <Groups info={info} />
          {info.removedBytes > 0 && (
            <p className="mute">
              Removed transcripts whose files are {formatBytes(info.removedBytes)} are deleted a minute after their
              removal.
            </p>
          )}
          <h3 className="storage-title">Largest files</h3>
          <ul className="storage-list">
            {largest.map((one) => (
              <li key={one.id}>
                <span className="grow ellipsis" title={one.files[0]}>
                  {one.title}
                </span>
                <span className="num">{formatBytes(one.bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Modal>
  );
}

/** One transcript a file: not a sub-agent if there is another. */
function filesOf(transcripts: readonly TranscriptSummary[]): Iterable<TranscriptSummary> {
  const files = new Map<string, TranscriptSummary>();
  for (const one of transcripts) {
    const key = one.files[0] ?? one.id;
    if (!files.has(key) || one.under === null) files.set(key, one);
  }
  return files.values();
}

function Groups({ info }: { readonly info: StorageInfo }) {
  const groups = [...info.groups].sort((a, b) => b.bytes - a.bytes);
  const most = Math.max(1, info.freeBytes, ...groups.map(({ bytes }) => bytes));
  return (
    <ul className="storage-list" data-testid="storage-groups">
      {groups.map(({ name, bytes, rows }) => (
        <li key={name} style={{ '--share': bytes / most } as React.CSSProperties}>
          <span className="grow">{GROUP[name].title}</span>
          <span className="num faint">{rows > 0 && plural(rows, GROUP[name].unit)}</span>
          <span className="num storage-bytes">{formatBytes(bytes)}</span>
        </li>
      ))}
      <li style={{ '--share': info.freeBytes / most } as React.CSSProperties}>
        <span className="grow">Free inside the file</span>
        <span className="num storage-bytes" data-testid="storage-free">
          {formatBytes(info.freeBytes)}
        </span>
      </li>
    </ul>
  );
}

/** How far compacting is, as an import says it. */
function Compacting({ job }: { readonly job: JobInfo }) {
  return (
    <div className="grow" data-testid="compacting">
      <div className="mute num ellipsis">
        Changes wait until it is done · {job.state === 'queued' ? 'waiting' : job.message || 'gathering what stays'}
      </div>
      <JobBar job={job} />
    </div>
  );
}

/** What compacting will do and about how long it takes. */
function describeCompact(info: StorageInfo, isImporting: boolean): string {
  if (isImporting) return 'An import is under way; compact when it is done.';
  if (info.freeBytes === 0) return 'Nothing to reclaim.';
  const seconds = Math.max(1, Math.ceil((info.fileBytes - info.freeBytes) / COMPACT_RATE));
  return `Frees ${formatBytes(info.freeBytes)} on disk by rewriting the file, in about ${seconds} s. Nothing can be changed meanwhile.`;
}
