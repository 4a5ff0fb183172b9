import { lintSession, type SessionRequest } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import type { LintReport } from '../../core/wire/lint.ts';
import { aboutOf } from './inputs.ts';
import type { Projector } from './projecting.ts';

/** A request of a transcript that was read. */
export interface RequestToLint extends Omit<SessionRequest, 'about'> {
  readonly transcript: ImportedTranscript;
}

/** What the provider would refuse of a request. */
export function lintRequest(projector: Projector, { transcript, ...asked }: RequestToLint): Promise<LintReport> {
  return lintSession(projector, { ...asked, about: aboutOf(transcript) });
}
