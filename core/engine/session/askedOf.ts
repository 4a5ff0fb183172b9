// What most questions begin with: the session they are about, the policy as its transcript's scopes read it, a call point.
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { readAt } from './projecting.ts';
import type { Session } from './session.ts';

/** A session under a policy. */
export interface Asked {
  readonly session: Session;
  readonly parsed: ParsedSpec;
}

/** The session and the policy that a question names. Errors: those of both. */
export function askedOf(
  engine: Engine,
  { id, spec }: { readonly id: string; readonly spec: unknown },
): Result<Asked, ProtocolError> {
  const session = engine.session(id);
  if (!session.ok) return session;
  const parsed = readSpecFor(engine, id, spec);
  return parsed.ok ? ok({ session: session.value, parsed: parsed.value }) : parsed;
}

/** The same at a call point; `at` null = the end. */
export function askedAt(
  engine: Engine,
  question: { readonly id: string; readonly spec: unknown; readonly at: number | null },
): Result<Asked & { readonly at: number }, ProtocolError> {
  const asked = askedOf(engine, question);
  if (!asked.ok) return asked;
  const at = readAt(asked.value.session, question.at);
  return at.ok ? ok({ ...asked.value, at: at.value }) : at;
}
