import type { RunUserCode, StageAnswer, StageEffect, UserCodeAnswer } from '../../view/types.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import { resizeImage } from './images.ts';

/** Does what a stage asks for: code runs in the sandbox, guarded by steps, memory and clock; images are made smaller. */
export function userCodeAnswer(sandbox: SandboxClient, effect: StageEffect): Promise<StageAnswer> | StageAnswer {
  switch (effect.effect) {
    case 'run_user_code':
      return runCode(sandbox, effect);
    case 'resize_image':
      return resizeImage(effect);
    case 'pause':
      return effect;
  }
}

async function runCode(sandbox: SandboxClient, effect: RunUserCode): Promise<UserCodeAnswer> {
  const outcome = await sandbox.runGuarded(effect.code, effect.messagesJson);
  if (outcome.ok) return { ok: true, ...outcome.value };
  const { error } = outcome;
  if (error.code === 'wall') return { ok: false, ...error, line: null, column: null, logs: [] };
  const { code, message, line, column, logs } = error;
  return { ok: false, code, message, line, column, logs };
}
