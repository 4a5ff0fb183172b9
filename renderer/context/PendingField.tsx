import { useId } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { setOption, shownValue } from '../state/editSpec.ts';
import { useGesture, usePolicyEdit } from '../state/usePolicyEdit.ts';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly param: ParamSchema;
}

/** What would the model see if I asked this now? The text is part of the request, not of the transcript. */
export function PendingField({ stage, at, param }: Props) {
  const edit = usePolicyEdit();
  const gesture = useGesture();
  const id = useId();
  const value = shownValue(stage, param);
  return (
    <div className="pending-field">
      <label htmlFor={id} className="mute" title={param.help}>
        Pending input
      </label>
      <textarea
        id={id}
        className="field"
        data-testid="pending"
        rows={2}
        placeholder="What would the model see if I asked this now?"
        value={typeof value === 'string' ? value : ''}
        onBlur={gesture.end}
        onChange={(event) => edit((spec) => setOption(spec, at, param, event.target.value), gesture.next())}
      />
    </div>
  );
}
