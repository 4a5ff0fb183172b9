import { createContext, useContext } from 'react';
import { useStore } from 'zustand/react';
import type { HostBridge } from '../host/types.ts';
import type { Actions, App } from './app.ts';
import type { Command } from './command.ts';
import type { AppState } from './types.ts';

/** What components reach: the app and the host it runs in. */
export interface AppContextValue {
  readonly app: App;
  readonly host: HostBridge | null;
  /** Everything that can be done, in the order of the palette. */
  readonly commands: readonly Command[];
}

export const AppContext = createContext<AppContextValue | null>(null);

function useContextValue(): AppContextValue {
  const value = useContext(AppContext);
  if (!value) throw new Error('no app above this component');
  return value;
}

/** The app: engine, store, actions. */
export function useApp(): App {
  return useContextValue().app;
}

/** The desktop window or web page around the app; null in the gallery. */
export function useHost(): HostBridge | null {
  return useContextValue().host;
}

/**
 * A piece of the state; the component draws again when it changes by identity. While a transcript opens, what belongs to the
 * one before stays for a moment: see screenState.ts.
 */
export function useAppState<T>(select: (state: AppState) => T): T {
  return useStore(useApp().screen, select);
}

/** The same, and at once: for what says which transcript opens. */
export function useStateNow<T>(select: (state: AppState) => T): T {
  return useStore(useApp().store, select);
}

/** All commands. Palette, key map, keyboard and menus are made from them. */
export function useCommands(): readonly Command[] {
  return useContextValue().commands;
}

export function useActions(): Actions {
  return useApp().actions;
}
