import { useMemo, useState } from 'react';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { CodeEditor } from '../monaco/CodeEditor.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { formatBytes, formatCount, plural } from '../ui/format.ts';
import { JSON_LAYOUTS, type JsonLayout } from '../ui/layouts.ts';
import { prettyJson } from '../ui/prettyJson.ts';
import { baseName } from '../ui/problemPlace.ts';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { NoDetail } from './NoDetail.tsx';
import { useRecords } from './useRecords.ts';
import { wholeSize } from './words.ts';

type What = 'message' | 'records';

/** The selected message as JSON: indented, to the letter, or as the records of its file. */
export function JsonTab() {
  const { detail, synthetic, showUncut } = useDetail();
  const [what, setWhat] = useState<What>('message');
  const [how, setHow] = useState<JsonLayout>('pretty');
  const records = useRecords(what === 'records' && detail ? detail.index : null);
  const source = what === 'records' ? records.text : (detail?.rawJson ?? synthetic?.json ?? '');
  const text = useMemo(
    () => (how === 'pretty' ? source.split('\n').map(prettyJson).join('\n') : source),
    [source, how],
  );
  if (!detail && !synthetic) return <NoDetail empty="Select a message to see its JSON and the records of its file." />;
  return (
    <div className="drawer-editor">
      <div className="drawer-bar">
        {detail && (
          <Segmented
            label="What"
            value={what}
            onChange={setWhat}
            options={[
              { value: 'message', title: 'Message' },
              { value: 'records', title: 'Records of the file' },
            ]}
          />
        )}
        <Segmented label="How" value={how} onChange={setHow} options={JSON_LAYOUTS} />
        <span className="grow mute ellipsis">
          <Seen text={detail ? placeOf(detail) : 'written by a stage'} />
        </span>
        {detail?.truncated && what === 'message' && (
          <button type="button" className="button" onClick={showUncut}>
            Cut: show all ({wholeSize(detail.rawChars)})
          </button>
        )}
        <CopyButton text={text} label="Copy this text">
          Copy
        </CopyButton>
      </div>
      {records.error !== null && what === 'records' ? (
        <p className="drawer-note drawer-error">The records could not be read: {records.error}</p>
      ) : (
        <CodeEditor value={text} language="json" label="JSON" readOnly />
      )}
    </div>
  );
}

function placeOf(detail: MessageDetail): string {
  const [origin] = detail.origins;
  if (!origin) return '';
  const bytes = `bytes ${formatCount(origin.byteStart)}–${formatCount(origin.byteEnd)}`;
  const more = detail.origins.length > 1 ? `, and ${plural(detail.origins.length - 1, 'more record')}` : '';
  return `${baseName(origin.file)}:${origin.line}, ${bytes} (${formatBytes(origin.byteEnd - origin.byteStart)})${more}`;
}
