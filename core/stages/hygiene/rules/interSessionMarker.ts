import { elements, insertElements, replaceAt, valueTextAt } from '../../../util/json/index.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import type { Draft, Fields } from '../draft.ts';
import { defineRule, editLocal, type RuleDecision } from './rule.ts';

const FIELDS = [
  ['sourceSessionKey', 'sourceSession'],
  ['sourceChannel', 'sourceChannel'],
  ['sourceTool', 'sourceTool'],
] as const;

/**
 * A user turn that another session or tool wrote (`provenance.kind` = `inter_session`) says so in its first line:
 * `[Inter-session message] sourceSession=… sourceChannel=… sourceTool=…`. Source: hygiene facts, 3.1.
 */
export const interSessionMarker = defineRule({
  name: 'inter_session_marker',
  title: 'Mark inter-session messages',
  help: 'Puts a line before what another session sent, so that the model does not take it for the user’s own words.',
  fix: (messages, context) =>
    editLocal('inter_session_marker', messages, context, (draft) => (isRouted(draft) ? mark(draft) : null)),
});

function isRouted(draft: Draft): boolean {
  return draft.role === 'user' && draft.traits.interSession;
}

function mark(draft: Draft): RuleDecision | null {
  const { text, value, facts } = draft;
  const header = headerOf(recordAt(value, 'provenance') ?? {});
  const marked = withHeader(text, ownAt(value, 'content'), header);
  if (marked === text) return null;
  const isNewBlock = !facts.parts.some(({ kind }) => kind === 'text');
  return {
    text: marked,
    ...(isNewBlock && { origins: [[], ...draft.origins] }),
    objection: 'another session wrote this, but it reads like the words of the user',
    done: `the line "${header}" was put before it`,
    chip: 'inter-session',
    severity: 'warning',
  };
}

function headerOf(provenance: Fields): string {
  const said = FIELDS.flatMap(([field, name]) => {
    const value = (stringAt(provenance, field) ?? '').trim();
    return value === '' ? [] : [`${name}=${value}`];
  });
  return ['[Inter-session message]', ...said].join(' ');
}

function withHeader(text: string, content: unknown, header: string): string {
  if (typeof content === 'string') {
    return content.startsWith(header) ? text : replaceAt(text, ['content'], JSON.stringify(`${header}\n${content}`));
  }
  if (!Array.isArray(content)) return text;
  const texts = content.flatMap((block: unknown, at) => {
    const own = isRecord(block) && stringAt(block, 'type') === 'text' ? stringAt(block, 'text') : undefined;
    return own === undefined ? [] : [{ at, own }];
  });
  // Another turn's text, or a line that stands for an image, may have come before the one that was marked.
  if (texts.some(({ own }) => own.startsWith(header))) return text;
  const [first] = texts;
  if (first === undefined) return insertFirst(text, header);
  return replaceAt(text, ['content', first.at, 'text'], JSON.stringify(`${header}\n${first.own}`));
}

function insertFirst(text: string, header: string): string {
  const block = JSON.stringify({ type: 'text', text: header });
  const list = valueTextAt(text, ['content']) ?? '[]';
  return elements(list, 0).length === 0
    ? replaceAt(text, ['content'], `[${block}]`)
    : insertElements(text, ['content'], 0, [block]);
}
