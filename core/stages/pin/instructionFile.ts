// What coding agents put into a conversation of a file of instructions: known by its heading, within the wrapper of the runtime.
import type { Part } from '../../model/message.ts';
import { partText } from '../../model/partText.ts';

const FILES = '(?:AGENTS|CLAUDE(?:\\.local)?|GEMINI|QWEN|CONVENTIONS|copilot-instructions)\\.md';

const HEADINGS = new RegExp(
  `^\\s*(?:<user_instructions>|# AGENTS\\.md instructions for |<INSTRUCTIONS>|# (?:Project|Repository) [Ii]nstructions\\b)|Codebase and user instructions are shown below|(?:Contents of|--- Context from:|<file[^>]{0,40}path=)[^\\n]{0,400}${FILES}|^\\s*# ${FILES}`,
);

/** Headings are at the beginning. Unit: UTF-16 units. */
const LOOKED_AT = 4_000;

/** The parts of a message that are a file of instructions. */
export function instructionParts(message: unknown, parts: readonly Part[]): readonly number[] {
  return [...parts.keys()].filter((at) => {
    const part = parts[at];
    return part?.kind === 'text' && HEADINGS.test(partText(message, part).slice(0, LOOKED_AT));
  });
}

/** False if the JSON text of a message cannot hold one: a quick look before it is parsed. */
export function mayBeInstructions(json: string): boolean {
  return /instructions|INSTRUCTIONS|Instructions|\.md/.test(json.slice(0, LOOKED_AT * 2));
}
