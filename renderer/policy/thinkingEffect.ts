// What a stage would do to signed thinking, shown before it is added. Source: platform.claude.com, Preserved thinking.
import type { PreservedThinking } from '../../core/projection/binding/setting.ts';
import type { ThinkingOutcome } from '../../core/projection/binding/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';
import type { PickItem } from '../ui/PickList.tsx';

/** What there is to lose in the request on screen: in words, and whether there is any thinking that is checked. */
export interface ThinkingStake {
  readonly words: string;
  readonly isChecked: boolean;
}

/** Null where no provider holds thinking against its conversation: another vendor's model, and no setting that asks for it. */
export function thinkingStake(
  model: string,
  setting: PreservedThinking | undefined,
  thinking: ThinkingOutcome | null,
): ThinkingStake | null {
  if (!isConcerned(model, setting, thinking) || setting?.mode === 'off') return null;
  if (thinking === null || !thinking.checks || thinking.sent === 0) {
    return { words: 'On models that check it, editing earlier messages invalidates later thinking.', isChecked: false };
  }
  const { sent, reader, onMismatch } = thinking;
  const what = `${plural(sent, 'signed thinking block')} in this request.`;
  return { words: `${what} ${CONSEQUENCE[onMismatch](reader ?? 'The model')}`, isChecked: onMismatch !== 'allowed' };
}

const CONSEQUENCE: Readonly<Record<ThinkingOutcome['onMismatch'], (model: string) => string>> = {
  error: (model) => `${model} may refuse the request (400) once a message before one is edited.`,
  drop_block: (model) => `${model} drops those that follow an edited message.`,
  allowed: (model) => `${model} lets them through on this account, edited or not.`,
};

/** Whether anything is to be said of thinking in a session: its model is Anthropic's, or the policy says how to treat it. */
export function isConcerned(
  model: string,
  setting: PreservedThinking | undefined,
  thinking: ThinkingOutcome | null,
): boolean {
  return /claude|fable|mythos/i.test(model) || setting !== undefined || thinking !== null;
}

/** The words behind a stage's title in the list; undefined = it leaves thinking as it is, or nobody would check. */
export function thinkingEffect(keeps: StageInfo['keepsThinking'], stake: ThinkingStake | null): PickItem['effect'] {
  if (stake === null) return undefined;
  switch (keeps) {
    case 'no':
      return {
        words: 'invalidates thinking',
        title: 'Edits messages before they are sent: signed thinking behind an edit is no longer valid.',
        tone: stake.isChecked ? 'warning' : 'plain',
      };
    case 'provider':
      return {
        words: 'keeps thinking',
        title: 'The provider edits on its side: signed thinking stays valid.',
        tone: 'plain',
      };
    case 'recorded':
    case 'yes':
      return undefined;
  }
}
