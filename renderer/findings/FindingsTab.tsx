import './findings.css';
import { useState } from 'react';
import type { SessionFindings } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useLookedThrough } from '../state/useLookedThrough.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatCost, formatCount, formatTokens, plural } from '../ui/format.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { FindingDetail } from './FindingDetail.tsx';
import { FindingList } from './FindingList.tsx';
import { ReportBar } from './ReportBar.tsx';
import { StatedFindings } from './StatedFindings.tsx';
import { useTicked } from './useTicked.ts';
import { type FindingGroup, fetchedAgain, GROUP_TITLE, inGroup } from './words.ts';

const WAIT_MS = 200;

/** What the session forgot and fetched again, broke, pointed to in vain or lost, dearest first. */
export function FindingsTab() {
  const id = useAppState((state) => state.session.id);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const spec = useProjectedSpec();
  const isAsked = id !== null && spec !== null;
  const { value, error } = useAnswer('findings.session', isAsked ? { id, spec } : null, {
    wait: WAIT_MS,
    about: id,
    again: [messages, isFinal],
  });
  const looked = useLookedThrough(value === null && error === null);
  if (error !== null)
    return <p className="drawer-note drawer-error">The session could not be looked through: {error.message}</p>;
  if (value === null) {
    return (
      <DrawerNote>
        The session is looked through in the background… <span className="num">{looked}</span>
      </DrawerNote>
    );
  }
  return <Findings key={id} found={value} />;
}

function Findings({ found }: { readonly found: SessionFindings }) {
  const [group, setGroup] = useState<FindingGroup>('all');
  const [chosen, choose] = useState(0);
  const shown = inGroup(found.findings, group);
  const at = Math.min(chosen, shown.length - 1);
  const finding = shown[at];
  const ticks = useTicked(found.findings);
  return (
    <div className="findings" data-testid="findings">
      <div className="findings-main">
        <Head
          found={found}
          group={group}
          onGroup={(next) => {
            setGroup(next);
            choose(0);
          }}
        />
        {shown.length === 0 ? (
          <Nothing found={found} />
        ) : (
          <FindingList shown={shown} chosen={at} onChoose={choose} ticks={ticks} />
        )}
        <StatedFindings />
        <ReportBar ticked={ticks.ticked} />
      </div>
      {finding !== undefined && <FindingDetail key={`${finding.kind} ${finding.at}`} finding={finding} />}
    </div>
  );
}

interface HeadProps {
  readonly found: SessionFindings;
  readonly group: FindingGroup;
  readonly onGroup: (group: FindingGroup) => void;
}

function Head({ found: { findings, looksAtCache }, group, onGroup }: HeadProps) {
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const under = useSentWords()?.under ?? '';
  const again = fetchedAgain(findings);
  const groups = (['all', 'forgotten', 'cache', 'other'] as const).map((value) => {
    const count = inGroup(findings, value).length;
    return { value, title: count === 0 ? GROUP_TITLE[value] : `${GROUP_TITLE[value]} ${formatCount(count)}` };
  });
  return (
    <header className="findings-head">
      <p data-testid="findings-sum">
        <b>{plural(findings.length, 'finding')}</b>
        {under !== '' && <span className="mute"> {under}</span>}
        {again.tokens > 0 && (
          <span className="mute num">
            {' · fetched again '}
            {formatTokens(again.tokens, provenance)} tok
            {again.cost !== null && `, ${provenance === 'exact' ? '' : 'about '}${formatCost(again.cost)}`}
          </span>
        )}
        {!looksAtCache && (
          <span className="faint"> · the cache is not looked at: no recorded usage of these requests</span>
        )}
      </p>
      <Segmented label="Kinds of findings" value={group} options={groups} onChange={onGroup} />
    </header>
  );
}

function Nothing({ found }: { readonly found: SessionFindings }) {
  if (found.findings.length > 0) return <DrawerNote>No finding of this kind.</DrawerNote>;
  return (
    <DrawerNote>
      No findings in this session. Looked for: forgotten and fetched again, rules, dangling references, double starts,
      {found.looksAtCache ? ' cache,' : ''} refusals.
    </DrawerNote>
  );
}
