import type { PromptCheck } from '../../core/protocol/types.ts';
import { AssetView } from '../parts/AssetView.tsx';
import { useAppState } from '../state/context.tsx';
import { prettyJson } from '../ui/prettyJson.ts';
import { Seen } from '../ui/Seen.tsx';
import { useFacts } from './useFacts.ts';

/** What the transcript records of itself as a whole: state, metadata, system prompt, budget, assets. */
export function TranscriptRecord() {
  const { facts, error } = useFacts();
  const info = useAppState((state) => state.session.info);
  if (error !== null) return <p className="drawer-note drawer-error">The record could not be read: {error}</p>;
  if (facts === null || info === null) return <p className="drawer-note">Reading…</p>;
  const { state, budget, prompt, metadata, assets } = facts;
  const lines: readonly (readonly [string, string | null])[] = [
    ['State', state],
    ['Session', info.sessionId],
    ['Folder', info.cwd],
    ['Tool version', info.toolVersion],
    ['Models', info.models.join(', ') || null],
    ['Budget', budget],
    ['System prompt', prompt === null ? null : describePrompt(prompt)],
  ];
  return (
    <div className="transcript-record" data-testid="transcript-record">
      <h3>This transcript</h3>
      <dl>{lines.map(([name, value]) => value !== null && <Line key={name} name={name} value={value} />)}</dl>
      {assets.length > 0 && <h3>Assets</h3>}
      {assets.map((asset) => (
        <AssetView key={asset.id} asset={asset} />
      ))}
      {metadata !== null && (
        <>
          <h3>Metadata</h3>
          <pre className="mono">
            <Seen text={prettyJson(metadata)} />
          </pre>
        </>
      )}
      {info.events > 0 && <p className="faint">Choose an event to see its record.</p>}
    </div>
  );
}

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        <Seen text={value} />
      </dd>
    </div>
  );
}

/** Whether the recorded fingerprint is that of the prompt the transcript holds. */
export function describePrompt({ recorded, own }: PromptCheck): string {
  if (own === null) return `fingerprint ${recorded}; the transcript has no prompt text to compare it with`;
  if (own === recorded) return `fingerprint ${recorded}, that of the recorded prompt`;
  return `fingerprint ${recorded}, but the recorded prompt has ${own}`;
}
