import type { languages } from 'monaco-editor/editor';

/** How JSON is coloured, folded and its brackets matched: by rules, without the editor's JSON worker. */
export const JSON_RULES: languages.IMonarchLanguage = {
  brackets: [
    { open: '{', close: '}', token: 'delimiter.bracket' },
    { open: '[', close: ']', token: 'delimiter.array' },
  ],
  tokenizer: {
    root: [
      [/[{}[\]]/, '@brackets'],
      [/:/, 'delimiter.colon'],
      [/,/, 'delimiter.comma'],
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      // A text that is cut ends within a string.
      [/"(?:[^"\\]|\\.)*(?:"|\\?$)/, 'string.value'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
    ],
  },
};

export const JSON_CONFIGURATION: languages.LanguageConfiguration = {
  wordPattern: /(-?\d*\.\d\w*)|([^[{\]}:",\s]+)/g,
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}', notIn: ['string'] },
    { open: '[', close: ']', notIn: ['string'] },
    { open: '"', close: '"', notIn: ['string'] },
  ],
};
