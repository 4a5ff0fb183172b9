// The options of Harn's transcript_project under their real names. Source: spec of the projection, "Options".
import { OptionReader } from '../../view/optionReader.ts';
import type { ParamSchema } from '../../view/types.ts';

/** What every Harn policy has. */
export interface HarnParams {
  readonly respectProviderSignatures: boolean;
  /** The caller's reason; null = the policy's own. */
  readonly reason: string | null;
}

const RESPECT: ParamSchema = {
  name: 'respect_provider_signatures',
  label: 'Keep signed messages safe',
  type: 'boolean',
  default: true,
  relax: { values: [true] },
  help: 'Refuse the whole projection if it would drop or edit a message with signed reasoning: the provider would reject what is left. Turn off for previews that are not sent.',
};

const REASON: ParamSchema = {
  name: 'reason',
  label: 'Reason to record',
  type: 'string',
  default: null,
  help: 'Recorded on the projection event in place of the policy’s own reason. Ignored if provider safety refuses.',
};

/** The options all policies share, for their param lists. */
export const COMMON_PARAMS: readonly ParamSchema[] = [RESPECT, REASON];

/** Names that choose the policy in a bare Harn option, in the order in which they count. */
export const POLICY_KEYS: readonly string[] = ['policy', 'kind', 'strategy'];

// Harn lets one option object serve several policies, each reading its own; so all names are known to all of them.
const KNOWN: ReadonlySet<string> = new Set([
  ...POLICY_KEYS,
  ...['respect_provider_signatures', 'reason', 'keep_last', 'summary', 'projector', 'custom'],
  ...['root_window', 'recent_messages', 'min_chars', 'min_reclaim_chars', 'tool_result_min_chars'],
  ...['require_write_barrier', 'require_barrier', 'roots', 'active_plan', 'scratchpad', 'pending_tool_args'],
  ...['unresolved_findings', 'write_barrier', 'write_barrier_refs', 'barrier_refs'],
]);

/** Reads what all policies share, and warns of names that no policy knows. */
export function readCommon(reader: OptionReader): HarnParams {
  reader.warnOfUnknown(KNOWN);
  return { respectProviderSignatures: reader.flag(RESPECT), reason: reader.text(REASON) };
}

/** Parses options with a reader: params are null if any option is in error. */
export function parseWith<P>(options: Readonly<Record<string, unknown>>, read: (reader: OptionReader) => P) {
  const reader = new OptionReader(options);
  const params = read(reader);
  return { params: reader.ok ? params : null, problems: reader.problems };
}
