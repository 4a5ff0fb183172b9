// The vendors' own context editing, as documented by its owners: one stage a mechanism, one file a stage.
import { adkCompaction } from './adkCompaction.ts';
import { anthropicClearThinking } from './anthropicClearThinking.ts';
import { anthropicClearToolUses } from './anthropicClearToolUses.ts';
import { anthropicCompaction } from './anthropicCompaction.ts';
import { inspectEdit } from './inspectEdit.ts';
import { inspectTrim } from './inspectTrim.ts';
import { langchainClearToolUses } from './langchainClearToolUses.ts';
import { langchainTrimMessages } from './langchainTrimMessages.ts';
import { openaiCompaction } from './openaiCompaction.ts';
import { openaiTruncation } from './openaiTruncation.ts';
import { piCompaction } from './piCompaction.ts';
import { vercelPruneMessages } from './vercelPruneMessages.ts';

export {
  adkCompaction,
  anthropicClearThinking,
  anthropicClearToolUses,
  anthropicCompaction,
  inspectEdit,
  inspectTrim,
  langchainClearToolUses,
  langchainTrimMessages,
  openaiCompaction,
  openaiTruncation,
  piCompaction,
  vercelPruneMessages,
};
