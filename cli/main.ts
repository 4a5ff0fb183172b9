// The `parallax` command. Node keeps what it compiled, so that the second run starts in half the time; that must be
// switched on before the rest is loaded.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runProgram } = await import('./program.ts');
await runProgram();
