// A process that imports a file and says each batch aloud, to be killed in the middle.
import { runImport } from '../../../core/engine/jobs/index.ts';
import { Library } from '../../../core/store/index.ts';

const [dir = '', path = ''] = process.argv.slice(2);
const opened = Library.open(dir);
if (!opened.ok) throw new Error(opened.error.text);
await runImport(opened.value, path, { onProgress: () => process.stdout.write('batch\n') });
process.stdout.write('done\n');
