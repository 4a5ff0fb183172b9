// Which models hold thinking blocks against the conversation they were made in, and whose blocks a model reads. Source:
// platform.claude.com, "Preserved thinking" (September 2026), its later lists (October, November), and AWS's "Claude
// Messages: thinking block binding".
import { bareModelId } from '../../tokens/models.ts';

type Family = 'fable' | 'mythos' | 'opus' | 'sonnet' | 'haiku';

/** A Claude model by family and version; `minor` 0 where the id has none. */
interface ClaudeModel {
  readonly family: Family;
  readonly major: number;
  readonly minor: number;
}

const NEW_NAME = /^claude-(fable|mythos|opus|sonnet|haiku)-(\d{1,2})(?:-(\d{1,2})(?!\d))?(?!\d)/;
const OLD_NAME = /^claude-(\d)(?:-(\d))?-(opus|sonnet|haiku)/;

function readModel(model: string): ClaudeModel | null {
  const id = bareModelId(model);
  const named = NEW_NAME.exec(id);
  if (named !== null) return made(named[1], named[2], named[3]);
  const old = OLD_NAME.exec(id);
  return old === null ? null : made(old[3], old[1], old[2]);
}

function made(family: string | undefined, major: string | undefined, minor: string | undefined): ClaudeModel {
  return {
    family: FAMILIES.find((each) => each === family) ?? 'opus',
    major: Number(major),
    minor: Number(minor ?? 0),
  };
}

const FAMILIES: readonly Family[] = ['fable', 'mythos', 'opus', 'sonnet', 'haiku'];

/** The models that the page lists; of each it says that it may check. */
export const CHECKING_MODELS: readonly string[] = [
  'claude-fable-5-1',
  'claude-fable-5-2',
  'claude-mythos-5-1',
  'claude-mythos-5-2',
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
];

const CHECKING: ReadonlySet<string> = new Set(CHECKING_MODELS);

/** True if a model may refuse a thinking block whose conversation has changed. Any spelling of its id. */
export function checksPrefix(model: string | null): boolean {
  const read = model === null ? null : readModel(model);
  return read !== null && CHECKING.has(`claude-${read.family}-${read.major}-${read.minor}`);
}

const isOwnKind = ({ family }: ClaudeModel): boolean => family === 'fable' || family === 'mythos';

/** From 5.1 on blocks of Fable and Mythos are bound to their kind. */
function isBoundKind(model: ClaudeModel): boolean {
  return isOwnKind(model) && model.major === 5 && model.minor >= 1;
}

function isOpus55({ family, major, minor }: ClaudeModel): boolean {
  return family === 'opus' && major === 5 && minor === 5;
}

function isHaiku55({ family, major, minor }: ClaudeModel): boolean {
  return family === 'haiku' && major === 5 && minor === 5;
}

/**
 * Whether `reader` reads thinking that `maker` made: what it does not read is dropped without a word. `null` = no source
 * says, or one of the two is not a Claude model; nothing is dropped then.
 */
export function readsThinkingOf(reader: string, maker: string): boolean | null {
  if (bareModelId(reader) === bareModelId(maker)) return true;
  const [to, from] = [readModel(reader), readModel(maker)];
  if (to === null || from === null) return null;
  if (to.family === from.family && to.major === from.major && to.minor === from.minor) return true;
  if (isBoundKind(to)) return readByFable(from);
  if (isHaiku55(to)) return false;
  if (isOpus55(to)) return isOwnKind(from) ? false : readByOpus55(from);
  if (isBoundKind(from) || isOpus55(from)) return isOlder(to) ? false : null;
  return isOlder(to) && isOlder(from) ? true : null;
}

// Each other's, those of earlier models, and Opus 5.5's.
function readByFable(from: ClaudeModel): boolean | null {
  return isBoundKind(from) || isOpus55(from) || isOlder(from) ? true : null;
}

function readByOpus55(from: ClaudeModel): boolean | null {
  return isOlder(from) ? true : null;
}

// Before Opus 5.5 and Fable 5.1.
function isOlder({ major, minor }: ClaudeModel): boolean {
  return major < 5 || (major === 5 && minor < 1);
}
