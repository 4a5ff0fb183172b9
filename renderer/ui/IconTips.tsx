import { Tooltip } from 'radix-ui';
import { useIconTip } from './useIconTip.ts';
import './ui.css';

/**
 * The tooltip of icon buttons: one for all of them. A tooltip for each button was a third of what was rendered when a
 * transcript was opened.
 */
export function IconTips() {
  const { tip, hide } = useIconTip();
  if (tip === null) return null;
  const { label, keys, place } = tip;
  return (
    <Tooltip.Root key={`${place.left} ${place.top} ${label}`} open onOpenChange={hide}>
      <Tooltip.Trigger asChild>
        <span className="icon-tip-place" aria-hidden="true" style={place} />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {label}
          {keys !== '' && <kbd>{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
