import { holds } from '../../core/tokens/calibrated.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useUsage } from '../state/useUsage.ts';
import { howCounted } from './headline.ts';

/** How the tokens were counted, and the way from the provider's figures to plain counts and back. */
export function CountsSwitch({ words }: { readonly words: string }) {
  const { engine } = useApp();
  const { toast } = useActions();
  const info = useAppState((state) => state.projection.info);
  const usage = useUsage();
  if (info === null) return null;
  const isCalibrated = info.calibration !== null;
  const canCalibrate = (usage.info?.fits ?? []).some((line) => holds(line));
  const choose = (plain: boolean) => {
    engine
      .call('settings.set', { key: 'plainCounts', value: plain })
      .catch((thrown: unknown) => toast({ tone: 'error', text: toProtocolError(thrown).message }));
  };
  return (
    <span className="counts-switch">
      <span title={howCounted(info)} data-testid="counted-how">
        {words}
      </span>
      {(isCalibrated || canCalibrate) && (
        <button type="button" className="link" data-testid="plain-counts" onClick={() => choose(isCalibrated)}>
          {isCalibrated ? 'Plain counts' : 'Calibrate'}
        </button>
      )}
    </span>
  );
}
