import { Check, ChevronDown } from 'lucide-react';
import { Select, ToggleGroup } from 'radix-ui';
import type { ParamChoice } from '../../../core/view/types.ts';
import { paramTitle } from '../paramLabel.ts';
import type { ParamProps } from './types.ts';

/** Room for choices side by side in the narrowest panel, of a character, and of a segment's edges. Unit: px. */
const SEGMENTS_FIT = 138;
const CHARACTER = 6.3;
const EDGES = 18;

/** One of a few: side by side where they fit, else a list with what each means. */
export function ChoiceParam(props: ParamProps) {
  const choices = props.param.choices ?? [];
  const room = choices.reduce((sum, { value }) => sum + value.length * CHARACTER + EDGES, 0);
  return room <= SEGMENTS_FIT ? <Segments {...props} choices={choices} /> : <ChoiceList {...props} choices={choices} />;
}

type Props = ParamProps & { readonly choices: readonly ParamChoice[] };

function Segments({ param, value, id, helpId, onChange, choices }: Props) {
  return (
    <ToggleGroup.Root
      id={id}
      type="single"
      className="choice-segments"
      aria-label={paramTitle(param)}
      aria-describedby={helpId}
      value={String(value)}
      onValueChange={(next) => next !== '' && onChange(next, 'push')}
    >
      {choices.map((choice) => (
        <ToggleGroup.Item key={choice.value} value={choice.value} className="choice-segment" title={choice.help}>
          {wordsOf(choice.value)}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

function ChoiceList({ param, value, id, helpId, onChange, onList, choices }: Props) {
  return (
    <Select.Root
      value={String(value)}
      onValueChange={(next) => onChange(next, 'push')}
      {...(onList && { onOpenChange: onList })}
    >
      <Select.Trigger id={id} className="field choice-button" aria-label={paramTitle(param)} aria-describedby={helpId}>
        <span className="ellipsis">
          <Select.Value>{wordsOf(String(value))}</Select.Value>
        </span>
        <ChevronDown size={13} aria-hidden />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          className="popover choice-list"
          position="popper"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <Select.Viewport>
            {choices.map((choice) => (
              <Select.Item key={choice.value} value={choice.value} className="choice-item">
                <Select.ItemText>{wordsOf(choice.value)}</Select.ItemText>
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

function wordsOf(value: string): string {
  return value.replaceAll('_', ' ');
}
