// Specs as a transcript's session reads them: with the context policies of its scopes put in.
import { problemTexts } from '../../model/problem.ts';
import { NO_SCOPES, type PolicyScopes, withScopes } from '../../projection/contextScopes.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';

/** The policies behind a transcript's specs; id null = the workspace's alone. */
export function scopesOf({ library }: Engine, id: string | null): PolicyScopes {
  const { contextPolicies } = library.tables;
  return {
    transcript: id === null ? null : contextPolicies.ofTranscript(id),
    workspace: contextPolicies.ofWorkspace(),
  };
}

/**
 * A spec as the user gave it, parsed, for one transcript: values that it leaves open come from the transcript's policy,
 * then the workspace's. Error: `spec.invalid`, the problems as JSON in its cause.
 */
export function readSpecFor(engine: Engine, id: string, spec: unknown): Result<ParsedSpec, ProtocolError> {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) return err(failure('spec.invalid', problemTexts(parsed.error), JSON.stringify(parsed.error)));
  const isScoped = parsed.value.stages.some(({ traits }) => traits.isScoped === true);
  return ok(withScopes(parsed.value, isScoped ? scopesOf(engine, id) : NO_SCOPES, STAGES));
}
