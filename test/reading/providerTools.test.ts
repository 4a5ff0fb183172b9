// Tools that a provider ran itself: whichever form the block has, its tool is named wherever tools are: in the facts, for
// filters and search, in the figures of the library, in its row and in what it is drawn as.
import { describe, expect, it } from 'vitest';
import { previewPart } from '../../core/engine/rows/preview.ts';
import { compileFilter } from '../../core/filter/match.ts';
import { parseFilter } from '../../core/filter/parseFilter.ts';
import { TranscriptRow } from '../../core/filter/rows.ts';
import { SyntheticRow } from '../../core/filter/syntheticRow.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { surveyFigures } from '../../core/insight/survey/figures.ts';
import { PlaceLabels } from '../../core/insight/text/labels.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { partText } from '../../core/model/partText.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { toolSide } from '../../core/model/toolSide.ts';
import { providerView } from '../../core/reading/providerView.ts';
import { contentMarks, toolsOf } from '../../core/search/messageText.ts';

type Side = 'call' | 'result';
/** A block, the side and tool that it is of, its row, and what it is drawn as. */
type Block = readonly [block: object, side: Side, tool: string, row: string, drawn: string];

const page = { type: 'web_search_result', url: 'https://a.b', title: 'A page', encrypted_content: 'zz' };
const article = { type: 'document', title: 'An article', source: { type: 'text', data: 'words' } };
const use = (name: string, input: object) => ({ type: 'server_tool_use', id: `use_${name}`, name, input });
const answer = (type: string, content: unknown) => ({ type, tool_use_id: 'use', content });
const search = (action: object) => ({ type: 'web_search_call', id: 'ws', status: 'completed', action });

const ANTHROPIC: readonly Block[] = [
  [use('web_search', { query: 'weather' }), 'call', 'web_search', 'web_search weather', 'web'],
  [answer('web_search_tool_result', [page]), 'result', 'web_search', '1 found: A page', 'pages'],
  [
    answer('web_search_tool_result', { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }),
    ...(['result', 'web_search', 'web_search error_code: max_uses_exceeded', 'fields'] as const),
  ],
  [use('web_fetch', { url: 'https://a.b' }), 'call', 'web_fetch', 'web_fetch https://a.b', 'web'],
  [
    answer('web_fetch_tool_result', { type: 'web_fetch_result', url: 'https://a.b', content: article }),
    ...(['result', 'web_fetch', '1 found: An article', 'pages'] as const),
  ],
  [use('bash_code_execution', { command: 'ls' }), 'call', 'bash_code_execution', 'bash_code_execution ls', 'terminal'],
  [
    answer('bash_code_execution_tool_result', { type: 'bash_code_execution_result', stdout: 'a', return_code: 0 }),
    ...(['result', 'bash_code_execution', 'a', 'output'] as const),
  ],
  [
    { type: 'mcp_tool_use', id: 'use', name: 'ask', server_name: 'wiki', input: { question: 'why' } },
    ...(['call', 'ask', 'ask question: why', 'fields'] as const),
  ],
  [answer('mcp_tool_result', [{ type: 'text', text: 'so' }]), 'result', 'ask', 'so', 'output'],
];

const OPENAI: readonly Block[] = [
  [
    search({ type: 'search', query: 'x', queries: ['x', 'y'], url: null }),
    ...(['call', 'web_search', 'web_search x +1 more', 'web'] as const),
  ],
  [search({ type: 'open_page', url: 'https://a.b' }), 'call', 'web_search', 'web_search https://a.b', 'web'],
  [
    search({ type: 'find_in_page', url: 'https://a.b', pattern: 'needle' }),
    ...(['call', 'web_search', 'web_search https://a.b needle', 'web'] as const),
  ],
  [{ type: 'web_search_call', status: 'failed' }, 'call', 'web_search', 'web_search status: failed', 'fields'],
  [{ type: 'file_search_call', queries: ['x', 'y'] }, 'call', 'file_search', 'file_search x +1 more', 'search'],
  [
    { type: 'code_interpreter_call', code: 'print(1)', outputs: null },
    ...(['call', 'code_interpreter', 'code_interpreter print(1)', 'terminal'] as const),
  ],
  [
    { type: 'mcp_call', name: 'roll', server_label: 'dice', arguments: '{"sides":6}', output: '4', error: null },
    ...(['call', 'roll', 'roll sides: 6', 'fields'] as const),
  ],
  [
    { type: 'image_generation_call', status: 'completed', revised_prompt: 'a cat', result: 'iVBORw0' },
    ...(['call', 'image_generation', 'image_generation revised_prompt: a cat', 'fields'] as const),
  ],
  [
    { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['bash', '-lc', 'ls'] } },
    ...(['call', 'local_shell', 'local_shell ls', 'none'] as const),
  ],
  [
    { type: 'shell_call', call_id: 'c', action: { commands: ['ls', 'pwd'] } },
    ...(['call', 'shell', 'shell ls pwd', 'none'] as const),
  ],
];

