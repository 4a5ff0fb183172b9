// A detached signature of a bundle: an in-toto statement in a DSSE envelope (github.com/in-toto/attestation, spec/v1;
// github.com/secure-systems-lab/dsse, protocol 1.0.2). Keys and bytes are the host's.
import { z } from 'zod';
import { err, ok, type Result } from '../util/result.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'urn:parallax:bundle:v2';

/** What a signature is about: a file and its SHA-256, hexadecimal. */
export interface SignedSubject {
  readonly name: string;
  readonly sha256: string;
}

/** An envelope as it is written beside a bundle. */
export const Envelope = z.object({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.base64(),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.base64() })).min(1),
});
export type Envelope = z.infer<typeof Envelope>;

const Statement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })).min(1),
});

/** The statement that a bundle was made: JSON text. */
export function statementOf({ name, sha256 }: SignedSubject, predicate: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    _type: STATEMENT_TYPE,
    subject: [{ name, digest: { sha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate,
  });
}

/** The text that is signed for a statement: DSSE's pre-authentication encoding. */
export function signedText(statement: string): string {
  const length = (text: string): number => new TextEncoder().encode(text).length;
  return `DSSEv1 ${length(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${length(statement)} ${statement}`;
}

/** The envelope of a statement and its signature, both base64. */
export function envelopeOf(payload: string, keyid: string, sig: string): Envelope {
  return { payloadType: PAYLOAD_TYPE, payload, signatures: [{ keyid, sig }] };
}

/** Reads an envelope's text. Error: what is wrong with it. */
export function readEnvelope(text: string): Result<Envelope, string> {
  const read = Envelope.safeParse(jsonOf(text));
  return read.success ? ok(read.data) : err('The signature is not a DSSE envelope with an in-toto statement.');
}

/** The SHA-256 that a statement states of its subject. Error: what is wrong with it. */
export function subjectOf(statement: string): Result<SignedSubject, string> {
  const read = Statement.safeParse(jsonOf(statement));
  const subject = read.data?.subject[0];
  if (subject === undefined) return err('The signature is of something else than a file.');
  return ok({ name: subject.name, sha256: subject.digest.sha256 });
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
