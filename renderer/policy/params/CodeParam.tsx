import { Code2 } from 'lucide-react';
import { useActions } from '../../state/context.tsx';
import { plural } from '../../ui/format.ts';
import type { ParamProps } from './types.ts';

/** Opens the editor on the code of a stage. */
export function CodeParam({ param, value, id, helpId, stageAt }: ParamProps & { readonly stageAt: number }) {
  const { openDialog } = useActions();
  const lines = typeof value === 'string' && value !== '' ? value.split('\n').length : 0;
  return (
    <button
      id={id}
      type="button"
      className="button code-button"
      aria-describedby={helpId}
      data-testid="edit-code"
      onClick={() => openDialog({ kind: 'customPolicy', target: { stage: stageAt, option: param.name } })}
    >
      <Code2 size={14} aria-hidden />
      {lines === 0 ? 'Write code…' : `Edit code · ${plural(lines, 'line')}`}
    </button>
  );
}
