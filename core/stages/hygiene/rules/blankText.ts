import { listKey, withoutParts } from '../shape.ts';
import { blocksOf } from '../traits.ts';
import { defineRule, editLocal } from './rule.ts';

/**
 * Removes blocks of the assistant's text that hold nothing but white space; a turn that holds nothing else goes, also
 * an empty list. Turns that ended in an error keep everything. Source: hygiene facts, 3.13.
 */
export const blankText = defineRule({
  name: 'blank_text',
  title: 'Blank text',
  help: 'Removes blank text blocks of the assistant, which providers refuse, and turns that had nothing else.',
  fix: (messages, context) =>
    editLocal('blank_text', messages, context, (draft) => {
      const { blankTexts, empty, stop } = draft.traits;
      if (draft.role !== 'assistant' || stop === 'error' || (blankTexts.length === 0 && !empty)) return null;
      if (listKey(draft.value) === null) return null;
      const gone = new Set(blankTexts);
      const isAll = gone.size === draft.facts.parts.length && gone.size === blocksOf(draft.value).length;
      if (gone.size === 0)
        return isAll ? { text: null, objection: 'the turn is empty', done: 'it was dropped', chip: 'empty' } : null;
      return {
        text: isAll ? null : withoutParts(draft.text, draft.facts, gone),
        origins: draft.originsWithout(gone),
        objection: 'a text block is blank',
        done: isAll ? 'the turn held nothing else and was dropped' : 'the block was removed',
        chip: 'blank text',
      };
    }),
});
