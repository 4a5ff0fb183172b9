import { useState } from 'react';
import { HelpTip } from '../HelpTip.tsx';
import { describeDefault, describeUnit, paramTitle, specNames } from '../paramLabel.ts';
import { ParamField } from './ParamField.tsx';
import type { ParamLineProps } from './types.ts';

/** A line of options: name, reset, control, and what it means on hover or focus. */
export function ParamLine({ changed, onReset, stageAt, ...control }: ParamLineProps) {
  const { param, id, helpId, value } = control;
  const title = paramTitle(param);
  const unit = describeUnit(param, value);
  const [isListOpen, setListOpen] = useState(false);
  return (
    <HelpTip
      title={title}
      help={param.help}
      isSilent={isListOpen}
      notes={[param.unit ? `In ${param.unit}` : null, describeDefault(param), specNames(param)]}
    >
      <div className={`param param-${param.type}`} data-testid="param" data-name={param.name} data-changed={changed}>
        <span className="param-name">
          <label htmlFor={id}>{title}</label>
          {changed && (
            <button
              type="button"
              className="param-reset"
              aria-label={`Reset ${title}. ${describeDefault(param)}`}
              onClick={onReset}
            />
          )}
        </span>
        <ParamField {...control} stageAt={stageAt} Line={ParamLine} onList={setListOpen} />
        {unit !== '' && <span className="param-unit num">{unit}</span>}
        <span id={helpId} hidden>
          {param.help}
        </span>
      </div>
    </HelpTip>
  );
}
