// A small session about a lamp, in OpenAI's chat form: what its messages are is known to the letter.
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A word that stands in one message alone, the result at LAMP.driver. */
export const ONLY_IN_DRIVER = 'heliotrope-4417';

/** Source indexes of the lamp session. `driver`, `fuse`, `wiring` are long results nothing later refers to. */
export const LAMP = { messages: 25, driverCall: 2, driver: 3, timer: 5, fuse: 9, tests: 11, wiring: 15 } as const;

/** Lengths of the results in characters. */
const CHARS = { driver: 1600, timer: 1200, fuse: 700, tests: 300, wiring: 900 } as const;

type ChatMessage = Readonly<Record<string, unknown>>;

const say = (role: string, content: string): ChatMessage => ({ role, content });

const call = (id: string, name: string, input: unknown): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});

const result = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content });

/** Made-up source text of that many characters; its names occur nowhere else. */
function body(path: string, chars: number, first = ''): string {
  const name = path.replaceAll(/\W/g, '_');
  let text = `${path}\n${first}\n`;
  for (let line = 1; text.length < chars; line++) text += `${name}_step_${line} = ${name}_register_${line * 7}\n`;
  return text.slice(0, chars);
}

/** The messages of the session. */
export function lampMessages(): readonly ChatMessage[] {
  return [
    say('system', 'You are a careful engineer.'),
    say('user', 'The lamp flickers. Begin with its driver.'),
    call('c1', 'read_file', { path: 'src/lamp/driver.ts' }),
    result('c1', body('src/lamp/driver.ts', CHARS.driver, `// ${ONLY_IN_DRIVER}`)),
    call('c2', 'read_file', { path: 'src/lamp/timer.ts' }),
    result('c2', body('src/lamp/timer.ts', CHARS.timer)),
    say('assistant', 'Both look right to me.'),
    say('user', 'Then look at the fuse.'),
    call('c3', 'read_file', { path: 'src/lamp/fuse.ts' }),
    result('c3', body('src/lamp/fuse.ts', CHARS.fuse)),
    call('c4', 'run_tests', { suite: 'lamp' }),
    result('c4', body('lamp.log', CHARS.tests)),
    say('assistant', 'The fuse holds.'),
    say('user', 'And the wiring?'),
    call('c5', 'read_file', { path: 'src/lamp/wiring.ts' }),
    result('c5', body('src/lamp/wiring.ts', CHARS.wiring)),
    say('assistant', 'One wire is loose.'),
    say('user', 'Is src/lamp/timer.ts to blame as well?'),
    say('assistant', 'No, it is sound.'),
    say('user', 'What do we do?'),
    say('assistant', 'We fasten the wire.'),
    say('user', 'Who does it?'),
    say('assistant', 'I do.'),
    say('user', 'Write it down.'),
    say('assistant', 'It is written down.'),
  ];
}

/** The session as the text of a file. */
export function lampJson(): string {
  return JSON.stringify({ model: 'gpt-4o', messages: lampMessages() });
}

/** A folder for the files of a test; the app may run as another user, so all may read it. */
export interface FilesDir {
  readonly path: string;
  write(name: string, text: string | Uint8Array): string;
  remove(): void;
}

/** Makes a folder for the files of a test. */
export function filesDir(): FilesDir {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'parallax-files-')));
  chmodSync(path, 0o777);
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
