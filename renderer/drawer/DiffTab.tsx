import { useMemo, useState } from 'react';
import { DiffView } from '../monaco/DiffView.tsx';
import { useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { FATE_GLYPH, fateColor } from '../ui/fate.ts';
import { DIFF_LAYOUTS, type DiffLayout } from '../ui/layouts.ts';
import { prettyJson } from '../ui/prettyJson.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { NoDetail } from './NoDetail.tsx';
import { describeDiff, describeSentIn, fateHead, fateReason, wholeSize } from './words.ts';

/** What the transcript has and what is in the request, compared. */
export function DiffTab() {
  const { detail, synthetic, showUncut } = useDetail();
  const isNarrow = useAppState((state) => state.ui.narrow);
  const [layout, setLayout] = useState<DiffLayout>(isNarrow ? 'inline' : 'side');
  const before = useMemo(() => prettyJson(detail?.rawJson ?? ''), [detail?.rawJson]);
  const after = useMemo(() => prettyJson(detail?.projectedJson ?? ''), [detail?.projectedJson]);
  if (synthetic) {
    return (
      <div className="diff-words">
        <p>
          <span style={{ color: fateColor('synthetic') }}>{FATE_GLYPH.synthetic}</span> Nobody wrote this message: stage{' '}
          {synthetic.stage + 1}, {synthetic.stageTitle}, put it in. There is no raw side.
        </p>
      </div>
    );
  }
  if (!detail) return <NoDetail empty="Select a message to compare it with what the policy makes of it." />;
  const words = describeDiff(detail);
  if (words !== null) {
    return (
      <div className="diff-words">
        <p>
          <span style={{ color: fateColor(detail.fate.kind) }}>{FATE_GLYPH[detail.fate.kind]}</span> {words}
        </p>
      </div>
    );
  }
  return (
    <div className="drawer-editor">
      <div className="drawer-bar">
        <Segmented label="Layout" value={layout} onChange={setLayout} options={DIFF_LAYOUTS} />
        <span className="grow mute ellipsis">
          {describeSentIn(detail)} {fateHead(detail.fate)} — {fateReason(detail.fate)}
        </span>
        {detail.truncated && (
          <button type="button" className="button" onClick={showUncut}>
            Cut: show all ({wholeSize(detail.rawChars)})
          </button>
        )}
      </div>
      <DiffView before={before} after={after} sideBySide={layout === 'side'} label={`Message ${detail.index}`} />
    </div>
  );
}
