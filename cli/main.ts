// The `parallax` command. Node keeps what it compiled, so that the second run starts in half the time; that must be
// switched on before the rest is loaded.
import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from '../core/engine/compileCache.ts';
import { beginWithSmallMalloc } from './support/mallocSettings.ts';
import { keepPrivate } from './support/privateFiles.ts';

keepPrivate();
if (process.argv[2] === 'serve' || process.argv[2] === 'worker') beginWithSmallMalloc();
const folder = process.env.NODE_COMPILE_CACHE === undefined ? compileCacheFolder() : null;
if (folder !== null) enableCompileCache(folder);
const { runProgram } = await import('./program.ts');
await runProgram();
