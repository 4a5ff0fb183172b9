// Runs the cases of a provider-hygiene vector file. A table leads from the names of the vectors to our rules.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairSessionFile } from '../../../core/engine/files/repairSessionFile.ts';
import { memorySource } from '../../../core/model/memorySource.ts';
import { IdAllocator } from '../../../core/stages/hygiene/ids.ts';
import {
  type Change,
  DEFAULT_OPTIONS,
  type Draft,
  detect,
  openDrafts,
  policyOf,
  profileOf,
  RULES,
  type RuleContext,
  type RuleName,
  repair,
} from '../../../core/stages/hygiene/index.ts';
import { sha256Hex } from '../../../core/util/hash.ts';
import { isRecord, ownAt, stringAt } from '../../../core/util/unknown.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { rawView } from '../../../core/view/reader.ts';
import { closeDrafts } from '../closeDrafts.ts';
import { agrees, type VectorOutcome } from '../harnVectors.ts';
import { brokenInvariants } from '../hygieneInvariants.ts';

type Fields = Readonly<Record<string, unknown>>;
type Options = RuleContext['options'];

/** A vector rule → our rules, in order, and the options they run with. */
interface Mapping {
  readonly rules: readonly RuleName[];
  readonly options?: (given: Fields) => Partial<Options>;
  /** The accepted outcome is a report on pairs rather than a list of messages. */
  readonly report?: true;
}

const IDS: Mapping = {
  rules: ['tool_ids'],
  options: (given) => ({ idMode: ownAt(given, 'mode') === 'strict9' ? 'strict9' : 'strict', camelCallsOnly: true }),
};
const PAIRING: Mapping = {
  rules: ['pairing'],
  options: (given) => ({
    erroredResults: ownAt(given, 'erroredAssistantResultPolicy') === 'drop' ? 'drop' : 'preserve',
  }),
  report: true,
};
const names = (given: Fields): readonly string[] | null => {
  const list = ownAt(given, 'allowedToolNames');
  return Array.isArray(list) ? list.map(String) : null;
};
const calls = (given: Fields): Partial<Options> => ({
  allowedTools: names(given),
  keepSignedTurnsWhole: ownAt(given, 'allowProviderOwnedThinkingReplay') === true,
});

function signatures(given: Fields): Partial<Options> {
  if (ownAt(given, 'allowBase64Only') !== true) return {};
  return { signatures: ownAt(given, 'includeCamelCase') === true ? 'base64' : 'base64_snake' };
}

/** Names that begin with the key use its mapping; the longest key wins. */
const TABLE: Readonly<Record<string, Mapping>> = {
  tool_id: IDS,
  tool_id_images_only_mode: { rules: [] },
  malformed_call: { rules: ['malformed_calls'], options: calls },
  pairing: PAIRING,
  strip_result_details: { rules: ['result_details'] },
  merge_assistant: { rules: ['merge_assistant_turns'] },
  merge_user: { rules: ['merge_user_turns'] },
  // Removing calls that nothing answers came later; the outcome of the first version is to leave them.
  dangling_tool_use: { rules: ['merge_user_turns'] },
  google_bootstrap: { rules: ['google_bootstrap'] },
  history_limit: {
    rules: ['history_limit'],
    options: (given) => ({ historyLimit: Number(ownAt(given, 'limit') ?? 0) }),
  },
  thought_signature: { rules: ['thought_signatures'], options: signatures },
  antigravity: { rules: ['antigravity_thinking'] },
  openai_orphan_reasoning: { rules: ['orphan_reasoning'] },
  openai_fc_pair: { rules: ['function_call_pairs'] },
  blank: { rules: ['blank_text'] },
  image: { rules: ['images'] },
  drop_thinking: { rules: ['drop_old_thinking'] },
  inter_session: { rules: ['inter_session_marker', 'images'] },
  normalize: { rules: ['normalize_content'] },
};

const PIPELINES = new Set(['pipeline', 'openai_missing_result', 'openai_pipeline_reasoning']);

/** Whether a vector is one of hygiene. */
export function isHygieneVector(vector: Fields): boolean {
  const rule = stringAt(vector, 'rule') ?? '';
  return rule === 'session_file_repair' || rule === 'policy_matrix' || PIPELINES.has(rule) || mappingOf(rule) !== null;
}

