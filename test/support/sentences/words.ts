// Short questions about a message that several sentences ask.
import type { Given } from './given.ts';

/** True for a message of instructions that someone wrote. */
export function isSystemMessage(given: Given, position: number): boolean {
  const { role } = given.facts(position);
  return given.reader.indexOf(position) !== null && (role === 'system' || role === 'developer');
}
