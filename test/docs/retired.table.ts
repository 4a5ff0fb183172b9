// Words that were retired: each had a second meaning, or is no idiom. test/docs/retired.test.ts looks for them.

/** A word or turn of phrase nobody is to read any more, and what is said instead. */
export interface Retired {
  readonly word: RegExp;
  readonly instead: string;
}

/** In documents, on screen and in the comments of the program. */
export const RETIRED: readonly Retired[] = [
  { word: /\banew\b/i, instead: 'again' },
  { word: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|fewer\b|less\b)/i, instead: 'is not a …' },
  { word: /\bbeside (?:the|its|their) messages\b/i, instead: 'overhead; apart from its messages' },
  { word: /\bof (?:one[’']s|your|its|their|our|my) own\b(?! [\w`])/i, instead: 'custom; its own …; separate' },
  { word: /\buntold\b/i, instead: 'pending; not reported' },
  { word: /\bput off\b/i, instead: 'deferred' },
  { word: /(?<!-)\bst(?:ands?|ood) (?:at|there|in|beside|behind|with)\b/i, instead: 'is at; is in' },
  { word: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  { word: /\b(?:go|goes|going|went) on\b/i, instead: 'continue, resume' },
  { word: /\b(?:take|takes|took) (?:the|its|their|a) \w+ away\b/i, instead: 'remove' },
  { word: /\bwhat comes of\b/i, instead: 'preview, result' },
  { word: /\bkin\b/i, instead: 'relatives, relations' },
];

/** In documents and on screen alone. */
export const RETIRED_IN_PROSE: readonly Retired[] = [
  { word: /\bst(?:ands?|ood) for\b/i, instead: 'replaces; is' },
  { word: /\bst(?:ands?|ood) (?:before|above|around|first|last|where|directly|between)\b/i, instead: 'comes; is' },
  { word: /\bpassed over\b/i, instead: 'skipped' },
  { word: /[\d…] %/, instead: 'no blank before %' },
];

/** In comments of the program alone: people may tell, code reports. "Told apart" is an idiom. */
export const RETIRED_IN_COMMENTS: readonly Retired[] = [
  { word: /\b(?:told|tells?|telling)\b(?! apart)/i, instead: 'report, show, say, notify, identify; called with' },
];

/** Words within identifiers: `tellSoon`, `KIN`. */
export const RETIRED_IN_NAMES: readonly Retired[] = [
  { word: /^(?:kin|kinship)$/, instead: 'relations, related' },
  { word: /^anew$/, instead: 'again' },
  { word: /^(?:untold|unasked)$/, instead: 'pending' },
  { word: /^(?:told|tells?|telling|teller)$/, instead: 'report, notify, explain, emit; reported, distinctive' },
];

/** On screen alone: what code and files call so has another name there. */
export const RETIRED_ON_SCREEN: readonly Retired[] = [
  { word: /\bfates?\b/i, instead: 'outcome' },
  { word: /\bredacted\b/i, instead: 'cleared' },
];
