// A process that imports a file and says aloud after each batch how many messages of which transcript are there, to be
// killed in the middle.
import { runImport } from '../../../core/engine/jobs/index.ts';
import { Library } from '../../../core/store/index.ts';

const [dir = '', path = ''] = process.argv.slice(2);
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
  },
});
process.stdout.write('done\n');
