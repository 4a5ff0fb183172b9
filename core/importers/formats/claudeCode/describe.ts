// What the records apart from the messages are, for the audit: a kind, and one line for people.

import { countOf } from '../../../util/counts.ts';
import { type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { titleOf } from '../../reading/shared.ts';

/** A record's place in the audit; `known` false = a type no release was seen to write. */
export interface EventFace {
  readonly kind: string;
  readonly text: string;
  readonly known: boolean;
}

const PLAIN = new Set([
  'file-history-snapshot',
  'file-history-delta',
  'last-prompt',
  'mode',
  'permission-mode',
  'agent-name',
  'pr-link',
  'worktree-state',
  'relocated',
  'bridge-session',
  'frame-link',
  'started',
  'result',
]);

/** The kind and line of a record that is not a message. Source: the record types of Claude Code 1.0 to 2.1. */
export function describeRecord(type: string, fields: Fields): EventFace {
  switch (type) {
    case 'summary':
      return face('title', stringAt(fields, 'summary'));
    case 'custom-title':
      return face('title', stringAt(fields, 'customTitle'));
    case 'ai-title':
      return face('title', stringAt(fields, 'aiTitle') ?? stringAt(fields, 'title'));
    case 'system':
      return describeSystem(fields);
    case 'attachment':
      return face(`attachment.${typeIn(fields, 'attachment')}`, 'context added by the client');
    case 'progress':
      return describeProgress(fields);
    case 'queue-operation':
      return face(type, `${stringAt(fields, 'operation') ?? 'change'}: ${stringAt(fields, 'content') ?? 'the queue'}`);
    default:
      if (PLAIN.has(type)) return face(type, type.replaceAll('-', ' '));
      return { kind: `unknown:${type}`, text: `a record of the unknown type "${type}"`, known: false };
  }
}

function describeSystem(fields: Fields): EventFace {
  const subtype = stringAt(fields, 'subtype') ?? 'note';
  if (subtype === 'microcompact_boundary') {
    const saved = numberAt(recordAt(fields, 'microcompactMetadata') ?? {}, 'tokensSaved');
    return face('compaction', `micro-compaction${saved === undefined ? '' : `, ${countOf(saved, 'token')} saved`}`);
  }
  return face(`system.${subtype}`, stringAt(fields, 'content') ?? subtype.replaceAll('_', ' '));
}

function describeProgress(fields: Fields): EventFace {
  const data = recordAt(fields, 'data') ?? {};
  const what = stringAt(data, 'hookName') ?? stringAt(data, 'output') ?? stringAt(data, 'query');
  return face(`progress.${stringAt(data, 'type') ?? 'note'}`, what ?? 'progress');
}

function typeIn(fields: Fields, key: string): string {
  const inner = ownAt(fields, key);
  return (isRecord(inner) ? stringAt(inner, 'type') : undefined) ?? 'note';
}

function face(kind: string, text: string | undefined): EventFace {
  return { kind, text: titleOf(text ?? '') ?? kind, known: true };
}
