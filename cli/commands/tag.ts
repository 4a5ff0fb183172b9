import type { Command } from 'commander';
import { countOf } from '../../core/util/counts.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { inputFailure } from '../support/failure.ts';
import { note, table, write } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface TagOptions extends LibraryOptions {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const collect = (name: string, all: readonly string[]) => [...all, name];

/** `parallax tag`. */
export function addTag(program: Command): void {
  program
    .command('tag')
    .description('give transcripts tags or take them; without options, list the tags')
    .argument('[ids...]', 'transcripts, as ls names them')
    .option('--add <tag>', 'a tag to give (repeatable)', collect, [])
    .option('--remove <tag>', 'a tag to take (repeatable)', collect, [])
    .option(...LIBRARY)
    .action(async (ids: readonly string[], options: TagOptions) => {
      const { add, remove } = options;
      const tags = await withEngine(options, async (engine) => {
        if (ids.length === 0) return (await engine.call('tags.list', {})).tags;
        const { transcripts } = await engine.call('library.list', {});
        const known = new Set(transcripts.map(({ id }) => id));
        const unknown = ids.filter((id) => !known.has(id));
        if (unknown.length > 0) throw inputFailure(`the library has no ${unknown.join(', ')}`, 'transcript.unknown');
        return (await engine.call('tags.apply', { ids, add, remove })).tags;
      });
      if (ids.length > 0) note(`${countOf(ids.length, 'transcript')} tagged`);
      else
        await write(
          table(
            tags.map(({ name, count }) => [name, String(count)]),
            [1],
          ),
        );
    });
}
