// Which values of the header `anthropic-beta` a request needs, by what it holds.
import { toolReferences } from '../../model/toolLoading.ts';
import { isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import { BINDING_BETA } from '../blockBinding.ts';
import { isOnDemand } from './compactionBlock.ts';
import { blocksOfType, settingAt } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestPlace } from './types.ts';

/** A feature behind a header. */
export interface BetaFeature {
  /** The value to send. Values of `also` do too. */
  readonly beta: string;
  readonly also?: readonly string[];
  /** Where the request makes use of it first, and in words what for; null = nowhere. */
  use(request: ProviderRequest): (RequestPlace & { readonly what: string }) | null;
}

const ON_DEMAND = 'compact-2026-09-04';
const THRESHOLD = 'compact-2026-01-12';
const INLINE_TOOLS = 'inline-tools-2026-09-15';

/**
 * The features. Sources: platform.claude.com, build-with-claude/compaction-on-demand, /compaction, /context-editing and
 * /mid-conversation-system-messages (September 2026).
 */
export const BETA_FEATURES: readonly BetaFeature[] = [
  {
    beta: ON_DEMAND,
    use(request) {
      if (isRecord(settingAt(request, 'compaction'))) return { what: 'asks for a compaction', field: 'compaction' };
      const found = blocksOfType(request, 'compaction').find(({ value }) => isOnDemand(value));
      return found === undefined ? null : { what: 'carries a compaction block', ...placeOf(found) };
    },
  },
  {
    beta: THRESHOLD,
    also: [ON_DEMAND],
    use(request) {
      const found = blocksOfType(request, 'compaction').find(({ value }) => !isOnDemand(value));
      return found === undefined ? null : { what: 'carries a compaction block', ...placeOf(found) };
    },
  },
  { beta: THRESHOLD, use: (request) => editUse(request, /^compact_/) },
  { beta: 'context-management-2025-06-27', use: (request) => editUse(request, /^clear_/) },
  { beta: 'mid-conversation-system-clear-at-2026-08-21', use: (request) => memberUse(request, 'clear_at') },
  { beta: 'mid-conversation-output-config-2026-07-01', use: (request) => memberUse(request, 'output_config') },
  { beta: BINDING_BETA, use: bindingUse },
  { beta: INLINE_TOOLS, use: (request) => changesUse(request, true) },
  {
    beta: INLINE_TOOLS,
    also: ['mid-conversation-tool-changes-2026-07-01'],
    use: (request) => changesUse(request, false),
  },
];

function bindingUse(request: ProviderRequest): (RequestPlace & { readonly what: string }) | null {
  const thinking = settingAt(request, 'thinking');
  const isAsked = isRecord(thinking) && ownAt(thinking, 'block_binding') !== undefined;
  return isAsked ? { what: 'says what becomes of bound thinking', field: 'thinking.block_binding' } : null;
}

/** A header's value that the request needs and does not have; where headers are not known, that it is needed. */
export function* betaMissing(request: ProviderRequest): Generator<RequestFinding> {
  const { betas } = request;
  const reported = new Set<string>();
  for (const { beta, also = [], use } of BETA_FEATURES) {
    if (reported.has(beta) || [beta, ...also].some((each) => betas?.includes(each) === true)) continue;
    const found = use(request);
    if (found === null) continue;
    reported.add(beta);
    const { what, ...place } = found;
    const needs = `the request ${what}, which needs the header anthropic-beta: ${beta}`;
    const text = betas === null ? needs : `${needs}; it was not sent`;
    yield { rule: 'beta_missing', severity: betas === null ? 'info' : 'error', beta, ...place, text };
  }
}

function placeOf({ message, block }: { readonly message: number; readonly block: number }): RequestPlace {
  return { message, block };
}

// Members of a message that are not refused as unknown only behind their header.
function memberUse({ messages }: ProviderRequest, key: string): ReturnType<BetaFeature['use']> {
  const message = messages.findIndex((each) => isRecord(each) && (ownAt(each, key) ?? null) !== null);
  return message < 0 ? null : { what: `has ${key} on a message`, message };
}

// The older header knows references to tools that were given, and no definitions.
function changesUse({ messages }: ProviderRequest, withDefinitions: boolean): ReturnType<BetaFeature['use']> {
  for (const [message, each] of messages.entries()) {
    const found = toolReferences(each).find(
      ({ how, definition }) => how !== 'reference' && (definition !== null) === withDefinitions,
    );
    if (found !== undefined) return { what: 'changes tools in a message', message, block: found.block };
  }
  return null;
}

// A request that asks for a compaction takes no edits at all: that is another finding.
function editUse(request: ProviderRequest, type: RegExp): ReturnType<BetaFeature['use']> {
  if (isRecord(settingAt(request, 'compaction'))) return null;
  const edits = settingAt(request, 'context_management.edits');
  const isUsed =
    Array.isArray(edits) && edits.some((edit) => isRecord(edit) && type.test(stringAt(edit, 'type') ?? ''));
  return isUsed ? { what: 'asks for context editing', field: 'context_management.edits' } : null;
}
