import type { StageTokens } from '../../core/view/types.ts';
import { transcriptOf } from './projecting.ts';

/** Counts for tests of stages that count: a token a character (or every `per`) of contents, call names and arguments. */
export function characterTokens(messages: readonly unknown[], per = 1): StageTokens {
  const source = transcriptOf(messages);
  const named = (kind: string, name: string | null | undefined) => (kind === 'tool_call' ? (name ?? '').length : 0);
  const parts = (index: number) =>
    source.facts(index).parts.map(({ kind, name, chars }) => Math.ceil((chars + named(kind, name)) / per));
  const message = (index: number) => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  const range = (from: number, to: number) => {
    let sum = 0;
    for (let index = from; index < to; index++) sum += message(index);
    return sum;
  };
  return {
    tokenizer: 'chars',
    exact: true,
    image: 0,
    parts,
    message,
    range,
    text: (...texts) => texts.reduce((sum, text) => sum + Math.ceil(text.length / per), 0),
  };
}
