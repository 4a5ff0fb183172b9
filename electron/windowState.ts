import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, screen } from 'electron';
import { z } from 'zod';

const Bounds = z.object({ x: z.int().optional(), y: z.int().optional(), width: z.int(), height: z.int() });
const WindowState = z.object({ bounds: Bounds, maximized: z.boolean() });
type WindowState = z.infer<typeof WindowState>;

const FIRST_TIME: WindowState = { bounds: { width: 1440, height: 900 }, maximized: false };

/** Place and size of the window when it was last closed, if that place is still on a screen. */
export function readWindowState(): {
  readonly bounds: { x?: number; y?: number; width: number; height: number };
  readonly maximized: boolean;
} {
  const state = load() ?? FIRST_TIME;
  const { x, y, width, height } = state.bounds;
  const size = { width: Math.max(width, 720), height: Math.max(height, 480) };
  if (x === undefined || y === undefined || !onScreen(x, y)) return { bounds: size, maximized: state.maximized };
  return { bounds: { x, y, ...size }, maximized: state.maximized };
}

/** Saves place and size whenever the window is about to close. */
export function rememberWindow(window: BrowserWindow): void {
  window.on('close', () => {
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      writeFileSync(stateFile(), JSON.stringify(state));
    } catch (error) {
      console.error(`parallax: the window's place could not be saved: ${String(error)}`);
    }
  });
}

function stateFile(): string {
  return join(app.getPath('userData'), 'window.json');
}

function load(): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(stateFile(), 'utf8')));
  } catch {
    return null; // first start, or a broken file: both mean the default place, and the next close writes it again
  }
}

function onScreen(x: number, y: number): boolean {
  return screen.getAllDisplays().some(({ workArea: area }) => {
    return x >= area.x - 50 && x < area.x + area.width && y >= area.y - 50 && y < area.y + area.height;
  });
}
