import { ArrowUpRight } from 'lucide-react';
import type { FindingInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { SavedPolicy } from '../state/savedPolicies.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { Seen } from '../ui/Seen.tsx';

/** One finding: what it shows, what said it, since when it was gone and by what, and which policies prevent it. */
export function FindingDetail({ finding }: { readonly finding: FindingInfo }) {
  const { goToMessage, setAt } = useActions();
  const { at, sources, loss, evidence } = finding;
  return (
    <section className="finding-detail" aria-label="Finding" data-testid="finding-detail">
      <h3>{titleOfKind(finding.kind)}</h3>
      <p className="mono finding-evidence">
        <Seen text={evidence} />
      </p>
      <dl className="finding-facts">
        <dt className="mute">Shows at</dt>
        <dd>
          <Place index={at} onGo={() => void goToMessage(at)} />
        </dd>
        {sources.length > 0 && (
          <>
            <dt className="mute">Said in</dt>
            <dd>
              {sources.slice(0, 5).map((index) => (
                <Place key={index} index={index} onGo={() => void goToMessage(index)} />
              ))}
            </dd>
          </>
        )}
        {loss !== null && (
          <>
            <dt className="mute">Not in the request since</dt>
            <dd>
              <button type="button" className="link num" onClick={() => setAt(loss.since)}>
                call #{loss.since}
              </button>
              <span className="mute">
                {' '}
                by {loss.stageTitle ?? 'a stage'}: <Seen text={loss.reason} />
              </span>
            </dd>
          </>
        )}
        <dt className="mute">Certainty</dt>
        <dd>{CERTAINTY[finding.certainty]}</dd>
      </dl>
      {finding.dependsOnPolicy && <PreventedBy finding={finding} />}
    </section>
  );
}

const CERTAINTY: Readonly<Record<FindingInfo['certainty'], string>> = {
  recorded: 'the loss is in recorded usage; its cause is inferred, unless the provider is quoted',
  certain: 'certain: the words themselves show it',
  probable: 'probable: the words are rare, no more',
  suspect: 'a suspect: only a person can say',
};

function Place({ index, onGo }: { readonly index: number; readonly onGo: () => void }) {
  return (
    <button type="button" className="link num findings-place" onClick={onGo}>
      #{index} <ArrowUpRight size={11} aria-hidden />
    </button>
  );
}

const NO_POLICIES: readonly SavedPolicy[] = [];

function PreventedBy({ finding: { kind, at, evidence } }: { readonly finding: FindingInfo }) {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const policies = useAppState((state) => state.savedPolicies) ?? NO_POLICIES;
  const asked = id === null || spec === null ? null : { id, spec, kind, at, evidence, policies };
  const { value, error } = useAnswer('findings.preventedBy', asked, { wait: 150 });
  if (error !== null) return <p className="drawer-error">The policies could not be tried: {error.message}</p>;
  return (
    <div data-testid="finding-prevented">
      <h3>Would not have happened under</h3>
      {value === null ? (
        <p className="faint">Presets and saved policies are being tried…</p>
      ) : value.presets.length + value.saved.length === 0 ? (
        <p className="mute">No preset and no saved policy: it was in no request that any of them would send.</p>
      ) : (
        <p>
          <Seen text={[...value.saved, ...value.presets.map(({ title }) => title)].join(' · ')} />{' '}
          <span className="faint">computed, not observed</span>
        </p>
      )}
      {value?.failed.map((one) => (
        <p key={one.name} className="drawer-error">
          Not tried: <Seen text={one.name} />: {one.error}
        </p>
      ))}
    </div>
  );
}
