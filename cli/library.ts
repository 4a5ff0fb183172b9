import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The library's folder where none is given: PARALLAX_LIBRARY, else where the desktop app keeps it on this system, so
 * that both see the same transcripts.
 */
export function defaultLibrary(): string {
  return process.env.PARALLAX_LIBRARY || join(configFolder(), 'Parallax', 'library');
}

// As Electron's app.getPath('appData').
function configFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env.APPDATA || join(homedir(), 'AppData', 'Roaming');
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}
