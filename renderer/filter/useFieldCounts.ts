import type { FieldCounts } from '../../core/filter/complete.ts';
import { fieldNamed } from '../../core/filter/fields.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

const NONE: FieldCounts = {};

/** The values of the field that the caret is in, with how many rows have them; nothing until they are known. */
export function useFieldCounts(text: string, caret: number | null): FieldCounts {
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const name = caret === null ? null : (/([a-z]+)[:=][^\s]*$/i.exec(text.slice(0, caret))?.[1] ?? null);
  const field = name === null ? undefined : fieldNamed(name.toLowerCase());
  const isAsked = projectionId !== null && field?.type === 'value';
  const { value } = useAnswer('filter.values', isAsked ? { projectionId, field: field.name } : null, {
    wait: 60,
    about: isAsked ? field.name : null,
  });
  return value === null || field?.type !== 'value' ? NONE : { [field.name]: value.values };
}
