// The `parallax` command. Node keeps what it compiled, so that the second run starts in half the time; that must be
// switched on before the rest is loaded.
import { keepCompiled } from './support/keepCompiled.ts';
import { beginWithSmallMalloc } from './support/mallocSettings.ts';
import { keepPrivate } from './support/privateFiles.ts';

keepPrivate();
if (process.argv[2] === 'serve' || process.argv[2] === 'worker') beginWithSmallMalloc();
keepCompiled();
const { endAtFault, runProgram } = await import('./program.ts');
process.on('uncaughtException', endAtFault);
await runProgram();
