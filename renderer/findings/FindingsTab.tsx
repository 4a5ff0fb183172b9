import './findings.css';
import { type KeyboardEvent, useState } from 'react';
import type { FindingInfo, SessionFindings } from '../../core/protocol/types.ts';
import { formatCost } from '../cache/words.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatCount, formatTokens, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { FindingDetail } from './FindingDetail.tsx';
import { type FindingGroup, fetchedAgain, findingTitle, GROUP_TITLE, inGroup } from './words.ts';

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
  if (error !== null && error.code !== 'request.superseded')
    return <p className="drawer-note drawer-error">The session could not be looked through: {error.message}</p>;
  if (value === null) return <DrawerNote>The session is looked through in the background…</DrawerNote>;
  return <Findings key={id} found={value} />;
}

function Findings({ found }: { readonly found: SessionFindings }) {
  const [group, setGroup] = useState<FindingGroup>('all');
  const [chosen, choose] = useState(0);
  const shown = inGroup(found.findings, group);
  const at = Math.min(chosen, shown.length - 1);
  const finding = shown[at];
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
        {shown.length === 0 ? <Nothing found={found} /> : <List shown={shown} chosen={at} onChoose={choose} />}
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

interface ListProps {
  readonly shown: readonly FindingInfo[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 };

function List({ shown, chosen, onChoose }: ListProps) {
  const { goToMessage } = useActions();
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEP[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(shown.length - 1, chosen + step));
    onChoose(to);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')[to]?.focus();
  };
  return (
    <div role="listbox" aria-label="Findings" className="findings-list" onKeyDown={onKeyDown}>
      {shown.map((finding, at) => (
        <div
          key={`${finding.kind} ${finding.at} ${finding.evidence}`}
          role="option"
          aria-selected={at === chosen}
          tabIndex={at === chosen ? 0 : -1}
          className="finding-row"
          data-testid="finding"
          data-kind={finding.kind}
          data-at={finding.at}
          onClick={() => onChoose(at)}
          onDoubleClick={() => void goToMessage(finding.at)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void goToMessage(finding.at);
          }}
        >
          <span className="num mute">#{finding.at}</span>
          <span className="ellipsis">
            <b>{findingTitle(finding)}</b>{' '}
            <span className="mute">
              <Seen text={finding.evidence.replace(/\s+/g, ' ')} />
            </span>
          </span>
          <span className={finding.certainty === 'suspect' ? 'finding-suspect' : 'faint'}>{finding.certainty}</span>
          <span className="num">
            {finding.tokens === null
              ? '–'
              : formatTokens(finding.tokens, finding.certainty === 'recorded' ? 'recorded' : provenance)}
          </span>
          <span className="num">{finding.cost === null ? '–' : formatCost(finding.cost)}</span>
        </div>
      ))}
    </div>
  );
}
