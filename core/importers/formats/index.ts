import { FormatRegistry } from '../registry.ts';
import { acp } from './acp.ts';
import { aiSdk } from './aiSdk.ts';
import { anthropicMessages } from './anthropicMessages.ts';
import { atif } from './atif.ts';
import { autogen } from './autogen.ts';
import { claudeCode } from './claudeCode.ts';
import { claudeManagedAgents } from './claudeManagedAgents.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilotCli.ts';
import { geminiCli } from './geminiCli.ts';
import { geminiContents } from './geminiContents.ts';
import { harn } from './harn.ts';
import { inspect } from './inspect.ts';
import { jido } from './jido.ts';
import { langchain } from './langchain.ts';
import { langfuse } from './langfuse.ts';
import { miniSweAgent } from './miniSweAgent.ts';
import { moatless } from './moatless.ts';
import { openaiChat } from './openaiChat.ts';
import { openaiResponses } from './openaiResponses.ts';
import { opencode } from './opencode.ts';
import { openhands } from './openhands.ts';
import { otel } from './otel.ts';
import { parallaxBundle } from './parallaxBundle.ts';
import { pi } from './pi.ts';
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
