// The provider's check of thinking blocks as the last step of every request: behind the stages of the spec, and shown like
// one of them. It is not part of a spec's stages; the spec's `preserved_thinking` says how requests ask for it.
import type { ReportDetails } from '../../view/incremental.ts';
import { countOf } from '../../view/words.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { providerStep } from '../providerStep.ts';
import { keptWord, type ThinkingOutcome } from './types.ts';

export const BINDING_KIND = 'preserved_thinking';
export const BINDING_TITLE = 'Preserved thinking';

/** The step as stages are listed: behind all of them. */
export function bindingStage(stages: readonly ResolvedStage[]): ResolvedStage {
  return providerStep(stages.length, BINDING_KIND, BINDING_TITLE);
}

/** What the step says of itself. */
export function outcomeDetails(outcome: ThinkingOutcome): ReportDetails {
  return {
    summary: outcomeLine(outcome),
    reason: `thinking_${keptWord(outcome)}`,
    meta: {
      sent: outcome.sent,
      failing: outcome.failing,
      foreign: outcome.foreign,
      dropped: outcome.dropped,
      on_mismatch: outcome.onMismatch,
    },
  };
}

/** One line: `3 of 12 thinking blocks fail: the request would be refused (400)`. */
export function outcomeLine({ sent, failing, foreign, onMismatch, enforced, reader }: ThinkingOutcome): string {
  if (sent + foreign === 0) return 'no signed thinking in the request';
  const unread = foreign === 0 ? '' : ` · ${countOf(foreign, 'block')} of other models dropped`;
  if (failing === 0) return `${countOf(sent, 'thinking block')} kept${unread}`;
  const what = `${failing} of ${countOf(sent, 'thinking block')}`;
  switch (onMismatch) {
    case 'drop_block':
      return `${what} dropped${unread}`;
    case 'allowed':
      return `${what} no longer valid, let through on this account${unread}`;
    case 'error': {
      const when = enforced === true ? 'is refused (400)' : 'is refused (400) where the account is held to it';
      return `${what} no longer valid: ${reader ?? 'the model'} ${when}${unread}`;
    }
  }
}
