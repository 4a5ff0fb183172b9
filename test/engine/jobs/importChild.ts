// A process that imports a file and says aloud after each batch how many messages of which transcript are there, to be
// killed in the middle. Given a number it stands still after so many batches, for the killer to come.
import { runImport } from '../../../core/engine/jobs/index.ts';
import { Library } from '../../../core/store/index.ts';

const [dir = '', path = '', last = ''] = process.argv.slice(2);
let batches = 0;
const opened = Library.open(dir);
if (!opened.ok) throw new Error(opened.error.text);
const library = opened.value;
await runImport(library, path, {
  onProgress: ({ transcriptIds }) => {
    for (const id of transcriptIds) {
      const row = library.get(id);
      if (row !== null) process.stdout.write(`has ${row.key} ${row.counts.messages}\n`);
    }
    process.stdout.write('batch\n');
    if (++batches === Number(last)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
process.stdout.write('done\n');
