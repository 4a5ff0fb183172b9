// A process that follows a file and says aloud what it tells a screen: how many messages of which transcript are there.
// To be killed in the middle.
import { Follower } from '../../../core/engine/follow/follower.ts';
import { Library } from '../../../core/store/index.ts';

const [dir = '', path = ''] = process.argv.slice(2);
const opened = Library.open(dir);
if (!opened.ok) throw new Error(opened.error.text);
const library = opened.value;
const follower = new Follower(library, { everyMs: 10 });
follower.onNews = ({ changed }) => {
  for (const id of changed) {
    const row = library.get(id);
    if (row !== null) process.stdout.write(`has ${row.key} ${row.counts.messages}\n`);
  }
};
follower.follow([{ path, kind: 'file', since: '' }]);
