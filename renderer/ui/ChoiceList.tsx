import { Check, ChevronDown } from 'lucide-react';
import { Select } from 'radix-ui';
import type { ParamChoice } from '../../core/view/types.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly ParamChoice[];
  readonly onChange: (value: string) => void;
  readonly align: 'start' | 'end';
  readonly id?: string;
  readonly helpId?: string;
  readonly testId?: string;
  /** Called when the list opens and closes. */
  readonly onList?: (isOpen: boolean) => void;
}

/** One of a few from a list, each with what it means. */
export function ChoiceList({ label, value, choices, onChange, align, id, helpId, testId, onList }: Props) {
  return (
    <Select.Root value={value} onValueChange={onChange} {...(onList && { onOpenChange: onList })}>
      <Select.Trigger
        id={id}
        className="field choice-button"
        aria-label={label}
        aria-describedby={helpId}
        data-testid={testId}
      >
        <span className="ellipsis">
          <Select.Value>{describeChoice(value)}</Select.Value>
        </span>
        <ChevronDown size={13} aria-hidden />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          className="popover choice-list"
          position="popper"
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          <Select.Viewport>
            {choices.map((choice) => (
              <Select.Item key={choice.value} value={choice.value} className="choice-item">
                <Select.ItemText>{describeChoice(choice.value)}</Select.ItemText>
                <Select.ItemIndicator className="choice-check">
                  <Check size={13} aria-hidden />
                </Select.ItemIndicator>
                {choice.help !== '' && <span className="choice-help">{choice.help}</span>}
              </Select.Item>
            ))}
          </Select.Viewport>
        </Select.Content>
      </Select.Portal>
    </Select.Root>
  );
}

/** A value of a spec in words: `use_existing` as `use existing`. */
export function describeChoice(value: string): string {
  return value.replaceAll('_', ' ');
}
