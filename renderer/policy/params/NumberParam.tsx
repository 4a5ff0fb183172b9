import { useGesture } from '../../state/usePolicyEdit.ts';
import { NumberInput } from './NumberInput.tsx';
import type { ParamProps } from './types.ts';

/** A field for a number with decimals. Arrow keys step by a tenth of its size. */
export function NumberParam({ param, value, id, helpId, onChange }: ParamProps) {
  const gesture = useGesture();
  const min = param.min ?? 0;
  const number = typeof value === 'number' ? value : min;
  return (
    <NumberInput
      id={id}
      helpId={helpId}
      className="field field-decimal mono num"
      inputMode="decimal"
      number={number}
      shown={String(number)}
      parse={(text) => parseNumber(text, min)}
      badTitle={`A number, ${min} or more`}
      stepped={(direction) => {
        const size = number > 0 && number < 1 ? 0.01 : number < 10 ? 0.1 : 1;
        return Math.max(min, Math.round((number + direction * size) * 1000) / 1000);
      }}
      onNumber={(next) => onChange(next, gesture.next())}
      onEnd={gesture.end}
    />
  );
}

/** The number a text writes, `min` or more; null if it is none. */
export function parseNumber(text: string, min: number): number | null {
  const trimmed = text.trim();
  if (!/^\d*\.?\d+$|^\d+\.$/.test(trimmed)) return null;
  const number = Number(trimmed);
  return number >= min ? number : null;
}
