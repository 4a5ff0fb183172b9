import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { OWN_TARGET } from '../state/initial.ts';
import type { LintTarget } from '../state/types.ts';
import { Seen } from '../ui/Seen.tsx';
import { sameTarget, TARGETS, targetTitle } from './target.ts';

/** For whom the lint looks: the transcript's own provider, a known one, or provider, API and model as typed. */
export function TargetMenu({ how }: { readonly how: string | null }) {
  const target = useAppState((state) => state.lintTarget);
  const { setLintTarget } = useActions();
  const [isOpen, setOpen] = useState(false);
  const choose = (next: LintTarget) => {
    setLintTarget(next);
    setOpen(false);
  };
  const own = sameTarget(target, OWN_TARGET) && how !== null ? how : 'as recorded, else by the shape of the messages';
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="preset-button" data-testid="lint-target">
        <span className="ellipsis">{targetTitle(target)}</span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover lint-targets" align="start" sideOffset={4} collisionPadding={8}>
          <ul aria-label="Providers">
            <TargetLine title={targetTitle(OWN_TARGET)} note={own} target={OWN_TARGET} onChoose={choose} />
            {TARGETS.map(({ title, target: one }) => (
              <TargetLine key={title} title={title} note={noteOf(one)} target={one} onChoose={choose} />
            ))}
          </ul>
          <OtherTarget key={JSON.stringify(target)} target={target} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function noteOf({ provider, api, model }: LintTarget): string {
  return [provider, api, model].filter((word) => word !== '').join(' · ');
}

interface LineProps {
  readonly title: string;
  readonly note: string;
  readonly target: LintTarget;
  readonly onChoose: (target: LintTarget) => void;
}

function TargetLine({ title, note, target, onChoose }: LineProps) {
  const isChosen = sameTarget(
    useAppState((state) => state.lintTarget),
    target,
  );
  return (
    <li>
      <button type="button" className="lint-target" aria-pressed={isChosen} onClick={() => onChoose(target)}>
        <b>
          <Seen text={title} /> {isChosen && <Check size={13} aria-hidden />}
        </b>
        <span className="mute mono ellipsis">
          <Seen text={note} />
        </span>
      </button>
    </li>
  );
}

const FIELDS = [
  { name: 'provider', label: 'Provider', example: 'anthropic' },
  { name: 'api', label: 'API', example: 'anthropic-messages' },
  { name: 'model', label: 'Model', example: 'the transcript’s' },
] as const;

function OtherTarget({ target, onChoose }: Pick<LineProps, 'target' | 'onChoose'>) {
  const ownModel = useAppState((state) => state.session.info?.model ?? null);
  const [draft, setDraft] = useState(target);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose({ provider: draft.provider.trim(), api: draft.api.trim(), model: draft.model.trim() });
  };
  return (
    <form className="lint-other" onSubmit={submit} aria-label="Another target">
      {FIELDS.map(({ name, label, example }) => (
        <label key={name}>
          <span className="mute">{label}</span>
          <input
            className="field mono"
            value={draft[name]}
            placeholder={name === 'model' && ownModel !== null ? ownModel : example}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          />
        </label>
      ))}
      <button type="submit" className="button" disabled={sameTarget(draft, target)}>
        Lint for this
      </button>
    </form>
  );
}
