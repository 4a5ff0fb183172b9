import { ArrowDown, ArrowUp, Copy, Ellipsis, ListFilter, RotateCcw, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { valueFilter } from '../../core/filter/pieces.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { startFilter } from '../filter/startFilter.ts';
import { useApp } from '../state/context.tsx';
import { duplicateStage, removeStage, resetStage } from '../state/editSpec.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';

interface Props {
  readonly at: number;
  readonly count: number;
  readonly kind: string;
  readonly title: string;
  readonly params: readonly ParamSchema[];
  readonly move: (to: number) => void;
}

/** What can be done with a stage as a whole. */
export function StageMenu({ at, count, kind, title, params, move }: Props) {
  const edit = usePolicyEdit();
  const app = useApp();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-button stage-menu" aria-label={`Stage ${at + 1}, ${title}: more`}>
        <Ellipsis size={15} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Item className="menu-item" disabled={at === 0} onSelect={() => move(at - 1)}>
            <ArrowUp size={14} aria-hidden /> Move up <kbd>Alt ↑</kbd>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" disabled={at === count - 1} onSelect={() => move(at + 1)}>
            <ArrowDown size={14} aria-hidden /> Move down <kbd>Alt ↓</kbd>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => edit((spec) => duplicateStage(spec, at))}>
            <Copy size={14} aria-hidden /> Duplicate
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => edit((spec) => resetStage(spec, at, params))}>
            <RotateCcw size={14} aria-hidden /> Reset all options
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className="menu-item"
            data-testid="stage-filter"
            onSelect={() => startFilter(app, valueFilter('stage', kind))}
          >
            <ListFilter size={14} aria-hidden /> Only rows of this stage
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item menu-danger" onSelect={() => edit((spec) => removeStage(spec, at))}>
            <Trash2 size={14} aria-hidden /> Remove
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
