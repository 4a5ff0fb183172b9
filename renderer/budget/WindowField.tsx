import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { parseTokens } from '../state/editBudget.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { chosenModel } from './figures.ts';

/** The context window: typed, or that of a model. */
export function WindowField({ window }: { readonly window: number | null }) {
  const { setWindow } = useActions();
  const own = useAppState((state) => state.session.info?.window ?? null);
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const value = draft === null ? null : readWindow(draft);
    if (draft !== null && draft.trim() === '') setWindow(null);
    // The model's own is not the person's.
    else if (value !== null && value !== window) setWindow(value === own ? null : value);
    setDraft(null);
  };
  return (
    <span className="window-field">
      <input
        className="field field-window mono num"
        aria-label="Context window in tokens"
        data-testid="window"
        inputMode="numeric"
        autoComplete="off"
        placeholder="set"
        title="Context window in tokens. Empty: as the transcript records it, else by its model."
        aria-invalid={draft !== null && draft.trim() !== '' && readWindow(draft) === null}
        value={draft ?? (window === null ? '' : formatCount(window))}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setDraft(null);
        }}
      />
      <ModelMenu window={window} />
    </span>
  );
}

/** `200k`, `200,000`; null = it is not a window. */
function readWindow(text: string): number | null {
  const tokens = parseTokens(text);
  return tokens === 0 ? null : tokens;
}

function ModelMenu({ window }: { readonly window: number | null }) {
  const { setWindow, setTokenizer } = useActions();
  const models = useAppState((state) => state.describe?.models ?? []);
  const info = useAppState((state) => state.session.info);
  const tokenizer = useAppState((state) => state.projection.tokenizer);
  const isOwn = useAppState((state) => state.projection.window === null && state.projection.tokenizer === null);
  const chosen = isOwn ? null : chosenModel(models, window, tokenizer ?? info?.tokenizer ?? '', info?.model ?? null);
  const own = info?.model ?? null;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="icon-button"
        aria-label="Window and tokenizer of a model"
        data-testid="model-menu"
      >
        <ChevronDown size={13} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu menu-wide" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Item
            className="menu-item menu-item-two"
            onSelect={() => {
              setWindow(null);
              setTokenizer(null);
            }}
          >
            <b>As recorded {isOwn && <Check size={13} aria-label="chosen" />}</b>
            <span className="mute">
              {own === null ? 'No model recorded.' : <Seen text={own} />}
              {own !== null && info?.window === null && ' – its window is not known'}
              {info?.isWindowRecorded === true && ` Window ${formatCount(info.window ?? 0)}, as recorded.`}
            </span>
          </DropdownMenu.Item>
          <DropdownMenu.Label className="menu-label">Models</DropdownMenu.Label>
          {models.length === 0 && <p className="menu-note">The list of models is not loaded.</p>}
          {models.map((model) => (
            <DropdownMenu.Item
              key={model.id}
              className="menu-item menu-model"
              onSelect={() => {
                setWindow(model.window === info?.window ? null : model.window);
                setTokenizer(model.tokenizer);
              }}
            >
              <span className="grow ellipsis">
                {model.title} {model === chosen && <Check size={13} aria-label="chosen" />}
              </span>
              <span className="mute num">
                {formatCount(model.window)} · {model.exact ? 'exact' : 'estimated'}
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
