import type { OptionReader } from '../../view/optionReader.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ParamSchema, StageDefinition } from '../../view/types.ts';
import { TierCapsRun } from './tierCapsRun.ts';
import type { TierCapsParams } from './tierParts.ts';

const NAME = { kind: 'tier_caps', title: 'Tier caps' };

const KEEP: ParamSchema = {
  name: 'keep',
  label: 'Newest to keep per tier',
  type: 'integer',
  default: 1,
  min: 0,
  softMax: 20,
  relax: { towards: 'more' },
  help: 'So many of the newest of each tier stay, whatever the cap: images, thoughts, calls.',
};
const NEVER_EVICT: ParamSchema = {
  name: 'never_evict',
  label: 'Tools that keep arguments',
  type: 'list',
  default: [],
  offers: 'tools',
  relax: { adds: 'tools' },
  help: 'Tools whose calls keep their arguments, whatever the cap.',
};
const SIGNED: ParamSchema = {
  name: 'signed_thinking',
  label: 'Signed thinking too',
  type: 'boolean',
  default: false,
  relax: { values: [false] },
  help: 'Also take thinking that is signed, or that its provider wants back, from turns before the last: whole messages’ thinking at a time. Anthropic allows it; DeepSeek does not where tools are called.',
};
const EVERY: ParamSchema = {
  name: 'every',
  label: 'Take N at a time',
  aliases: ['chunk'],
  type: 'integer',
  default: 1,
  min: 1,
  softMax: 20,
  relax: { towards: 'more', uneven: true },
  help: 'So many of a tier go at a time: in between the beginning stays as it is, and with it the provider’s cache.',
};
const PARAMS = [KEEP, NEVER_EVICT, SIGNED, EVERY];

/**
 * Keeps images, thinking and calls under the caps that the budget sets for them, the oldest first: an image becomes a line
 * of text, arguments are emptied, thinking goes. Turns with signed reasoning stay as they are. Without a cap it does
 * nothing. Source: spec of reducers and budget, "Optional caps per tier … which trigger earlier eviction in that tier".
 */
export const tierCaps: StageDefinition<TierCapsParams> = {
  ...NAME,
  aliases: ['caps'],
  family: 'reducers',
  traits: {
    dearness: { rank: 2, isStated: false },
    caps: {
      image: 'Tier caps puts a line of text in place of the oldest images',
      thinking: 'Tier caps takes out the oldest thinking',
      tool_call: 'Tier caps empties the arguments of the oldest calls',
    },
  },
  help: 'Keeps images, thinking and the arguments of calls under the caps of the budget; the oldest go first. Caps on results let results expire (retention), those on user and assistant let turns go (sliding window).',
  params: PARAMS,
  usesTokens: true,
  parse: (options) => parseParams(PARAMS, options, readTierCaps),
  incremental: (params, context) => new TierCapsRun(params, context),
};

function readTierCaps(reader: OptionReader): TierCapsParams {
  return {
    keep: reader.count(KEEP),
    neverEvict: new Set(reader.list(NEVER_EVICT)),
    signedThinking: reader.flag(SIGNED),
    every: reader.count(EVERY),
  };
}
