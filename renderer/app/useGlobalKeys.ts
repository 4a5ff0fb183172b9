import { useEffect } from 'react';
import { matches, worksInField } from '../keys/keys.ts';
import { useApp, useCommands, useHost } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { selectRead } from './selectAll.ts';

/** Runs commands by key and from the host's menu: in a field only those marked for it, under a dialog none. */
export function useGlobalKeys(): void {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const commands = useCommands();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const state = app.store.getState();
      if (state.disconnected !== null) return;
      const command = commands.find((one) => one.keys?.some((chord) => matches(chord, event, platform)));
      const chord = command?.keys?.find((one) => matches(one, event, platform));
      if (matches('mod+a', event, platform) && !isField(event.target)) {
        event.preventDefault();
        selectRead();
        return;
      }
      if (!command || !chord) return;
      if (isField(event.target) ? !(command.inFields && worksInField(chord)) : ownsKey(event.target, chord)) return;
      if (state.ui.dialog !== null && command.id !== 'palette') return;
      if (command.isEnabled && !command.isEnabled(state)) return;
      if (command.leaves?.()) return;
      event.preventDefault();
      command.run({ app, host });
    };
    const before = (event: KeyboardEvent) => {
      const isMeant = commands.some((one) => one.isFirst && one.keys?.some((chord) => matches(chord, event, platform)));
      if (isMeant) onKeyDown(event);
      if (isMeant && event.defaultPrevented) event.stopPropagation();
    };
    window.addEventListener('keydown', before, true);
    window.addEventListener('keydown', onKeyDown);
    const stopMenu = host?.onMenu((id) => commands.find((one) => one.id === id)?.run({ app, host }));
    return () => {
      window.removeEventListener('keydown', before, true);
      window.removeEventListener('keydown', onKeyDown);
      stopMenu?.();
    };
  }, [app, host, platform, commands]);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('.monaco-editor')) return true;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Sliders, tabs, menus and lists have their own arrow keys. */
function ownsKey(target: EventTarget | null, chord: string): boolean {
  if (!(target instanceof HTMLElement) || !/^(shift\+)?(left|right|up|down|home|end)$/.test(chord)) return false;
  return (
    target.closest(
      '[role=slider],[role=tablist],[role=menu],[role=radiogroup],[role=listbox],[role=tree],[role=separator]',
    ) !== null
  );
}
