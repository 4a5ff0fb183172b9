import { Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment } from 'react';
import type { StageInfo } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { STARTER } from './custom/examples.ts';
import { addStage } from './editSpec.ts';
import { usePolicyEdit } from './usePolicyEdit.ts';

/** The stage kinds there are, by family in the order they come. */
function byFamily(stages: readonly StageInfo[]): readonly (readonly [string, readonly StageInfo[]])[] {
  return [...Map.groupBy(stages, (stage) => stage.family)];
}

/** Adds a stage of a kind chosen from a menu. */
export function AddStage() {
  const stages = useAppState((state) => state.describe?.stages ?? null);
  const edit = usePolicyEdit();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="add-stage" data-testid="add-stage">
        <Plus size={14} aria-hidden /> Add a stage
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu menu-wide" align="start" sideOffset={4} collisionPadding={8}>
          {stages === null && <p className="menu-note">The list of stages is not loaded.</p>}
          {byFamily(stages ?? []).map(([family, kinds]) => (
            <Fragment key={family}>
              <DropdownMenu.Label className="menu-label">{family}</DropdownMenu.Label>
              {kinds.map((kind) => (
                <DropdownMenu.Item
                  key={kind.kind}
                  className="menu-item menu-item-two"
                  onSelect={() => edit((spec) => addStage(spec, kind, STARTER))}
                >
                  <b>{kind.title}</b>
                  <span className="mute">{kind.help}</span>
                </DropdownMenu.Item>
              ))}
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
