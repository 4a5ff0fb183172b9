import { Popover } from 'radix-ui';
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';
import { useCombobox } from './useCombobox.ts';

type Data = { readonly [name: `data-${string}`]: string | boolean | undefined };

interface Props<Option> {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What can be taken for the text that is typed; each key once. */
  readonly options: readonly Option[];
  readonly optionKey: (option: Option) => string;
  /** What an option shows. */
  readonly children: (option: Option) => ReactNode;
  readonly onTake: (option: Option) => void;
  /** Enter with no option active: what is typed. Without it, such an Enter continues to what is around the field. */
  readonly onEnter?: () => void;
  /** A key that does what Enter does. */
  readonly alsoEnter?: string;
  /** Where the list is: a popover, below the field in the box around both, or always shown; then an option is always active. */
  readonly list: 'popover' | 'below' | 'shown';
  readonly listLabel: string;
  readonly listClass: string;
  readonly listTestId?: string;
  /** Attributes of an option; `aria-selected` for which are chosen, where several can be. */
  readonly optionProps: (option: Option, isActive: boolean) => ComponentProps<'div'> & Data;
  readonly opensOnFocus?: boolean;
  /** One option is all that is wanted. */
  readonly closesOnTake?: boolean;
  /** Runs when the list has opened or closed. */
  readonly onList?: ((isOpen: boolean) => void) | undefined;
  /** Attributes of the input; its `onKeyDown` comes before the combobox's. */
  readonly input: Omit<ComponentProps<'input'>, 'onChange' | 'onClick' | 'value'> & Data;
}

/**
 * A field with a list of what fits. The focus stays in the field: arrows move through the list, Enter takes, Escape closes
 * the list, or empties the field above one that is always shown (the rule: comboKeys.ts). The pointer does the same.
 */
export function Combobox<Option>(props: Props<Option>) {
  const { value, onChange, options, list, onTake, onEnter, onList, input } = props;
  const listId = useId();
  const optionId = (at: number) => `${listId}-${at}`;
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number | null>(null);
  const isShown = list === 'shown';
  const active = isShown ? Math.min(moved ?? 0, options.length - 1) : moved;
  const shows = (isShown || isOpen) && options.length > 0;
  useEffect(() => onList?.(shows), [onList, shows]);
  const close = () => {
    setOpen(false);
    setMoved(null);
  };
  const take = (at: number) => {
    const option = options[at];
    if (option === undefined) return;
    setMoved(null);
    if (props.closesOnTake) setOpen(false);
    onTake(option);
  };
  const combobox = useCombobox({
    list: isShown ? 'shown' : 'popup',
    isOpen: shows,
    count: options.length,
    active: options.length === 0 ? null : active,
    alwaysActive: isShown,
    clears: isShown,
    text: value,
    listId,
    optionId,
    onMove: (to) => {
      setOpen(true);
      setMoved(to);
    },
    onTake: take,
    onEnter,
    alsoEnter: props.alsoEnter,
    onClose: close,
    onClear: () => onChange(''),
  });
  const field = (
    <input
      {...input}
      {...combobox}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
        setOpen(true);
        setMoved(null);
      }}
      onFocus={(event) => {
        input.onFocus?.(event);
        if (props.opensOnFocus) setOpen(true);
      }}
      onClick={() => setOpen(true)}
      onBlur={(event) => {
        close();
        input.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        input.onKeyDown?.(event);
        combobox.onKeyDown?.(event);
      }}
    />
  );
  const shown = shows && (
    <OptionList {...props} listId={listId} optionId={optionId} active={active} onActive={setMoved} onPick={take} />
  );
  if (list !== 'popover') {
    return (
      <>
        {field}
        {shown}
      </>
    );
  }
  return (
    <Popover.Root open={shows} onOpenChange={setOpen}>
      <Popover.Anchor asChild>{field}</Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={`popover ${props.listClass}`}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          {shown}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ListProps<Option> extends Props<Option> {
  readonly listId: string;
  readonly optionId: (at: number) => string;
  readonly active: number | null;
  readonly onActive: (at: number) => void;
  readonly onPick: (at: number) => void;
}

function OptionList<Option>(props: ListProps<Option>) {
  const { options, optionKey, optionProps, active } = props;
  return (
    <div
      id={props.listId}
      role="listbox"
      aria-label={props.listLabel}
      className={props.list === 'popover' ? undefined : props.listClass}
      data-testid={props.listTestId}
    >
      {options.map((option, at) => (
        <div
          key={optionKey(option)}
          id={props.optionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          {...optionProps(option, at === active)}
          // The field keeps the focus, and with it the keys.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onPointerMove={() => props.onActive(at)}
          onClick={() => props.onPick(at)}
          onKeyDown={() => undefined}
        >
          {props.children(option)}
        </div>
      ))}
    </div>
  );
}
