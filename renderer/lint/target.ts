// Whom the lint asks. A target is what a hygiene stage takes as options: provider, API, model; blank = found out from the
// transcript.
import type { LintTarget } from '../state/types.ts';

/** Targets offered by name; each is one of the detections of docs/hygiene.md. */
export const TARGETS: readonly { readonly title: string; readonly target: LintTarget }[] = [
  { title: 'Anthropic Messages', target: { provider: 'anthropic', api: 'anthropic-messages', model: '' } },
  { title: 'OpenAI chat completions', target: { provider: 'openai', api: 'openai-completions', model: '' } },
  { title: 'OpenAI Responses', target: { provider: 'openai', api: 'openai-responses', model: '' } },
  { title: 'Gemini', target: { provider: 'google', api: 'google-generative-ai', model: '' } },
  { title: 'Mistral', target: { provider: 'mistral', api: '', model: '' } },
  {
    title: 'Gemini via OpenRouter',
    target: { provider: 'openrouter', api: 'openai-completions', model: 'google/gemini-2.5-pro' },
  },
  {
    title: 'Claude via Antigravity',
    target: { provider: 'google-antigravity', api: 'google-antigravity', model: 'claude-sonnet-4-5' },
  },
];

export function isOwn({ provider, api, model }: LintTarget): boolean {
  return provider === '' && api === '' && model === '';
}

export function sameTarget(a: LintTarget, b: LintTarget): boolean {
  return a.provider === b.provider && a.api === b.api && a.model === b.model;
}

/** `anthropic · anthropic-messages`; for the transcript's own its own words. */
export function targetTitle(target: LintTarget): string {
  if (isOwn(target)) return 'The transcript’s own';
  const named = TARGETS.find((one) => sameTarget(one.target, target));
  return named?.title ?? [target.provider, target.api, target.model].filter((word) => word !== '').join(' · ');
}
