import { ToggleGroup } from 'radix-ui';
import type { ParamChoice } from '../../../core/view/types.ts';
import { ChoiceList, describeChoice } from '../../ui/ChoiceList.tsx';
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
  if (room <= SEGMENTS_FIT) return <Segments {...props} choices={choices} />;
  const { param, value, id, helpId, onChange, onList } = props;
  return (
    <ChoiceList
      label={paramTitle(param)}
      value={String(value)}
      choices={choices}
      onChange={(next) => onChange(next, 'push')}
      align="end"
      id={id}
      helpId={helpId}
      {...(onList && { onList })}
    />
  );
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
          {describeChoice(choice.value)}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
