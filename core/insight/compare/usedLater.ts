import type { UseFinder } from '../uses/index.ts';

/** By source index the assistant messages that relied on a message, ascending. A changed result proves no use. */
export function usersOf(finder: UseFinder): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  for (const at of finder.users) {
    for (const { sources, changed } of finder.usesAt(at)) {
      if (changed) continue;
      for (const { index } of sources) note(users, index, at);
    }
  }
  return users;
}

function note(users: Map<number, number[]>, index: number, at: number): void {
  const known = users.get(index);
  if (known === undefined) users.set(index, [at]);
  else if (known.at(-1) !== at) known.push(at);
}
