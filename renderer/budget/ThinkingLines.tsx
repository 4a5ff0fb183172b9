import { PRESERVED_THINKING, type PreservedThinkingMode } from '../../core/projection/binding/modes.ts';
import { HelpTip } from '../policy/HelpTip.tsx';
import { isConcerned } from '../policy/thinkingEffect.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { setThinking } from '../state/editBudget.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { ChoiceList } from '../ui/ChoiceList.tsx';
import { TextField } from './TextField.tsx';
import { thinkingState } from './thinkingState.ts';

const HELP =
  'Newer Claude models check each signed thinking block against the conversation it was made in. If a policy edits what comes before a block, the request fails or the block is dropped, as the request asks.';

/** How requests ask to treat thinking of other conversations, for which model, and what becomes of it at this call point. */
export function ThinkingLines() {
  const edit = usePolicyEdit();
  const own = useAppState((state) => state.session.info?.model ?? '');
  const setting = useAppState((state) => state.projection.spec.preserved_thinking);
  const thinking = useAppState((state) => state.projection.info?.thinking ?? null);
  if (!isConcerned(own, setting, thinking)) return null;
  return (
    <>
      <div className="budget-reserves budget-thinking" data-testid="thinking">
        <HelpTip title="Preserved thinking" help={HELP}>
          <span className="mute">thinking</span>
        </HelpTip>
        <ModeList mode={setting?.mode ?? 'auto'} onChange={(mode) => edit((spec) => setThinking(spec, { mode }))} />
        <span className="reserve" title="The model that requests go to. Empty: the transcript’s own.">
          <span className="mute">read by</span>
          <TextField
            label="Model that requests go to"
            testId="thinking-model"
            value={setting?.model ?? ''}
            placeholder={own}
            width={`calc(${Math.max(17, (setting?.model ?? own).length)}ch + 14px)`}
            read={(text) => text.trim()}
            onChange={(model) => edit((spec) => setThinking(spec, { model }))}
          />
        </span>
        <span
          className="reserve"
          title="The day the account with the provider was created. Accounts created from 2026-08-31 on are checked."
        >
          <span className="mute">account of</span>
          <TextField
            label="Day the account was made"
            testId="thinking-account"
            value={setting?.account_created ?? ''}
            placeholder="not known"
            width="calc(10ch + 14px)"
            read={readDay}
            onChange={(account_created) => edit((spec) => setThinking(spec, { account_created }))}
          />
        </span>
      </div>
      {thinking !== null && <StateLine />}
    </>
  );
}

function StateLine() {
  const { goToMessage } = useActions();
  const thinking = useAppState((state) => state.projection.info?.thinking ?? null);
  if (thinking === null) return null;
  const { text, tone, title, index } = thinkingState(thinking);
  return (
    <p className={`budget-state tone-${tone}`} data-testid="thinking-state" title={title}>
      {text}
      {index !== null && (
        <>
          {' First: '}
          <button type="button" className="link num" onClick={() => void goToMessage(index)}>
            #{index}
          </button>
          .
        </>
      )}
    </p>
  );
}

// An empty text takes the day back.
function readDay(text: string): string | null {
  const day = text.trim();
  return day === '' || (/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))) ? day : null;
}

interface ModeProps {
  readonly mode: PreservedThinkingMode;
  readonly onChange: (mode: PreservedThinkingMode) => void;
}

function ModeList({ mode, onChange }: ModeProps) {
  return (
    <ChoiceList
      label="Thinking of other conversations"
      value={mode}
      choices={PRESERVED_THINKING}
      onChange={(next) => choose(next, onChange)}
      align="start"
      testId="thinking-mode"
    />
  );
}

function choose(value: string, onChange: ModeProps['onChange']): void {
  const known = PRESERVED_THINKING.find((each) => each.value === value);
  if (known !== undefined) onChange(known.value);
}
