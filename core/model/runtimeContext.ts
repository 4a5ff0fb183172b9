// browser-safe
// What a runtime wrote into the text of a user message: reminders, output of commands, facts about the channel. It is
// known by its wrapper. Only what begins a line counts: a wrapper that a person quotes in a sentence is theirs.

/** Elements that runtimes of coding agents put around their own text. */
const TAGS = [
  'system-reminder',
  'local-command-(?:stdout|stderr|caveat)',
  'command-(?:name|message|args|contents)',
  'task-notification',
  'bash-(?:input|stdout|stderr)',
  'user-prompt-submit-hook',
  'ide_opened_file',
  'ide_selection',
  'new-diagnostics',
  'session-start-hook',
  'environment_context',
  'user_instructions',
  'turn_aborted',
  'skill_instructions',
  'subagent_notification',
  'relevant-memories',
].join('|');

const WRAPPERS = [
  `<(${TAGS})\\b[^>]*>`,
  '(Caveat: )',
  // OpenClaw: an envelope, and facts about a message as a fenced block under a heading.
  '<<<BEGIN_(\\w*CONTEXT)>>>',
  '([A-Z][\\w ]{0,60} \\((?:untrusted metadata|untrusted, for context)\\):[ \\t]*\\n```)',
].join('|');

const FROM_START = new RegExp(`\\s*(?:${WRAPPERS})`, 'y');
const AT_LINE = new RegExp(`^[ \\t]*(?:${WRAPPERS})`, 'gm');

/** A stretch of a text in UTF-16 units, end exclusive. */
export interface RuntimeSpan {
  readonly from: number;
  readonly to: number;
  /** The wrapper's name, e.g. `system-reminder`. */
  readonly name: string;
}

/** True if a text is nothing but what a runtime wrote. */
export function isRuntimeText(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    FROM_START.lastIndex = at;
    const found = FROM_START.exec(text);
    const span = found && spanOf(text, found);
    if (!span) return at > 0 && text.slice(at).trim() === '';
    at = span.to;
  }
  return at > 0;
}

/** What a runtime wrote in a text, in order. Linear in its length. */
export function runtimeSpans(text: string): readonly RuntimeSpan[] {
  const spans: RuntimeSpan[] = [];
  AT_LINE.lastIndex = 0;
  for (let found = AT_LINE.exec(text); found !== null; found = AT_LINE.exec(text)) {
    const span = spanOf(text, found);
    if (span === null) continue;
    spans.push(span);
    AT_LINE.lastIndex = span.to;
  }
  return spans;
}

/** What is left of a text without what a runtime wrote in it. */
export function withoutRuntime(text: string, spans: readonly RuntimeSpan[]): string {
  let left = '';
  let at = 0;
  for (const { from, to } of spans) {
    left += text.slice(at, from);
    at = to;
  }
  return (left + text.slice(at)).trim();
}

// To the wrapper's end; null = it has none.
function spanOf(text: string, found: RegExpExecArray): RuntimeSpan | null {
  const [all, tag, caveat, envelope, fenced] = found;
  const from = found.index;
  if (caveat !== undefined) return { from, to: text.length, name: 'caveat' };
  const close = tag !== undefined ? `</${tag}>` : envelope !== undefined ? `<<<END_${envelope}>>>` : '\n```';
  const end = text.indexOf(close, from + all.length);
  const name = tag ?? envelope ?? (fenced ?? '').replace(/[\s\S]*\((.*)\)[\s\S]*/, '$1');
  return end < 0 ? null : { from, to: end + close.length, name };
}