const OTHERS: readonly Block[] = [
  [
    { type: 'server_tool_call', id: 'use', name: 'web_search', args: { query: 'x' } },
    'call',
    'web_search',
    'web_search x',
    'web',
  ],
  [
    { type: 'server_tool_result', tool_call_id: 'use', status: 'success', output: 'found' },
    ...(['result', 'web_search', 'found', 'output'] as const),
  ],
];

const GEMINI: readonly Block[] = [
  [
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    ...(['call', 'code_execution', 'code_execution print(1)', 'terminal'] as const),
  ],
  [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }, 'result', 'code_execution', '1', 'output'],
];

const answerOf = (blocks: readonly Block[]) => ({ role: 'assistant', content: blocks.map(([block]) => block) });
const MESSAGES: readonly (readonly [string, object, readonly Block[]])[] = [
  ['Anthropic', answerOf(ANTHROPIC), ANTHROPIC],
  ['OpenAI', answerOf(OPENAI), OPENAI],
  ['LangChain', answerOf(OTHERS), OTHERS],
  ['Gemini', { role: 'model', parts: GEMINI.map(([block]) => block) }, GEMINI],
];

const NOW = { time: 0, zoneMinutes: 0 };
const fits = (filter: string) => compileFilter(parseFilter(filter, NOW).expr);

/** What the view of a block draws first. */
function drawnAs(text: string): string {
  const view = providerView(text);
  if (view === null) return 'none';
  if (view.call !== null) return view.call.body.kind;
  if (view.pages.length > 0) return 'pages';
  return view.output === null ? 'fields' : 'output';
}

describe.each(MESSAGES)('a tool that %s ran', (_provider, message, blocks) => {
  const facts = readMessage(message);
  const source = memorySource([JSON.stringify(message)]);

  it('has its side and its name in the facts', () => {
    expect(facts.parts.map((part) => [toolSide(part), part.name])).toEqual(
      blocks.map(([, side, tool]) => [side, tool]),
    );
  });

  it('says its point in its row, and is drawn as what it did', () => {
    const rows = facts.parts.map((part) => [previewPart(message, part, null).text, drawnAs(partText(message, part))]);
    expect(rows).toEqual(blocks.map(([, , , row, drawn]) => [row, drawn]));
  });

  it('is found by its tool and its kind, as it is and as a stage made it', () => {
    const own = new TranscriptRow({
      source,
      meta: () => ({}),
      turnStarts: [],
      model: null,
      tokens: () => 1,
      standing: () => ({ fate: 'kept', where: 'own', stage: null, rule: null }),
      stages: [],
      uses: null,
    });
    for (const [part, [, side, tool]] of blocks.entries()) {
      const other = side === 'call' ? 'result' : 'call';
      const made = new SyntheticRow({ message, facts, part, index: 0, tokens: 1, stage: null, rule: null });
      for (const row of [own.at(0, part), made]) {
        for (const filter of [`tool:${tool}`, `${side}:${tool}`, `kind:${side}`, `has:${side}`])
          expect({ filter, fits: fits(filter)(row) }).toEqual({ filter, fits: true });
        for (const filter of [`${other}:${tool}`, `kind:${other}`, 'tool:none'])
          expect({ filter, fits: fits(filter)(row) }).toEqual({ filter, fits: false });
      }
    }
  });

  it('is at hand for search, in labels and in the figures', () => {
    const tools = new Set(blocks.map(([, , tool]) => tool));
    expect(toolsOf(facts, () => undefined)).toEqual(tools);
    const sides = new Set(blocks.map(([, side]) => side));
    const has = contentMarks(facts).flatMap(({ tag, value }) => (tag === 'has' ? [value] : []));
    expect(new Set(has)).toEqual(sides);
    const labels = new PlaceLabels(source);
    expect(facts.parts.map((_, at) => labels.part(0, at))).toEqual(
      blocks.map(([, side, tool]) => (side === 'call' ? `${tool} call #0` : 'result #0')),
    );
    const figures = surveyFigures({ source, meta: () => ({}), pricing: Pricing.one(), tokens: () => 1 });
    const counted = new Map(figures.tools.map(({ name, calls }) => [name, calls]));
    for (const tool of tools)
      expect(counted.get(tool)).toBe(blocks.filter(([, side, name]) => side === 'call' && name === tool).length);
  });
});
