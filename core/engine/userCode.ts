import type { RunUserCode, UserCodeAnswer } from '../view/types.ts';
import type { SandboxClient } from './sandbox/sandboxClient.ts';

/** Runs what a stage asks for in the sandbox, guarded by steps, memory and clock. */
export async function userCodeAnswer(sandbox: SandboxClient, effect: RunUserCode): Promise<UserCodeAnswer> {
  const outcome = await sandbox.runGuarded(effect.code, effect.messagesJson);
  if (outcome.ok) return { ok: true, ...outcome.value };
  const { error } = outcome;
  if (error.code === 'wall') return { ok: false, ...error, line: null, column: null, logs: [] };
  const { code, message, line, column, logs } = error;
  return { ok: false, code, message, line, column, logs };
}
