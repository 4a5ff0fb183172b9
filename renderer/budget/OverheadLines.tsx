import type { OverheadFigure } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { parseTokens } from '../state/editBudget.ts';
import { useUsage } from '../state/useUsage.ts';
import { formatCount, formatTokens } from '../ui/format.ts';
import { type OverheadOffer, overheadOffer } from './overhead.ts';
import { TextField } from './TextField.tsx';

const RECORDED = 'Recorded overhead';

/** What is recorded apart from the messages, and what is not: typed in, or taken from what recorded usage says. */
export function OverheadLines({ beside }: { readonly beside: OverheadFigure }) {
  const { setOverhead } = useActions();
  const { info } = useUsage();
  const { system, tools, loaded, provenance } = beside;
  const calibration = useAppState((state) => state.projection.info?.calibration ?? null);
  const offer = overheadOffer(info?.overhead ?? null, beside, calibration);
  const figures = [
    { label: 'system prompt', tokens: system, title: RECORDED },
    { label: 'tools', tokens: tools, title: RECORDED },
    {
      label: 'tools loaded later',
      tokens: loaded?.tokens ?? 0,
      title: `Loaded by messages of this request: ${loaded?.names.join(', ')}`,
    },
  ].filter(({ tokens }) => tokens > 0);
  return (
    <div className="budget-reserves" data-testid="beside">
      <span className="mute" title="Fixed overhead: system prompt and tools, in every request under any policy">
        overhead
      </span>
      {figures.map(({ label, tokens, title }) => (
        <span key={label} className="beside-figure" title={title}>
          <span className="mono num">{formatTokens(tokens, provenance)}</span>
          <span className="mute">{label}</span>
        </span>
      ))}
      <span className="reserve" title="Tokens of every request that the transcript does not record">
        <TextField
          label="Not recorded (system prompt, tools)"
          testId="overhead"
          value={formatCount(beside.overhead)}
          width="calc(9ch + 14px)"
          read={parseTokens}
          onChange={setOverhead}
        />
        <span className="mute">not recorded</span>
      </span>
      {offer !== null && <Offer offer={offer} onUse={() => setOverhead(offer.tokens ?? 0)} />}
    </div>
  );
}

function Offer({ offer, onUse }: { readonly offer: OverheadOffer; readonly onUse: () => void }) {
  const { isUsed, text, title } = offer;
  if (isUsed) {
    return (
      <span className="mute num" data-testid="overhead-used" title={title}>
        {text}
      </span>
    );
  }
  return (
    <button type="button" className="link num" data-testid="overhead-use" title={title} onClick={onUse}>
      {text}
    </button>
  );
}
