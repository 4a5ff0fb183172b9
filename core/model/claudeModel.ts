// Which Claude model a name means: rules of Anthropic's API hold from one version of a family on.

/** The families whose rules differ. */
export type ClaudeFamily = 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos';

/** A model by family and version: `claude-opus-4-6` = opus 4.6; `claude-mythos-preview` = mythos 0. */
export interface ClaudeModel {
  readonly family: ClaudeFamily;
  /** Major and minor as one number to compare: 4.6 = 406. */
  readonly version: number;
}

// Before 4 the version stood before the family: claude-3-5-sonnet.
const NEW_NAME = /(?:claude-)?(opus|sonnet|haiku|fable|mythos)-(?:(\d)(?:[-.](\d)(?!\d))?(?!\d)|preview)/;
const OLD_NAME = /claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)/;
const FAMILIES: readonly ClaudeFamily[] = ['opus', 'sonnet', 'haiku', 'fable', 'mythos'];

/**
 * Reads a model's name as providers and gateways write it (`us.anthropic.claude-opus-4-6-v1:0`, `claude-sonnet-4.6`); null
 * if it names no Claude model with a version.
 */
export function claudeModel(name: string): ClaudeModel | null {
  const plain = name.toLowerCase();
  const old = OLD_NAME.exec(plain);
  if (old !== null) return read(old[3], old[1], old[2]);
  const found = NEW_NAME.exec(plain);
  return found === null ? null : read(found[1], found[2], found[3]);
}

function read(name: string | undefined, major = '0', minor = '0'): ClaudeModel | null {
  const family = FAMILIES.find((each) => each === name);
  return family === undefined ? null : { family, version: Number(major) * 100 + Number(minor) };
}

/** True if the model is of one of these families at least at the version given for it (4.6 = 406). */
export function isFrom(model: ClaudeModel, from: Readonly<Partial<Record<ClaudeFamily, number>>>): boolean {
  const first = from[model.family];
  return first !== undefined && model.version >= first;
}
