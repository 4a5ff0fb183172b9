// The obvious way to the thinking that fails: for each block that is sent, put together what the request that made it held
// before it, and what this one holds, and compare them as texts. Only where no stage of a provider takes part, and nothing
// but the stages decides what is sent.
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { isRecord, ownAt } from '../../core/util/unknown.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';

interface Found {
  readonly failing: number;
  readonly first: number | null;
  /** The signatures of the blocks that are sent: those that hold, and those that fail. */
  readonly holds: readonly string[];
  readonly fails: readonly string[];
}

interface Conversation {
  /** Blocks that are not thinking, message by message; thinking by its signature, with how many blocks stand before it. */
  readonly blocks: readonly string[];
  readonly thinking: readonly { readonly signature: string; readonly before: number }[];
}

/** How many blocks fail, and the message of the first; null = a stage of a provider takes part. */
export function obviousOutcome(source: TranscriptSource, stages: readonly ResolvedStage[], at: number): Found | null {
  if (stages.some(({ enabled, keepsThinking }) => enabled && keepsThinking === 'provider')) return null;
  const made = madeBehind(source);
  const sent = read(source, stages, at);
  const recorded = [...made.keys()].filter((signature) => (made.get(signature)?.index ?? at) < at);
  const sentSignatures = new Set(sent.thinking.map(({ signature }) => signature));
  const known = sent.thinking.filter(({ signature }) => made.has(signature));
  let run: 'before' | 'within' | 'after' = 'before';
  const fails: string[] = [];
  const holds: string[] = [];
  let first: number | null = null;
  const fail = (signature: string): void => {
    const index = made.get(signature)?.index ?? null;
    fails.push(signature);
    if (index !== null && (first === null || index < first)) first = index;
  };
  const strange = new Set(
    known.filter(({ signature, before }) => !sameBeginning(made.get(signature)?.blocks, sent.blocks, before)),
  );
  const strangers = new Set([...strange].map(({ signature }) => signature));
  for (const signature of recorded) {
    if (strangers.has(signature)) fail(signature);
    else if (!sentSignatures.has(signature)) run = run === 'within' ? 'after' : run;
    else if (run === 'after') fail(signature);
    else {
      run = 'within';
      holds.push(signature);
    }
  }
  return { failing: fails.length, first, holds, fails };
}

function sameBeginning(made: readonly string[] | undefined, sent: readonly string[], before: number): boolean {
  return made !== undefined && made.length === before && made.every((block, at) => block === sent[at]);
}

// What stood before each block in the request that made it, and in its own message.
function madeBehind(
  source: TranscriptSource,
): Map<string, { readonly index: number; readonly blocks: readonly string[] }> {
  const recorded = source.compactions().length > 0 ? stagesOf({ version: 1, stages: ['recorded_compaction'] }) : [];
  const made = new Map<string, { readonly index: number; readonly blocks: readonly string[] }>();
  for (const index of callPoints(source)) {
    if (index >= source.length) continue;
    const before = read(source, recorded, index);
    const own = conversation([source.text(index)]);
    for (const { signature, before: within } of own.thinking) {
      if (!made.has(signature))
        made.set(signature, { index, blocks: [...before.blocks, ...own.blocks.slice(0, within)] });
    }
  }
  return made;
}

function read(source: TranscriptSource, stages: readonly ResolvedStage[], at: number): Conversation {
  const { view } = project(source, stages, at);
  return conversation(view.items.map((item) => itemText(item, source)));
}

function conversation(texts: readonly string[]): Conversation {
  const blocks: string[] = [];
  const thinking: { signature: string; before: number }[] = [];
  for (const text of texts) {
    const message: unknown = JSON.parse(text);
    if (!isRecord(message)) continue;
    const content = ownAt(message, 'content');
    const list: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    let opened = false;
    for (const block of list) {
      const signature = isRecord(block) ? ownAt(block, 'signature') : undefined;
      if (typeof signature === 'string') thinking.push({ signature, before: blocks.length });
      else if (!isRecord(block) || ownAt(block, 'type') !== 'thinking') {
        blocks.push(`${opened ? '' : `${String(ownAt(message, 'role'))}:`}${JSON.stringify(block)}`);
        opened = true;
      }
    }
  }
  return { blocks, thinking };
}