function mappingOf(rule: string): Mapping | null {
  const keys = Object.keys(TABLE).filter((key) => rule.startsWith(key));
  const key = keys.sort((a, b) => b.length - a.length)[0];
  return key === undefined ? null : (TABLE[key] ?? null);
}

/** Runs one case. */
export async function runHygieneVector(json: string): Promise<VectorOutcome> {
  const vector: unknown = JSON.parse(json);
  if (!isRecord(vector)) return { id: '?', passed: false, report: ['the case is no object'] };
  const id = String(ownAt(vector, 'id'));
  const outcome = await outcomeOf(vector);
  const accept = ownAt(vector, 'accept');
  if (accept === 'invariants') return passIf(id, outcome.broken, outcome.got);
  if (!Array.isArray(accept)) return { id, passed: false, report: ['the case accepts no outcome'] };
  const passed = accept.some((expected: unknown) => agrees(expected, outcome.got));
  return passIf(
    id,
    passed ? outcome.always : [`accepted: ${JSON.stringify(accept).slice(0, 600)}`, ...outcome.always],
    outcome.got,
  );
}

function passIf(id: string, faults: readonly string[], got: unknown): VectorOutcome {
  if (faults.length === 0) return { id, passed: true, report: [] };
  return { id, passed: false, report: [...faults, `got: ${JSON.stringify(got)?.slice(0, 600) ?? 'nothing'}`] };
}

interface Outcome {
  readonly got: unknown;
  /** Invariants broken, where the case asks for them. */
  readonly broken: readonly string[];
  /** What must hold in every case: idempotent, input untouched, nothing to do = the same list. */
  readonly always: readonly string[];
}

async function outcomeOf(vector: Fields): Promise<Outcome> {
  const rule = stringAt(vector, 'rule') ?? '';
  const given = ownAt(vector, 'options');
  const options = isRecord(given) ? given : {};
  const input = ownAt(vector, 'input');
  if (rule === 'session_file_repair') return plain(await fileOutcome(isRecord(input) ? input : {}));
  if (rule === 'policy_matrix') return plain(policyOf(detect(targetOf(options))));
  if (rule === 'tool_id_empty') return plain(emptyIds(options));
  const list: readonly unknown[] = Array.isArray(input) ? input : [];
  if (PIPELINES.has(rule)) return pipelineOutcome(list, options);
  const isOff = ownAt(options, 'sanitizeMode') === 'images-only' || ownAt(options, 'preserveSignatures') === true;
  const mapping = isOff && !rule.startsWith('image') ? { rules: [] } : mappingOf(rule);
  return rulesOutcome(list, mapping ?? { rules: [] }, options);
}

function plain(got: unknown): Outcome {
  return { got, broken: ['no invariants are known for this case'], always: [] };
}

function targetOf(options: Fields) {
  const text = (key: string): string => stringAt(options, key) ?? '';
  return { provider: text('provider'), modelApi: text('modelApi'), modelId: text('modelId') };
}

function emptyIds(options: Fields): readonly string[] {
  const modes = ownAt(options, 'modes');
  return (Array.isArray(modes) ? modes : []).map((mode: unknown) => {
    const allocator = new IdAllocator(mode === 'strict9' ? 'strict9' : 'strict', 64, sha256Hex);
    return allocator.allocate('');
  });
}

function rulesOutcome(input: readonly unknown[], mapping: Mapping, given: Fields): Outcome {
  // Two cases list the blocks of one turn instead of messages.
  const isBlocks = input.length > 0 && input.every((each) => isRecord(each) && !Object.hasOwn(each, 'role'));
  const messages = isBlocks ? [{ role: 'assistant', content: input }] : input;
  const options: Options = { ...DEFAULT_OPTIONS, ...mapping.options?.(given) };
  const context: RuleContext = { options, sha256: sha256Hex, resized: new Map() };
  const run = (list: readonly Draft[]) => {
    const changes: Change[] = [];
    let drafts = list;
    for (const rule of mapping.rules) {
      const result = RULES[rule].fix(drafts, context);
      drafts = result.messages;
      changes.push(...result.changes);
    }
    return { drafts, changes };
  };
  const { after, changes, always } = twice(messages, run);
  const got = isBlocks ? ownAt(isRecord(after[0]) ? after[0] : {}, 'content') : after;
  const outcome = mapping.report === true ? pairingReport(got, changes) : got;
  const broken = brokenInvariants(messages, after, { ...asked(mapping.rules), changes });
  return { got: outcome, broken: [...broken, ...always], always };
}

