// Ed25519 keys on disk, and signatures beside bundles.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { envelopeOf, readEnvelope, signedText, statementOf, subjectOf } from '../../core/report/attestation.ts';
import { inputFailure } from './failure.ts';
import { readErrorText } from './readError.ts';
import { readSmallText } from './smallFile.ts';
import { writeChunks } from './writeChunks.ts';

/** The file of a bundle's signature. */
export function signatureFile(bundle: string): string {
  return `${bundle}.dsse.json`;
}

/** What a key is called: the beginning of the SHA-256 of its public half (SPKI, DER). */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(publicOf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

function publicOf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}

/** A new pair of keys as PEM texts. */
export function newKeys(): { readonly privatePem: string; readonly publicPem: string; readonly id: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    id: keyId(publicKey),
  };
}

/** The Ed25519 key of a PEM file. */
export async function readKey(path: string, half: 'private' | 'public'): Promise<KeyObject> {
  const text = readSmallText(path);
  const key = keyOf(text, half);
  if (key === null || key.asymmetricKeyType !== 'ed25519') {
    throw inputFailure(
      `${path} is not ${half === 'private' ? 'a private' : 'an'} Ed25519 key in PEM; "parallax keys" makes one`,
    );
  }
  return key;
}

function keyOf(text: string, half: 'private' | 'public'): KeyObject | null {
  try {
    return half === 'private' ? createPrivateKey(text) : createPublicKey(text);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** Signs a file that was written; the signature's file. Fails with an input failure that says what is there by then. */
export async function signFile(
  path: string,
  key: KeyObject,
  predicate: Readonly<Record<string, unknown>>,
): Promise<string> {
  const written = await readFile(path).catch((error: unknown) => {
    throw inputFailure(`${path} is written, and not signed: ${readErrorText(path, error)}`);
  });
  const sha256 = createHash('sha256').update(written).digest('hex');
  const statement = statementOf({ name: basename(path), sha256 }, predicate);
  const sig = sign(null, Buffer.from(signedText(statement)), key).toString('base64');
  const envelope = envelopeOf(Buffer.from(statement).toString('base64'), keyId(key), sig);
  const out = signatureFile(path);
  await writeChunks(out, [`${JSON.stringify(envelope)}\n`], `${path} is written; its signature`);
  return out;
}

/** Whether a file is signed by a key; else why not, in a sentence. */
export async function checkSignature(
  path: string,
  key: KeyObject,
): Promise<{ readonly isGood: boolean; readonly text: string }> {
  const bad = (text: string) => ({ isGood: false, text });
  const file = signatureFile(path);
  const text = readSmallText(file);
  const envelope = readEnvelope(text);
  if (!envelope.ok) return bad(envelope.error);
  const statement = Buffer.from(envelope.value.payload, 'base64').toString('utf8');
  const id = keyId(key);
  const isSigned = envelope.value.signatures.some(({ sig }) => {
    return verify(null, Buffer.from(signedText(statement)), publicOf(key), Buffer.from(sig, 'base64'));
  });
  if (!isSigned) return bad(`not signed by the key ${id}`);
  const subject = subjectOf(statement);
  if (!subject.ok) return bad(subject.error);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return sha256 === subject.value.sha256
    ? { isGood: true, text: `good, by the key ${id}` }
    : bad('signed, but the file was changed since');
}
