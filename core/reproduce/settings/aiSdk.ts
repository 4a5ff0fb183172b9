// The AI SDK's `prepareStep` with `pruneMessages`. Source: ai-sdk.dev, docs/agents/loop-control and
// reference/ai-sdk-ui/prune-messages; types of `ai` 7.0.173 (November 2026).
import { vercelPruneMessages } from '../../stages/vendors/index.ts';
import { importLine, literalOf, TYPESCRIPT } from '../literals.ts';
import { paramsOf, type Said, type SettingStage } from './types.ts';

/** Options of one `pruneMessages`. */
export type PruneOptions = Readonly<Record<string, unknown>>;

/** The options that a stage is. */
export function pruneOptions(stage: SettingStage): Said<PruneOptions> | null {
  const params = paramsOf(stage, vercelPruneMessages);
  if (params === null) return null;
  const { reasoning, toolCalls, keepLast, tools, keepEmpty } = params;
  const type = toolCalls === 'before-last-n-messages' ? `before-last-${keepLast ?? 1}-messages` : toolCalls;
  const isNarrow = tools.size > 0 && toolCalls !== 'none';
  const value = {
    reasoning,
    toolCalls: isNarrow ? [{ type, tools: [...tools] }] : type,
    emptyMessages: keepEmpty ? 'keep' : 'remove',
  };
  return { value };
}

/** A `prepareStep` for `ToolLoopAgent`, `generateText` and `streamText`. */
export function aiSdkCode(list: readonly PruneOptions[]): { readonly code: string; readonly notes: readonly string[] } {
  const steps = list.map((options) => {
    const members = Object.entries(options).map(
      ([name, value]) => `    ${name}: ${literalOf(JSON.stringify(value), TYPESCRIPT)},\n`,
    );
    return `  kept = pruneMessages({\n    messages: kept,\n${members.join('')}  });\n`;
  });
  const code = `${importLine('{ type ModelMessage, pruneMessages }', 'ai')}

const prepareStep = ({ messages }: { messages: ModelMessage[] }) => {
  let kept = messages;
${steps.join('')}  return { messages: kept };
};
`;
  return {
    code,
    notes: ['Messages returned by prepareStep carry forward to later steps: what was pruned once stays out.'],
  };
}
