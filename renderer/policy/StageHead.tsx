import { ChevronRight, GripVertical } from 'lucide-react';
import { Switch } from 'radix-ui';
import { useAppState } from '../state/context.tsx';
import { setEnabled } from '../state/editSpec.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { HelpTip } from './HelpTip.tsx';
import type { StageCardProps } from './StageCard.tsx';
import { StageMenu } from './StageMenu.tsx';
import { describeSaved } from './savedWords.ts';

interface Props extends StageCardProps {
  readonly isOpen: boolean;
  readonly bodyId: string;
  readonly onMove: (to: number) => void;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
}

/** A card's first line: grip and number, name, what it saves, menu, switch. Del removes the stage. */
export function StageHead({
  stage,
  at,
  count,
  info,
  isTried,
  isOpen,
  bodyId,
  drag,
  onMove,
  onToggle,
  onRemove,
}: Props) {
  const edit = usePolicyEdit();
  const title = info?.title ?? stage.kind;
  const help = info?.help ?? 'This kind of stage is not known here; it is kept as it is.';
  return (
    <div className="stage-head">
      <span className="stage-grip" draggable title="Drag to move, or Alt+↑ ↓" {...drag.handle(at)}>
        <GripVertical size={13} aria-hidden />
        <span className="num">{at + 1}</span>
      </span>
      <HelpTip
        title={title}
        help={help}
        // Past the grips, which are of this card and of the ones below it.
        offset={44}
        notes={[info ? `${info.family} · ${stage.kind}` : stage.kind, thinkingNote(info)]}
      >
        <button
          type="button"
          className="stage-toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          data-testid="stage-toggle"
          onClick={onToggle}
          onKeyDown={(event) => {
            if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
          }}
        >
          <h3 className="stage-title ellipsis">{title}</h3>
          <ChevronRight size={13} aria-hidden />
        </button>
      </HelpTip>
      {isTried && (
        <span
          className="chip stage-trying"
          title="The change that is tried is made here; it is not kept yet"
          data-testid="stage-trying"
        >
          trying
        </span>
      )}
      <span className="stage-side">
        <Saved at={at} kind={stage.kind} />
        <StageMenu at={at} count={count} kind={stage.kind} title={title} params={info?.params ?? []} move={onMove} />
      </span>
      <Switch.Root
        className="switch"
        checked={stage.enabled ?? true}
        aria-label={`Stage ${at + 1}, ${title}: on`}
        data-testid="stage-switch"
        onCheckedChange={(checked) => edit((spec) => setEnabled(spec, at, checked))}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  );
}

// Said before it runs: what it does to thinking that is sent back.
function thinkingNote(info: StageCardProps['info']): string | null {
  return info === null ? null : KEEPS[info.keepsThinking];
}

const KEEPS = {
  no: 'invalidates later thinking blocks on models that check',
  provider: 'keeps thinking blocks valid: the provider edits on its side',
  recorded: null,
  yes: null,
} as const;

function Saved({ at, kind }: { readonly at: number; readonly kind: string }) {
  const words = useAppState((state) => describeSaved(state.projection.info, at, kind));
  if (words === null) return null;
  return (
    <span className="stage-saved num" title="Tokens that this stage takes from the request" data-testid="stage-saved">
      {words}
    </span>
  );
}
