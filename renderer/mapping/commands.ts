import type { Command } from '../state/command.ts';
import { mapAFile } from './mapAFile.ts';

export const mappingCommands: readonly Command[] = [
  {
    id: 'mapping',
    title: 'Map the fields of a file…',
    group: 'Library',
    also: 'unknown format json custom import generic',
    run: (context) => void mapAFile(context),
  },
];
