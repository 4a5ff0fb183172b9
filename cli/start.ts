// `npm start [-- FILE…]`: the desktop app; where there is no Electron binary or no display, the same app in a browser.
import { keepCompiled } from './support/keepCompiled.ts';
import { keepPrivate } from './support/privateFiles.ts';

keepPrivate();
keepCompiled();
const { runStart } = await import('./startProgram.ts');
runStart();
