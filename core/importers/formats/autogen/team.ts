// Entries of a team's log: who speaks is in `name`, or as the role itself, with an aside in brackets: "Orchestrator
// (thought)", "Orchestrator (-> WebSurfer)".

import { type Fields, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../reading/slices.ts';

const CHAT_ROLES = new Set(['system', 'user', 'assistant', 'tool', 'function', 'developer', 'model']);
const ASIDE = /^[\w -]+ \((thought|termination condition|-> .+)\)$/;
const PEOPLE = /^(human|user_proxy|userproxy)$/i;
const MACHINES = /^computer[_ ]?terminal$/i;

/** What an entry of a team's log is. `injected` = the output of the code the team had run. */
export interface TeamEntry {
  readonly role: string;
  readonly speaker: string;
  readonly injected: boolean;
  /** The entry is the client's note that the run ended. */
  readonly ends: boolean;
  readonly text: string;
}

/** True if these entries name their speakers. */
export function namesATeam(entries: readonly Fields[]): boolean {
  const roles = entries.slice(0, 8).map((entry) => stringAt(entry, 'role') ?? '');
  if (roles.some((role) => ASIDE.test(role))) return true;
  return entries.slice(0, 8).every((entry) => {
    const keys = Object.keys(entry).sort().join();
    return keys === 'content,name,role' && stringAt(entry, 'name') !== undefined;
  });
}

/**
 * An entry as a message: its exact text where it has a chat's role; else the role `assistant` (a person's: `user`) with
 * the speaker under `name`. Null if it names no role.
 */
export function teamEntry(text: string, entry: Fields): TeamEntry | null {
  const given = stringAt(entry, 'role');
  if (given === undefined) return null;
  const speaker = stringAt(entry, 'name') ?? given;
  const injected = MACHINES.test(speaker);
  const ends = given.endsWith('(termination condition)');
  if (CHAT_ROLES.has(given)) return { role: given, speaker, injected, ends, text };
  const role = injected || PEOPLE.test(given) ? 'user' : 'assistant';
  const name = sliceAt(text, ['role']) ?? '""';
  const content = sliceAt(text, ['content']) ?? 'null';
  const made = `{"role":"${role}","name":${name},"content":${content}}`;
  return { role, speaker, injected, ends, text: made };
}
