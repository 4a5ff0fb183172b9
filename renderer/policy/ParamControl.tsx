import { Code2 } from 'lucide-react';
import { Switch } from 'radix-ui';
import { useId } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { useActions } from '../state/context.tsx';
import { setCustomTarget } from './customTarget.ts';
import { isChanged, type OptionValue, setOption, shownValue } from './editSpec.ts';
import { HelpTip } from './HelpTip.tsx';
import { IntegerParam } from './IntegerParam.tsx';
import { defaultWords, otherNames } from './paramLabel.ts';
import { useGesture, usePolicyEdit } from './usePolicyEdit.ts';

/** What every control gets. `id` is of its main field, `helpId` of its explanation. */
export interface ParamProps {
  readonly param: ParamSchema;
  readonly value: OptionValue;
  readonly id: string;
  readonly helpId: string;
  readonly onChange: (value: OptionValue, history: 'push' | 'replace') => void;
}

/** One option of a stage: name, control, reset. Made from its schema alone. */
export function ParamControl(props: { readonly stage: StageSpec; readonly at: number; readonly param: ParamSchema }) {
  const { stage, at, param } = props;
  const edit = usePolicyEdit();
  const id = useId();
  const helpId = `${id}-help`;
  const onChange = (value: OptionValue, history: 'push' | 'replace') =>
    edit((spec) => setOption(spec, at, param, value), history);
  // Code has no default to go back to.
  const changed = param.type !== 'code' && isChanged(stage, param);
  const control = { param, value: shownValue(stage, param), id, helpId, onChange };
  return (
    <HelpTip
      title={param.name}
      help={param.help}
      notes={[param.unit ? `In ${param.unit}` : null, defaultWords(param), otherNames(param)]}
    >
      <div className={`param param-${param.type}`} data-testid="param" data-name={param.name} data-changed={changed}>
        <span className="param-name">
          <label htmlFor={id} className="ellipsis">
            {param.name}
          </label>
          {changed && (
            <button
              type="button"
              className="param-reset"
              aria-label={`Reset ${param.name}. ${defaultWords(param)}`}
              onClick={() => onChange(null, 'push')}
            />
          )}
        </span>
        <ParamField {...control} stageAt={at} />
        <span id={helpId} hidden>
          {param.help}
        </span>
      </div>
    </HelpTip>
  );
}

function ParamField({ stageAt, ...props }: ParamProps & { readonly stageAt: number }) {
  switch (props.param.type) {
    case 'integer':
      return <IntegerParam {...props} />;
    case 'boolean':
      return <BooleanParam {...props} />;
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

function CodeParam({ param, value, id, helpId, stageAt }: ParamProps & { readonly stageAt: number }) {
  const { openDialog } = useActions();
  const lines = typeof value === 'string' && value !== '' ? value.split('\n').length : 0;
  return (
    <button
      id={id}
      type="button"
      className="button code-button"
      aria-describedby={helpId}
      data-testid="edit-code"
      onClick={() => {
        setCustomTarget({ stage: stageAt, option: param.name });
        openDialog('customPolicy');
      }}
    >
      <Code2 size={14} aria-hidden />
      {lines === 0 ? 'Write code…' : `Edit code · ${lines === 1 ? '1 line' : `${lines} lines`}`}
    </button>
  );
}
