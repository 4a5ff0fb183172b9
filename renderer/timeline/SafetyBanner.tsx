import { ShieldAlert } from 'lucide-react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useActions, useAppState } from '../state/context.tsx';

/** Says that a stage's result was refused because it would have changed a signed message, and what can be done. */
export function SafetyBanner() {
  const isBlocked = useAppState((state) => state.projection.info?.providerSafetyBlocked ?? false);
  const reports = useAppState((state) => state.projection.info?.reports);
  const spec = useAppState((state) => state.projection.spec);
  const { goToMessage, setSpec } = useActions();
  if (!isBlocked) return null;
  const report = reports?.find((one) => one.blockedBy !== null);
  const index = report?.blockedBy ?? null;
  return (
    <div className="banner" role="alert" data-testid="banner">
      <ShieldAlert size={15} className="banner-icon" />
      <p className="grow">
        <b>{report ? `Stage ${report.stage + 1}, ${report.title}, was not applied:` : 'A stage was not applied:'}</b> it
        would have changed {index === null ? 'a message' : `#${index}`}, which carries signed thinking, and the provider
        would refuse the request. The panes show the transcript without it.
      </p>
      {index !== null && (
        <button type="button" className="button" onClick={() => void goToMessage(index)}>
          Go to #{index}
        </button>
      )}
      {report && (
        <button
          type="button"
          className="button"
          title="Sets respect_provider_signatures to false for this stage: a preview that is not to be sent"
          onClick={() => setSpec(withoutProtection(spec, report.stage), 'push')}
        >
          Preview anyway
        </button>
      )}
    </div>
  );
}

/** The spec with provider safety off for one stage. */
function withoutProtection(spec: ProjectionSpec, at: number): ProjectionSpec {
  const stages = spec.stages.map((stage, position) =>
    position === at ? { ...stage, options: { ...stage.options, respect_provider_signatures: false } } : stage,
  );
  return { ...spec, stages };
}
