import { FormatRegistry } from '../registry.ts';
import { acp } from './acp.ts';
import { aiSdk } from './aiSdk/format.ts';
import { anthropicMessages } from './anthropicMessages/format.ts';
import { atif } from './atif/format.ts';
import { autogen } from './autogen/format.ts';
import { claudeCode } from './claudeCode/format.ts';
import { claudeManagedAgents } from './claudeManagedAgents/format.ts';
import { codex } from './codex/format.ts';
import { copilotCli } from './copilotCli/format.ts';
import { geminiCli } from './geminiCli/format.ts';
import { geminiContents } from './geminiContents/format.ts';
import { harn } from './harn/format.ts';
import { inspect } from './inspect/format.ts';
import { jido } from './jido/format.ts';
import { langchain } from './langchain/format.ts';
import { langfuse } from './langfuse/format.ts';
import { miniSweAgent } from './miniSweAgent.ts';
import { moatless } from './moatless/format.ts';
import { openaiChat } from './openaiChat.ts';
import { openaiResponses } from './openaiResponses/format.ts';
import { opencode } from './opencode/format.ts';
import { openhands } from './openhands/format.ts';
import { otel } from './otel/format.ts';
import { parallaxBundle } from './parallaxBundle/format.ts';
import { pi } from './pi/format.ts';
import { sweAgent } from './sweAgent.ts';
import { tau2 } from './tau2.ts';

/** All formats Parallax reads. A new one is one file beside these (see template.ts) and one line here. */
export const formats = new FormatRegistry([
  harn,
  acp,
  claudeCode,
  claudeManagedAgents,
  codex,
  anthropicMessages,
  pi,
  opencode,
  copilotCli,
  geminiCli,
  geminiContents,
  sweAgent,
  miniSweAgent,
  tau2,
  inspect,
  openaiResponses,
  atif,
  jido,
  langchain,
  aiSdk,
  autogen,
  openhands,
  moatless,
  langfuse,
  otel,
  openaiChat,
  parallaxBundle,
]);
