// A projection as something another can run: the request in three languages, a test that holds it, the policy in vendors' own
// settings, the text of an issue.
import type { WireTarget } from '../wire/types.ts';
import { curlCommand } from './curl.ts';
import { pythonCall } from './python.ts';
import type { SentRequest } from './request.ts';
import { typescriptCall } from './typescript.ts';

export { type FixtureInput, pytestFixture, vitestFixture } from './fixtures.ts';
export { type IssueAnswer, type IssueInput, issueText } from './issueText.ts';
export { type RequestAbout, requestJson, type SentRequest, sentRequest } from './request.ts';
export { settingsMarkdown, type VendorSettings, vendorSettings } from './settings/index.ts';

/** Languages that a request is written in. */
export const CALL_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type CallLanguage = (typeof CALL_LANGUAGES)[number];

/** All that can be asked for. */
export const REPRODUCTIONS = [...CALL_LANGUAGES, 'vitest', 'pytest', 'settings', 'issue'] as const;
export type Reproduction = (typeof REPRODUCTIONS)[number];

/** SDKs have types: a body for them leaves out what those do not know. */
export function isTyped(language: CallLanguage): boolean {
  return language !== 'curl';
}

/** True if there is such a call for the target. */
export function hasCall(target: WireTarget, language: CallLanguage): boolean {
  return !(target === 'gemini' && language === 'python');
}

/** The request in a language; null where {@link hasCall} says there is none. */
export function requestCall(request: SentRequest, language: CallLanguage): string | null {
  switch (language) {
    case 'curl':
      return curlCommand(request);
    case 'python':
      return pythonCall(request);
    case 'typescript':
      return typescriptCall(request);
  }
}

export { defaultTarget } from './target.ts';
