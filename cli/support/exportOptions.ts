// Which options of `parallax export` act together: one that would do nothing is refused, not passed over.
import { resolve } from 'node:path';
import { checkNotEmpty, usageFailure } from './failure.ts';

/** What a command line may ask of `export`. */
type Form = 'bundle' | 'wire' | 'thread';

interface Rule {
  readonly flag: string;
  /** The forms in which it does something. */
  readonly forms: readonly Form[];
  /** With this it does nothing. */
  readonly without?: 'unscrubbed';
  /** It does something only with this. */
  readonly needs?: 'slice';
}

const SCRUBS: Pick<Rule, 'forms' | 'without'> = { forms: ['bundle'], without: 'unscrubbed' };

const OPTIONS: Readonly<Record<string, Rule>> = {
  unscrubbed: { flag: '--unscrubbed', forms: ['bundle'] },
  maskCandidates: { flag: '--mask-candidates', ...SCRUBS },
  keep: { flag: '--keep', ...SCRUBS },
  word: { flag: '--word', ...SCRUBS },
  pattern: { flag: '--pattern', ...SCRUBS },
  library: { flag: '--library', forms: ['bundle', 'thread'], without: 'unscrubbed' },
  html: { flag: '--html', forms: ['bundle'] },
  markdown: { flag: '--markdown', forms: ['bundle'] },
  slice: { flag: '--slice', forms: ['bundle'] },
  text: { flag: '--text', forms: ['bundle'], needs: 'slice' },
  findings: { flag: '--findings', forms: ['bundle'] },
  sign: { flag: '--sign', forms: ['bundle'] },
  policy: { flag: '--policy', forms: ['bundle', 'wire'] },
  spec: { flag: '--spec', forms: ['bundle', 'wire'] },
  model: { flag: '--model', forms: ['wire'] },
  maxTokens: { flag: '--max-tokens', forms: ['wire'] },
  repair: { flag: '--repair', forms: ['wire'] },
  strict: { flag: '--strict', forms: ['wire'] },
  preservedThinking: { flag: '--preserved-thinking', forms: ['bundle', 'wire'] },
  readBy: { flag: '--read-by', forms: ['bundle', 'wire'] },
  accountCreated: { flag: '--account-created', forms: ['bundle', 'wire'] },
};

type Given = Readonly<Record<string, unknown>>;

/** Ends the command with exit code 2 if an option would be without effect, or two outputs are one file. */
export function checkExportOptions(file: string, options: object): void {
  const given: Given = { ...options };
  if (given.wire !== undefined && given.thread !== undefined) throw usageFailure('--wire or --thread, not both');
  const form: Form = given.thread !== undefined ? 'thread' : given.wire !== undefined ? 'wire' : 'bundle';
  const isGiven = (name: string) => given[name] !== undefined && given[name] !== false;
  for (const [name, { flag, forms, without, needs }] of Object.entries(OPTIONS)) {
    if (!isGiven(name)) continue;
    if (!forms.includes(form)) throw usageFailure(`${flag} ${whereItActs(forms, form)}`);
    if (without !== undefined && isGiven(without))
      throw usageFailure(`${flag} does nothing with --${without}: nothing is masked. Leave one of them out`);
    if (needs !== undefined && !isGiven(needs)) throw usageFailure(`${flag} needs --${needs}`);
  }
  checkOutputs(file, given);
}

function whereItActs(forms: readonly Form[], form: Form): string {
  if (form === 'bundle') return 'needs --wire: a bundle has no use for it';
  const others = forms.includes('bundle') ? 'a bundle' : 'a request';
  return `does nothing with --${form}: it is for ${others}`;
}

function checkOutputs(file: string, given: Given): void {
  if (given.output !== undefined && given.out !== undefined)
    throw usageFailure('--out is --output by another name: give one of them');
  const outputs = [
    ...[given.output ?? given.out].map((path) => ({ flag: '--output', path })),
    { flag: '--html', path: given.html },
    { flag: '--markdown', path: given.markdown },
  ].flatMap(({ flag, path }) => (typeof path === 'string' ? [{ flag, path }] : []));
  for (const [at, { flag, path }] of outputs.entries()) {
    checkNotEmpty(flag, path);
    if (file !== '-' && resolve(path) === resolve(file))
      throw usageFailure(`${flag} is the transcript itself: give another file`);
    const other = outputs.slice(0, at).find((one) => resolve(one.path) === resolve(path));
    if (other !== undefined) throw usageFailure(`${flag} and ${other.flag} are the same file`);
  }
}
