import { Switch } from 'radix-ui';
import { useGesture } from '../../state/usePolicyEdit.ts';
import { ChoiceParam } from './ChoiceParam.tsx';
import { CodeParam } from './CodeParam.tsx';
import { IntegerParam } from './IntegerParam.tsx';
import { ListParam } from './ListParam.tsx';
import { NumberParam } from './NumberParam.tsx';
import { RulesParam } from './RulesParam.tsx';
import type { ParamLineType, ParamProps } from './types.ts';

interface Props extends ParamProps {
  /** Position of the stage. */
  readonly stageAt: number;
  /** Draws the options of a rule. */
  readonly Line: ParamLineType;
}

/** The control of an option, by its type. */
export function ParamField({ stageAt, Line, ...props }: Props) {
  switch (props.param.type) {
    case 'integer':
      return <IntegerParam {...props} />;
    case 'number':
      return <NumberParam {...props} />;
    case 'boolean':
      return <BooleanParam {...props} />;
    case 'choice':
      return <ChoiceParam {...props} />;
    case 'list':
      return <ListParam {...props} />;
    case 'rules':
      return <RulesParam {...props} stageAt={stageAt} Line={Line} />;
    case 'string':
    case 'text':
      return <TextParam {...props} />;
    case 'code':
      return <CodeParam {...props} stageAt={stageAt} />;
  }
}

function BooleanParam({ value, id, helpId, onChange }: ParamProps) {
  return (
    <Switch.Root
      id={id}
      className="switch"
      checked={value === true}
      aria-describedby={helpId}
      onCheckedChange={(checked) => onChange(checked, 'push')}
    >
      <Switch.Thumb className="switch-thumb" />
    </Switch.Root>
  );
}

function TextParam({ param, value, id, helpId, onChange }: ParamProps) {
  const gesture = useGesture();
  const shared = {
    id,
    'aria-describedby': helpId,
    placeholder: typeof param.default === 'string' ? param.default : 'empty',
    value: typeof value === 'string' ? value : '',
    spellCheck: false,
    onBlur: gesture.end,
  };
  if (param.type === 'string')
    return <input {...shared} className="field" onChange={(event) => onChange(event.target.value, gesture.next())} />;
  const rows = Math.min(8, Math.max(1, shared.value.split('\n').length));
  return (
    <textarea
      {...shared}
      className="field mono"
      rows={rows}
      onChange={(event) => onChange(event.target.value, gesture.next())}
    />
  );
}
