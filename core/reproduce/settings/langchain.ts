// LangChain's middleware. Source: reference.langchain.com/javascript, contextEditingMiddleware, ClearToolUsesEditConfig,
// createMiddleware (langchain 1.5.14) and TrimMessagesFields (@langchain/core 1.2.13), November 2026.
import { langchainClearToolUses, langchainTrimMessages } from '../../stages/vendors/index.ts';
import { importLine, literalOf, TYPESCRIPT } from '../literals.ts';
import { paramsOf, type Said, type SettingStage } from './types.ts';

/** A middleware's code, and what it needs of which package. */
export interface Middleware {
  readonly code: string;
  readonly uses: readonly string[];
}

/** The middleware that a stage is. */
export function langchainMiddleware(stage: SettingStage): Said<Middleware> | null {
  return clearToolUses(stage) ?? trimMessages(stage);
}

const OWN_WINDOW = 'Shares are of the window that the chat model states, not of the one in the policy.';

function clearToolUses(stage: SettingStage): Said<Middleware> | null {
  const params = paramsOf(stage, langchainClearToolUses);
  if (params === null) return null;
  const { triggers, keepUnit, keep, clearToolInputs, excludeTools, placeholder, window } = params;
  const given = triggers
    .map((trigger) => Object.fromEntries(Object.entries(trigger).filter(([, value]) => value > 0)))
    .filter((trigger) => Object.keys(trigger).length > 0);
  const config = {
    trigger: given.length === 1 ? given[0] : given,
    keep: { [keepUnit]: keep },
    clearToolInputs,
    excludeTools: [...excludeTools],
    placeholder,
  };
  const edit = `new ClearToolUsesEdit(${literalOf(JSON.stringify(config), TYPESCRIPT, 3)})`;
  const code = `contextEditingMiddleware({\n    edits: [\n      ${edit},\n    ],\n  })`;
  const notes = window > 0 ? [OWN_WINDOW] : [];
  return { value: { code, uses: ['ClearToolUsesEdit', 'contextEditingMiddleware'] }, notes };
}

function trimMessages(stage: SettingStage): Said<Middleware> | null {
  const params = paramsOf(stage, langchainTrimMessages);
  if (params === null) return null;
  const { strategy, maxTokens, startOn, endOn, includeSystem, allowPartial } = params;
  const fields = {
    strategy,
    maxTokens,
    ...(startOn.size > 0 && { startOn: [...startOn] }),
    ...(endOn.size > 0 && { endOn: [...endOn] }),
    ...(includeSystem && { includeSystem }),
    ...(allowPartial && { allowPartial }),
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `        ${name}: ${literalOf(JSON.stringify(value), TYPESCRIPT)},\n`,
  );
  const code = `createMiddleware({
    name: 'TrimMessages${stage.position + 1}',
    wrapModelCall: async (request, handler) => {
      const messages = await trimMessages(request.messages, {
${lines.join('')}        tokenCounter: model,
      });
      return handler({ ...request, messages });
    },
  })`;
  const notes = [
    '"model" is the agent\'s chat model: it counts the tokens, so figures may differ from those counted here.',
  ];
  return { value: { code, uses: ['createMiddleware', 'trimMessages'] }, notes };
}

const CORE: ReadonlySet<string> = new Set(['trimMessages']);

/** The list of middleware for `createAgent`, first come first served. */
export function langchainCode(list: readonly Middleware[]): {
  readonly code: string;
  readonly notes: readonly string[];
} {
  const uses = [...new Set(list.flatMap((each) => each.uses))].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  const own = ['createAgent', ...uses.filter((name) => !CORE.has(name))].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  const core = uses.filter((name) => CORE.has(name));
  const imports = [
    ...(core.length === 0 ? [] : [importLine(`{ ${core.join(', ')} }`, '@langchain/core/messages')]),
    importLine(`{ ${own.join(', ')} }`, 'langchain'),
  ];
  const entries = list.map(({ code }) => `  ${code},\n`).join('');
  return {
    code: `${imports.join('\n')}\n\nconst middleware = [\n${entries}];\n\nconst agent = createAgent({ model, tools, middleware });\n`,
    notes: ['Of several middlewares that wrap the call of the model the first is the outermost: it runs first.'],
  };
}
