import { ChevronRight, CircleAlert, CircleCheck, TriangleAlert, Wrench } from 'lucide-react';
import { useState } from 'react';
import type { WireInfo } from '../../core/protocol/wireTypes.ts';
import { applyProfile } from '../lint/applyRepair.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import {
  describeLint,
  findingGroups,
  lintTargetOf,
  lossGroups,
  type NoteGroupInfo,
  type NoteLineInfo,
} from './wireText.ts';

interface Props {
  readonly info: WireInfo;
  readonly onClose: () => void;
}

/** Beside the body: what was chosen, what the provider would refuse, what is not carried as it was. */
export function WireNotes({ info, onClose }: Props) {
  const { goToMessage } = useActions();
  const go = (index: number | null) => {
    if (index === null) return;
    onClose();
    void goToMessage(index);
  };
  return (
    <div className="wire-notes" data-testid="wire-notes">
      <Chosen info={info} />
      <Refused info={info} onGo={go} />
      <Losses info={info} onGo={go} />
    </div>
  );
}

const STRICT = {
  field: 'strict',
  value: 'yes',
  why: 'the policy ends with provider hygiene: fields that the provider’s types do not know are left out',
};

function Chosen({ info }: { readonly info: WireInfo }) {
  const chosen = info.strict ? [...info.chosen, STRICT] : info.chosen;
  if (chosen.length === 0) return null;
  return (
    <>
      <h3 className="group-title">Defaults filled in</h3>
      {chosen.map(({ field, value, why }) => (
        <p key={field} className="wire-chosen">
          <b className="mono">
            {field}: {value}
          </b>
          <span className="mute">{why}</span>
        </p>
      ))}
    </>
  );
}

interface Going {
  readonly info: WireInfo;
  readonly onGo: (index: number | null) => void;
}

function Refused({ info, onGo }: Going) {
  const { setSpec } = useActions();
  const spec = useAppState((state) => state.projection.spec);
  const { error, warning } = info.findingCounts;
  const repair = () => setSpec(applyProfile(spec, lintTargetOf(info.target)));
  const Icon = error > 0 ? CircleAlert : warning > 0 ? TriangleAlert : CircleCheck;
  const tone = error > 0 ? 'tone-bad' : warning > 0 ? 'faint' : 'tone-good';
  return (
    <>
      <h3 className="group-title">{info.title} check</h3>
      <p className="wire-state" data-testid="wire-lint" data-errors={error}>
        <Icon size={14} className={tone} aria-hidden />
        <span className="grow">{describeLint(info)}</span>
        {error > 0 && !info.strict && (
          <button type="button" className="button" data-testid="wire-repair" onClick={repair}>
            <Wrench size={12} aria-hidden /> Repair
          </button>
        )}
      </p>
      {findingGroups(info).map((group) => (
        <NoteGroup key={group.key} group={group} onGo={onGo} />
      ))}
    </>
  );
}

function Losses({ info, onGo }: Going) {
  const groups = lossGroups(info);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <h3 className="group-title" data-testid="wire-losses" data-count={total}>
        {total === 0 ? 'Changes and omissions' : `${formatCount(total)} changes or omissions`}
      </h3>
      {total === 0 && (
        <p className="wire-state">
          <CircleCheck size={14} className="tone-good" aria-hidden />
          <span className="grow">none: everything is sent as recorded</span>
        </p>
      )}
      {groups.map((group) => (
        <NoteGroup key={group.key} group={group} onGo={onGo} />
      ))}
    </>
  );
}

function NoteGroup({ group, onGo }: Pick<Going, 'onGo'> & { readonly group: NoteGroupInfo }) {
  const [isOpen, setOpen] = useState(false);
  const { title, count, lines } = group;
  return (
    <>
      <button type="button" className="wire-line" aria-expanded={isOpen} title={title} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={12} className="wire-chevron faint" data-open={isOpen} aria-hidden />
        <span className="grow ellipsis">
          <Seen text={title} />
        </span>
        <span className="num faint">{formatCount(count)}</span>
      </button>
      {isOpen && lines.map((line) => <NoteLine key={line.key} line={line} onGo={onGo} />)}
      {isOpen && lines.length < count && (
        <p className="wire-more faint">and {formatCount(count - lines.length)} more that are not listed</p>
      )}
    </>
  );
}

function NoteLine({ line, onGo }: Pick<Going, 'onGo'> & { readonly line: NoteLineInfo }) {
  const { index, place, text } = line;
  return (
    <button
      type="button"
      className="wire-line wire-note-line"
      data-testid="wire-note"
      disabled={index === null}
      title={`${place} ${text}`.trim()}
      onClick={() => onGo(index)}
    >
      <span className="wire-place mono ellipsis">
        <Seen text={place} />
      </span>
      <span className="grow mute ellipsis">
        <Seen text={text} />
      </span>
    </button>
  );
}
