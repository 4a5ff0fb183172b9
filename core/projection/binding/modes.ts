// browser-safe
/** The choices, in the words of specs, screen and command line alike. */
export const PRESERVED_THINKING = [
  { value: 'auto', help: 'As the model and the recorded request have it: refused unless the request asks to drop.' },
  {
    value: 'error',
    help: 'The request asks to be refused (400) if a block no longer follows what it was made after.',
  },
  { value: 'drop_block', help: 'The request asks that such blocks, and later ones, are dropped. They are not billed.' },
  { value: 'off', help: 'Not looked at: thinking blocks of other conversations and other models stay as they are.' },
] as const;

export type PreservedThinkingMode = (typeof PRESERVED_THINKING)[number]['value'];

/** The setting as a spec holds it. */
export interface PreservedThinking {
  readonly mode: PreservedThinkingMode;
  /** The model that the requests go to; absent = the transcript's last. */
  readonly model?: string;
  /** Day on which the provider's account was made, ISO-8601; absent = not known. */
  readonly account_created?: string;
}
