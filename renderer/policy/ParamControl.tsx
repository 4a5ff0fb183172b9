import { memo, useId } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { isChanged, type OptionValue, setOption, shownValue } from '../state/editSpec.ts';
import './params/param.css';
import './params/params.css';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { unitOf } from './paramLabel.ts';
import { ParamLine } from './params/ParamLine.tsx';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly param: ParamSchema;
  /** All options of the stage. */
  readonly params: readonly ParamSchema[];
}

/** One option of a stage: name, control, reset. Made from its schema alone; drawn again when its stage has changed. */
export const ParamControl = memo(Control);

function Control(props: Props) {
  const { stage, at, params } = props;
  const other = (name: string) => {
    const found = params.find((one) => one.name === name);
    return found && shownValue(stage, found);
  };
  const unit = unitOf(props.param, other);
  const param = unit === props.param.unit ? props.param : { ...props.param, ...(unit !== undefined && { unit }) };
  const edit = usePolicyEdit();
  const id = useId();
  const onChange = (value: OptionValue, history: 'push' | 'replace') =>
    edit((spec) => setOption(spec, at, param, value), history);
  return (
    <ParamLine
      param={param}
      value={shownValue(stage, param)}
      id={id}
      helpId={`${id}-help`}
      stageAt={at}
      // Code has no default to go back to.
      changed={param.type !== 'code' && isChanged(stage, param)}
      onChange={onChange}
      onReset={() => onChange(param.default, 'push')}
    />
  );
}
