// `parallax keys`: a pair of keys to sign bundles with.
import { access } from 'node:fs/promises';
import type { Command } from 'commander';
import { writeWhole } from '../../core/engine/files/writeWhole.ts';
import { checkNotEmpty, inputFailure, usageFailure } from '../support/failure.ts';
import { writeJson, writeLine } from '../support/output.ts';
import { writeErrorText } from '../support/readError.ts';
import { keyId, newKeys, readKey } from '../support/signing.ts';

const HELP = `
With -o: makes a pair. NAME.pem is the private key, readable by you alone: "export --sign NAME.pem" signs with it. NAME.pub.pem is
for those who check: "verify OUT --key NAME.pub.pem". With --show: the id of a key. Nothing is written over.

Exit codes: 0 done; 2 wrong usage; 3 unreadable or unwritable.`;

/** `parallax keys`. */
export function addKeys(program: Command): void {
  program
    .command('keys')
    .description('make an Ed25519 pair of keys to sign bundles with, or show the id of one')
    .option('-o, --output <name>', 'write NAME.pem and NAME.pub.pem')
    .option('--show <file>', 'the id of a public key')
    .option('--json', 'as one line of JSON')
    .addHelpText('after', HELP)
    .action(keys);
}

async function keys(options: {
  readonly output?: string;
  readonly show?: string;
  readonly json?: boolean;
}): Promise<void> {
  if (options.show !== undefined && options.output !== undefined) throw usageFailure('-o or --show, not both');
  checkNotEmpty('-o', options.output);
  if (options.show !== undefined) {
    const id = keyId(await readKey(options.show, 'public'));
    return options.json ? writeJson({ id }) : writeLine(id);
  }
  if (options.output === undefined) throw usageFailure('give -o NAME: where the keys go, or --show FILE');
  const { privatePem, publicPem, id } = newKeys();
  const [own, shared] = [`${options.output}.pem`, `${options.output}.pub.pem`];
  await writeNew(own, privatePem);
  await writeNew(shared, publicPem);
  if (options.json) await writeJson({ id, private: own, public: shared });
  else await writeLine(`${own}  ${shared}  ${id}`);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function writeNew(path: string, text: string): Promise<void> {
  if (await isThere(path)) throw inputFailure(`${path} is there already: a key is not written over`);
  try {
    await writeWhole(path, [text]);
  } catch (error) {
    throw inputFailure(`the key cannot be written: ${writeErrorText(path, error)}`, 'output.unwritable');
  }
}
