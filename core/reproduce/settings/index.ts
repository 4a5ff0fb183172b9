// A tuned policy in the vendors' own settings: what each can say of it, and what it cannot.
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import { codeBlock } from '../../report/markdown.ts';
import { aiSdkCode, pruneOptions } from './aiSdk.ts';
import { anthropicCode, anthropicEdit } from './anthropic.ts';
import { langchainCode, langchainMiddleware } from './langchain.ts';
import { openaiCode, openaiMembers } from './openai.ts';
import type { Said, SettingStage, SettingsVendor, Unsaid, VendorSettings } from './types.ts';

export type { SettingsVendor, VendorSettings } from './types.ts';

/** A vendor: what it can say of one stage, and how the parts are one text. */
interface Vendor<T> {
  readonly vendor: SettingsVendor;
  readonly title: string;
  readonly language: VendorSettings['language'];
  /** What its settings know, for the stages that they do not. */
  readonly knows: string;
  say(stage: SettingStage): Said<T> | string | null;
  code(parts: readonly T[]): { readonly code: string; readonly notes: readonly string[] };
}

/** The policy in the settings of each vendor that can say any of its stages; the others follow, with the reasons. */
export function vendorSettings(parsed: Pick<ParsedSpec, 'spec' | 'stages'>): readonly VendorSettings[] {
  const stages = parsed.stages.flatMap(({ enabled, position, kind, title }): SettingStage[] =>
    enabled ? [{ position, kind, title, options: parsed.spec.stages[position]?.options ?? {} }] : [],
  );
  const all = [
    settingsOf(stages, {
      vendor: 'anthropic',
      title: 'Anthropic context_management',
      language: 'json',
      knows:
        'Anthropic’s settings know the clearing of tool uses, the clearing of thinking and a compaction at a threshold',
      say: anthropicEdit,
      code: anthropicCode,
    }),
    settingsOf(stages, {
      vendor: 'openai',
      title: 'OpenAI Responses',
      language: 'json',
      knows: 'OpenAI’s settings know truncation at the window and a compaction at a threshold',
      say: openaiMembers,
      code: openaiCode,
    }),
    settingsOf(stages, {
      vendor: 'langchain',
      title: 'LangChain middleware',
      language: 'typescript',
      knows:
        'LangChain has middleware that clears tool uses and trims messages by tokens; anything else is custom code',
      say: langchainMiddleware,
      code: langchainCode,
    }),
    settingsOf(stages, {
      vendor: 'ai-sdk',
      title: 'AI SDK prepareStep',
      language: 'typescript',
      knows:
        'the AI SDK’s pruneMessages takes out reasoning and tool calls; anything else in prepareStep is custom code',
      say: pruneOptions,
      code: aiSdkCode,
    }),
  ];
  return [...all.filter(({ code }) => code !== null), ...all.filter(({ code }) => code === null)];
}

function settingsOf<T>(stages: readonly SettingStage[], vendor: Vendor<T>): VendorSettings {
  const parts: T[] = [];
  const notes: string[] = [];
  const unsaid: Unsaid[] = [];
  for (const stage of stages) {
    const said = vendor.say(stage);
    if (said !== null && typeof said !== 'string') {
      parts.push(said.value);
      notes.push(...(said.notes ?? []));
      continue;
    }
    unsaid.push({ stage: stage.position, title: stage.title, why: said ?? reasonFor(stage, vendor.knows) });
  }
  const { title, language } = vendor;
  const made = parts.length === 0 ? { code: null, notes: [] } : vendor.code(parts);
  return { vendor: vendor.vendor, title, language, code: made.code, notes: [...made.notes, ...notes], unsaid };
}

function reasonFor({ kind }: SettingStage, knows: string): string {
  // No setting is needed: the history that is sent is what such a stage gives.
  const { gives, repairs } = STAGES.traitsOf(kind);
  if (gives !== undefined) return 'it is what the runtime kept, not a setting';
  if (repairs === true) return 'it repairs the history before it is sent: the client’s own work';
  return knows;
}

/** The settings as Markdown: a heading for each vendor, its code, what differs and what cannot be said. */
export function settingsMarkdown(all: readonly VendorSettings[]): string {
  return `${all.map(vendorMarkdown).join('\n\n')}\n`;
}

function vendorMarkdown({ title, language, code, notes, unsaid }: VendorSettings): string {
  const lines = [`## ${title}`, ''];
  if (code === null) lines.push('Cannot say this policy.');
  else lines.push(...codeBlock(language, code.trimEnd()));
  if (notes.length > 0) lines.push('', ...notes.map((each) => `- ${each}`));
  if (unsaid.length > 0) {
    lines.push('', ...unsaid.map(({ stage, title: name, why }) => `- Not said: stage ${stage + 1}, ${name}: ${why}.`));
  }
  return lines.join('\n');
}
