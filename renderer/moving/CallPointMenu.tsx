import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { CommandMenu } from '../parts/CommandMenu.tsx';
import { useAppState } from '../state/context.tsx';

/** The menu of the call point, over the chart and its strips. */
export function CallPointMenu({ children }: { readonly children: ReactNode }) {
  const at = useAppState(({ projection }) => projection.at);
  const label = at === null ? 'Next request' : `Call point #${at}`;
  return (
    <CommandMenu
      menu="callPoint"
      label={<ContextMenu.Label className="menu-label num">{label}</ContextMenu.Label>}
      testId="call-point-menu"
      backTo="scrubber"
      onPoint={() => undefined}
    >
      <div className="call-point-strips">{children}</div>
    </CommandMenu>
  );
}
