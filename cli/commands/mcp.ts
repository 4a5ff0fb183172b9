// `parallax mcp`: the questions of the other commands as tools for an agent, over stdio. It reads files and writes none.
import type { Command } from 'commander';
import { threadsHere } from '../../core/engine/threads/index.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { countOf } from '../../core/util/counts.ts';
import { EXIT } from '../support/failure.ts';
import { MCP_TOOLS, type McpTool } from '../support/mcpTools.ts';
import { TaskThreads } from '../support/taskThreads.ts';

const HELP = `
Tools: ${MCP_TOOLS.map(({ name }) => name).join(', ')}. Each reads a transcript by its path; nothing is written, nothing is sent anywhere.
To add it to a client: command "parallax", arguments ["mcp"] (docs/fleets.md).`;

/** `parallax mcp`. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('the questions of the other commands as tools of the Model Context Protocol, over stdio')
    .addHelpText('after', HELP)
    .action(serve);
}

async function serve(): Promise<void> {
  // Loaded when used: no other command needs it.
  const [{ McpServer }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const threads = new TaskThreads(threadsHere());
  const handle = serveStdio(() => {
    const server = new McpServer({ name: 'parallax', version: ENGINE_VERSION }, { capabilities: { tools: {} } });
    for (const tool of MCP_TOOLS) {
      const { name, title, description, input: inputSchema } = tool;
      const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
      server.registerTool(name, { title, description, inputSchema, annotations }, (given) =>
        answer(threads, tool, given),
      );
    }
    return server;
  });
  await new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await handle.close();
  await threads.close();
}

/** Characters of an answer: a model reads it. */
const MOST_CHARS = 60_000;

async function answer(threads: TaskThreads, tool: McpTool, given: Readonly<Record<string, unknown>>) {
  const { out, notes, error, exit } = await threads.run({ args: tool.command(given), input: null });
  const isError = error !== null || exit > EXIT.finding;
  const said = error === null ? (tool.pick?.(out) ?? out) : error.message;
  const whole = [...notes.map((note) => `Note: ${note}`), said.trimEnd()].join('\n');
  const text =
    whole.length > MOST_CHARS ? `${whole.slice(0, MOST_CHARS)}\n[cut at ${countOf(MOST_CHARS, 'character')}]` : whole;
  return { content: [{ type: 'text' as const, text }], isError };
}
