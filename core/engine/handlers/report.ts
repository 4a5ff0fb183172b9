import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { parseSpec } from '../../projection/parseSpec.ts';
import { projectSteps } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Projection } from '../../projection/types.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { type BundleInput, type BundleSums, bundleChunks } from '../../report/bundle.ts';
import { bundleMarkdown } from '../../report/markdown.ts';
import { rawSliceHash } from '../../report/rawSlice.ts';
import { type Bundle, readBundle } from '../../report/readBundle.ts';
import { verifyBundle } from '../../report/verify.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { compute, readAt, readSpec } from '../projecting.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import type { Session } from '../session/session.ts';
import { summaryOf } from '../summary.ts';
import { userCodeAnswer } from '../userCode.ts';
import { ENGINE_VERSION } from '../version.ts';

/** Bug-report bundles: written with a description beside them, and checked. */
export function reportHandlers(engine: Engine): Pick<Handlers, 'export.write' | 'verify.file'> {
  return {
    async 'export.write'({ id, spec, at, path }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const parsed = readSpec(spec);
      if (!parsed.ok) return parsed;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const { projection, hash } = await compute(engine, session.value, parsed.value, place.value);
      const prefixHash = await hash.ready();
      const input = bundleInput(session.value, parsed.value.spec, projection);
      const name = `${id.slice(0, 12)}-at-${place.value}-${prefixHash.slice(7, 15)}.parallax.json`;
      const target = path ?? join(engine.library.dir, 'exports', name);
      return writeBundle(input, { prefixHash, rawSha256: rawSliceHash(input.source, place.value, nodeSha256) }, target);
    },
    async 'verify.file'({ path }) {
      const text = await readText(path);
      if (!text.ok) return text;
      const bundle = readBundle(text.value);
      if (!bundle.ok) return err(failure(bundle.error.code, bundle.error.text));
      const projection = await projectBundle(engine.sandbox, bundle.value);
      if (!projection.ok) return projection;
      return ok(verifyBundle(bundle.value, projection.value, ENGINE_VERSION, nodeSha256));
    },
  };
}

function bundleInput(session: Session, spec: BundleInput['spec'], projection: Projection): BundleInput {
  const tokens = session.tokenizing(spec.tokenizer);
  const { id, title, format } = summaryOf(session.source.row(), null);
  return {
    engineVersion: ENGINE_VERSION,
    transcript: { id, title, format },
    source: session.source,
    spec,
    projection,
    tokens: {
      tokenizer: tokens.table.tokenizer,
      raw: tokens.rawFigure(projection.at),
      projected: tokens.viewFigure(projection.view, { chars: Number.POSITIVE_INFINITY }).figure,
    },
    sha256: nodeSha256,
  };
}

async function writeBundle(input: BundleInput, sums: BundleSums, path: string) {
  const partial = `${path}.partial`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.from(inPieces(bundleChunks(input, sums))), createWriteStream(partial));
    await rename(partial, path);
    await writeFile(`${path}.md`, bundleMarkdown(input, sums, basename(path)));
    const { size } = await stat(path);
    return ok({ path, bytes: size, prefixHash: sums.prefixHash });
  } catch (error) {
    await rm(partial, { force: true });
    return fileFailure('export.not_written', path, error);
  }
}

const PIECE_CHARS = 256_000;

/** The same text in larger pieces: a message a write costs more than the message. Others are answered in between. */
async function* inPieces(chunks: Iterable<string>): AsyncGenerator<string> {
  let held: string[] = [];
  let chars = 0;
  for (const chunk of chunks) {
    held.push(chunk);
    chars += chunk.length;
    if (chars < PIECE_CHARS) continue;
    yield held.join('');
    held = [];
    chars = 0;
    await setImmediate();
  }
  yield held.join('');
}

async function readText(path: string): Promise<Result<string, ProtocolError>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    return fileFailure('verify.unreadable', path, error);
  }
}

/** What the file system refuses is the user's to mend; anything else is a bug. */
function fileFailure(code: string, path: string, error: unknown): Result<never, ProtocolError> {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
  return err(failure(code, `${path}: ${error.message}`, String(error.code)));
}

async function projectBundle(sandbox: SandboxClient, bundle: Bundle): Promise<Result<Projection, ProtocolError>> {
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) return err(failure('spec.invalid', parsed.error.map(({ text }) => text).join(' ')));
  const run = projectSteps(bundle.source, parsed.value.stages, bundle.head.at, { sha256: nodeSha256 });
  let step = run.next();
  while (!step.done) step = run.next(await userCodeAnswer(sandbox, step.value));
  return ok(step.value);
}