function pipelineOutcome(input: readonly unknown[], given: Fields): Outcome {
  const profile = profileOf(detect(targetOf(given)), false);
  const { after, changes, always } = twice(input, (list) => {
    const steps = repair(list, profile, sha256Hex);
    const step = steps.next();
    if (step.done !== true) throw new Error('no case holds an image over the limits');
    return { drafts: step.value.messages, changes: step.value.changes };
  });
  const broken = brokenInvariants(input, after, { ...asked(profile.rules), changes });
  return { got: after, broken: [...broken, ...always], always };
}

function asked(rules: readonly RuleName[]) {
  return { callsNeedResults: rules.includes('pairing'), distinctIds: rules.includes('tool_ids') };
}

function twice(
  input: readonly unknown[],
  run: (list: readonly Draft[]) => { readonly drafts: readonly Draft[]; readonly changes: readonly Change[] },
): { readonly after: readonly unknown[]; readonly changes: readonly Change[]; readonly always: readonly string[] } {
  const before = JSON.stringify(input);
  const source = memorySource(input.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const view = rawView(source, source.length, memo);
  const list = openDrafts(view, source, memo);
  const { drafts, changes } = run(list);
  const again = run(drafts);
  const always: string[] = [];
  if (again.drafts !== drafts) always.push('a second run changes more');
  if (JSON.stringify(input) !== before) always.push('the input was changed');
  if (changes.length === 0 && drafts !== list) always.push('nothing to do, but the list is another');
  if (changes.length === 0 && closeDrafts(view, drafts, 0, source.length) !== view)
    always.push('nothing to do, but the view is another');
  return { after: drafts.map((draft): unknown => JSON.parse(draft.text)), changes, always };
}

// What upstream counts: late results as repetitions, for they leave the place where they were found.
function pairingReport(messages: unknown, changes: readonly Change[]): unknown {
  const made = changes.filter(({ chip }) => chip === 'synthetic result');
  const count = (...chips: string[]): number => changes.filter(({ chip }) => chips.includes(chip)).length;
  return {
    messages,
    added: made.map(({ before }) => stringAt(before.value, 'toolCallId') ?? null),
    droppedDuplicates: count('duplicate', 'late result'),
    droppedOrphans: count('orphan'),
  };
}

async function fileOutcome(input: Fields): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'parallax-repair-'));
  try {
    const path = join(folder, 's.jsonl');
    const content = stringAt(input, 'fileContent') ?? '';
    if (content === '<directory>') await mkdir(path);
    else if (content !== '<absent>') await writeFile(path, content);
    const result = await repairSessionFile(path);
    return await described(result, path, folder, content);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function described(
  result: Awaited<ReturnType<typeof repairSessionFile>>,
  path: string,
  folder: string,
  content: string,
): Promise<unknown> {
  const said = { repaired: result.repaired, droppedLines: result.droppedLines, warnings: result.warnings.length };
  const reason = result.reason?.replace(/^(failed to read session file: ).*/, '$1<os error>');
  const withReason = reason === undefined ? said : { ...said, reason };
  if (content === '<directory>' || content === '<absent>') return withReason;
  const after = await readFile(path, 'utf8');
  const fileChanged = after !== content;
  if (result.backupPath === undefined) return { ...withReason, fileChanged };
  const plainName = (name: string): string => name.replace(/-\d+-\d+/, '-N-N');
  const leftover = (await readdir(folder)).filter((name) => name !== 's.jsonl').map(plainName);
  const backupIsOriginalBytes = (await readFile(result.backupPath, 'utf8')) === content;
  const backupName = plainName(result.backupPath.slice(folder.length + 1));
  return { ...withReason, backupName, backupIsOriginalBytes, fileChanged, fileAfter: after, leftover };
}
