import type { Params } from '../../core/protocol/methods.ts';
import type { TextTrace } from '../../core/protocol/types.ts';
import type { EngineClient } from './engine.ts';

/** Who asks: the find bar, the panel about the selected message, or the strips of a change that is tried. */
export type Asker = 'find' | 'why' | 'tried' | 'before';

/** Follows texts for several askers. Of one asker the newest question ends the one before; those of others wait their turn. */
export interface TextLane {
  ask(asker: Asker, params: Params<'trace.text'>): Promise<TextTrace>;
}

/** The engine ends a question when its client asks the next one, whoever of the client asked. */
export function textLane(engine: EngineClient): TextLane {
  let current: { readonly asker: Asker; readonly done: Promise<unknown> } | null = null;
  return {
    async ask(asker, params) {
      while (current !== null && current.asker !== asker) await current.done;
      const answer = engine.call('trace.text', params);
      const mine = { asker, done: answer.then(nothing, nothing) };
      current = mine;
      try {
        return await answer;
      } finally {
        if (current === mine) current = null;
      }
    },
  };
}

function nothing(): void {}
