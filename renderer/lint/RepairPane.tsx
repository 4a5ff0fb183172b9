import { ArrowUpRight, Check, LoaderCircle, Wrench } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { LintFindingInfo, LintInfo } from '../../core/protocol/types.ts';
import { DiffView } from '../monaco/DiffView.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import type { DiffLayout } from '../ui/layouts.ts';
import { Seen } from '../ui/Seen.tsx';
import { AdviceList } from './AdviceList.tsx';
import { applyProfile, applyRule } from './applyRepair.ts';
import type { FindingGroup } from './groups.ts';
import { chosenFinding, type RepairChoice } from './repairChoice.ts';
import { describeFinding, describeOutcome, repairTexts } from './repairText.ts';
import { useRepair } from './useLint.ts';

interface Props {
  readonly info: LintInfo;
  readonly groups: readonly FindingGroup[];
  readonly choice: RepairChoice;
  readonly layout: DiffLayout;
}

/** How the two texts stand to each other. */
interface Shown {
  readonly wire: string;
  readonly layout: DiffLayout;
}

/** The proposed repair as a diff, and the button that puts it into the policy. */
export function RepairPane({ info, groups, choice, layout }: Props) {
  const finding = chosenFinding(choice, groups);
  const shown = { wire: info.wire, layout };
  if (finding !== null) return <OneRepair finding={finding} {...shown} />;
  return <WholeRepair info={info} choice={choice} {...shown} />;
}

/** One finding: what is objected to, and the repair of this message. */
function OneRepair({ finding, wire, layout }: { readonly finding: LintFindingInfo } & Shown) {
  const { text, code, index, before, after, repair, repairTitle, done, cut, advice } = finding;
  const texts = useMemo(() => repairTexts([{ before, after, cut }]), [before, after, cut]);
  const unmended = advice.length === 0 ? 'No automatic fix.' : 'Fixed in the policy, or by what the request asks.';
  const words = repair === null ? unmended : `${repairTitle}: ${done ?? 'nothing to change here'}.`;
  return (
    <div className="lint-repair" data-testid="lint-repair">
      <PaneHead title={describeFinding(text, wire)} code={code} index={index} words={words}>
        {repair !== null && <ApplyRule rule={repair} title={repairTitle ?? repair} />}
      </PaneHead>
      {repair === null && advice.length === 0 && (
        <p className="lint-words">
          <Seen text={describeFinding(text, wire)} />
        </p>
      )}
      {advice.length > 0 && <AdviceList text={text} advice={advice} />}
      {done !== null && <DiffView {...texts} sideBySide={layout === 'side'} label={`Repair of #${index ?? 'new'}`} />}
    </div>
  );
}

/** A rule, or the whole profile: all messages it would touch. */
function WholeRepair({ info, choice, layout }: { readonly info: LintInfo; readonly choice: RepairChoice } & Shown) {
  const rule = choice.kind === 'rule' ? choice.rule : null;
  const { value, isLoading, error } = useRepair(rule);
  const known = info.repairs.find((one) => one.rule === rule);
  const title = rule === null ? 'The whole profile' : (known?.title ?? rule);
  const texts = useMemo(() => repairTexts(value?.changes ?? []), [value]);
  return (
    <div className="lint-repair" data-testid="lint-repair">
      <PaneHead title={title} code={null} index={null} words={value ? describeOutcome(value, known?.help) : ''}>
        {rule === null ? <ApplyProfile /> : <ApplyRule rule={rule} title={title} />}
      </PaneHead>
      {error && <p className="lint-words drawer-error">The repair could not be computed: {error.message}</p>}
      {value === null && isLoading && (
        <p className="lint-words mute">
          <LoaderCircle size={13} className="spin" aria-hidden /> Computing the repair…
        </p>
      )}
      {value && value.total > 0 && <DiffView {...texts} sideBySide={layout === 'side'} label={`Repair: ${title}`} />}
    </div>
  );
}

interface HeadProps {
  readonly title: string;
  readonly code: string | null;
  readonly index: number | null;
  readonly words: string;
  readonly children: ReactNode;
}

function PaneHead({ title, code, index, words, children }: HeadProps) {
  const { goToMessage } = useActions();
  return (
    <div className="lint-head">
      <div className="grow" title={code === null ? words : `${title} (${code}). ${words}`}>
        <p className="ellipsis">
          <b>
            <Seen text={title} />
          </b>
        </p>
        <p className="ellipsis mute">{words}</p>
      </div>
      {index !== null && (
        <button type="button" className="button lint-go" onClick={() => void goToMessage(index)}>
          #{index} <ArrowUpRight size={13} aria-hidden />
        </button>
      )}
      {children}
    </div>
  );
}

function ApplyRule({ rule, title }: { readonly rule: string; readonly title: string }) {
  const edit = usePolicyEdit();
  const target = useAppState((state) => state.lintTarget);
  return (
    <button
      type="button"
      className="button button-primary lint-apply"
      data-testid="lint-apply"
      title={`Adds the rule to the policy’s hygiene stage, or a stage that runs it alone: ${title}`}
      onClick={() => edit((spec) => applyRule(spec, rule, target))}
    >
      <Wrench size={13} aria-hidden /> Apply rule
    </button>
  );
}

function ApplyProfile() {
  const edit = usePolicyEdit();
  const target = useAppState((state) => state.lintTarget);
  return (
    <button
      type="button"
      className="button button-primary lint-apply"
      data-testid="lint-apply-profile"
      title="Puts a hygiene stage with the whole profile at the end of the policy"
      onClick={() => edit((spec) => applyProfile(spec, target))}
    >
      <Check size={13} aria-hidden /> Apply profile
    </button>
  );
}
