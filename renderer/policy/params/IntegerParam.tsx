import { Slider } from 'radix-ui';
import { useMemo } from 'react';
import type { ParamSchema } from '../../../core/view/types.ts';
import { useGesture } from '../../state/usePolicyEdit.ts';
import { formatCount } from '../../ui/format.ts';
import { describeValue, paramTitle } from '../paramLabel.ts';
import { markOf, parseWhole, sliderMarks } from '../sliderScale.ts';
import { NumberInput } from './NumberInput.tsx';
import type { ParamProps } from './types.ts';

const SOFT_MAX = 100;

/** A slider and a field for a whole number; the field takes values beyond the slider's end. */
export function IntegerParam({ param, value, id, helpId, onChange }: ParamProps) {
  const gesture = useGesture();
  const number = typeof value === 'number' ? value : (param.min ?? 0);
  const marks = useMemo(() => sliderMarks(param.min ?? 0, param.softMax ?? SOFT_MAX), [param]);
  return (
    <>
      <Slider.Root
        className="slider"
        min={0}
        max={marks.length - 1}
        value={[markOf(marks, number)]}
        onValueChange={([position]) => {
          const next = position === undefined ? undefined : marks[position];
          if (next !== undefined && next !== number) onChange(next, gesture.next());
        }}
        // Radix commits only a value that differs from the first one: a drag out and back would never end.
        onLostPointerCapture={gesture.end}
        onKeyUp={gesture.end}
      >
        <Slider.Track className="slider-track">
          <Slider.Range className="slider-range" />
        </Slider.Track>
        <Slider.Thumb
          className="slider-thumb"
          aria-label={paramTitle(param)}
          aria-valuetext={describeValue(number, param)}
          aria-describedby={helpId}
        />
      </Slider.Root>
      <NumberField id={id} param={param} number={number} onChange={onChange} />
    </>
  );
}

interface FieldProps {
  readonly id: string;
  readonly param: ParamSchema;
  readonly number: number;
  readonly onChange: ParamProps['onChange'];
}

function NumberField({ id, param, number, onChange }: FieldProps) {
  const gesture = useGesture();
  const min = param.min ?? 0;
  return (
    <NumberInput
      id={id}
      className="field field-number mono num"
      inputMode="numeric"
      number={number}
      shown={formatCount(number)}
      parse={(text) => parseWhole(text, min)}
      badTitle={`A whole number, ${min} or more`}
      stepped={(direction, isLarge) => Math.max(min, number + direction * (isLarge ? 10 : 1))}
      onNumber={(next) => onChange(next, gesture.next())}
      onEnd={gesture.end}
    />
  );
}
