import './compactions.css';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { SessionAutopsies } from '../../core/protocol/autopsyTypes.ts';
import { Scrubber } from '../scrubber/Scrubber.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useWork } from '../state/useWork.ts';
import { AfterPanel } from './AfterPanel.tsx';
import { CompactionHead } from './CompactionHead.tsx';
import { LostTable } from './LostTable.tsx';
import { Nothing } from './Nothing.tsx';
import { RepeatedWork } from './RepeatedWork.tsx';
import { SurvivalBars } from './SurvivalBars.tsx';
import type { LostFilter } from './useLost.ts';
import { compactionAt, compactionOver, verdict } from './words.ts';

/** What each compaction of the session lost, and what came behind it. */
export function CompactionsMode() {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const asked = id === null || spec === null ? null : { id, spec };
  const { value, error, isLoading } = useAnswer('autopsy.session', asked, { about: id, again: [messages, isFinal] });
  useWork(isLoading ? 'looking at compactions' : null);
  return (
    <div className="compactions" data-testid="compactions">
      <Scrubber />
      {error !== null ? (
        <p className="compactions-note drawer-error" role="alert">
          The compactions could not be analysed: {error.message}
        </p>
      ) : value === null ? (
        <p className="compactions-note faint" role="status">
          Looking at what each compaction left, and what was used later…
        </p>
      ) : value.compactions.length === 0 ? (
        <Nothing />
      ) : (
        asked !== null && <Shown key={id} found={value} asked={asked} />
      )}
    </div>
  );
}

interface ShownProps {
  readonly found: SessionAutopsies;
  readonly asked: { readonly id: string; readonly spec: unknown };
}

function Shown({ found: { compactions, more, provenance }, asked }: ShownProps) {
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { setAt } = useActions();
  const [filter, setFilter] = useState<LostFilter>({ class: null, used: true });
  const wanted = useAppState((state) => state.compactionOf);
  const { showCompactionOf } = useActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once
  useEffect(() => {
    if (wanted === null) return;
    showCompactionOf(null);
    const covering = compactionOver(compactions, wanted);
    if (covering !== undefined) setAt(covering.at >= messages ? null : covering.at);
  }, [wanted]);
  // The one in effect at the call point: the chart chooses too.
  const shown = compactionAt(compactions, at);
  const info = compactions[shown];
  if (info === undefined) return null;
  const goTo = (index: number): void => {
    const to = compactions[Math.max(0, Math.min(compactions.length - 1, index))];
    if (to !== undefined) setAt(to.at >= messages ? null : to.at);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { '[': -1, ']': 1 }[event.key];
    if (step === undefined) return;
    goTo(shown + step);
    event.preventDefault();
    event.stopPropagation();
  };
  const { head, rest } = verdict(info);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys from anywhere within
    <div className="compactions-shown" onKeyDown={onKeyDown}>
      <CompactionHead info={info} shown={shown} total={compactions.length} more={more} onGo={goTo} />
      <p className="compactions-verdict" data-testid="compaction-verdict">
        <b>{head}</b> <span className="mute">{rest}</span>
      </p>
      <div className="compactions-columns">
        <div className="compactions-main">
          <LostTable info={info} asked={asked} filter={filter} onFilter={setFilter} />
          <RepeatedWork info={info} provenance={provenance} />
        </div>
        <div className="compactions-side">
          <SurvivalBars info={info} filter={filter} onFilter={setFilter} />
          <AfterPanel info={info} provenance={provenance} />
        </div>
      </div>
    </div>
  );
}
