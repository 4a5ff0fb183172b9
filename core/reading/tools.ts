// browser-safe
// Which tool is of which family, by the name that each product gives it. A new tool is a word in this table.

/** What a tool does, as far as a reader cares: each family has one way to be drawn. */
export type ToolFamily =
  | 'shell'
  | 'edit'
  | 'write'
  | 'patch'
  | 'read'
  | 'search'
  | 'todo'
  | 'web'
  | 'agent'
  | 'image'
  | 'editor';

interface ToolRow {
  readonly product: string;
  readonly names: Readonly<Partial<Record<ToolFamily, readonly string[]>>>;
}

/**
 * Names as the products write them; case and the separators `_` and `-` do not matter. `editor` = one tool whose argument
 * `command` says what it does (view, create, str_replace, insert).
 */
export const TOOL_TABLE: readonly ToolRow[] = [
  {
    product: 'Claude Code',
    names: {
      shell: ['Bash', 'PowerShell', 'BashOutput', 'KillShell', 'KillBash', 'Monitor'],
      edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
      write: ['Write'],
      read: ['Read', 'NotebookRead'],
      search: ['Grep', 'Glob', 'LS'],
      todo: ['TodoWrite', 'TodoRead'],
      web: ['WebFetch', 'WebSearch'],
      agent: ['Task', 'Agent'],
    },
  },
  {
    product: 'Codex',
    names: {
      shell: ['exec_command', 'write_stdin', 'shell', 'shell_command', 'local_shell', 'container.exec', 'unified_exec'],
      patch: ['apply_patch'],
      read: ['read_file'],
      search: ['grep_files', 'list_dir'],
      todo: ['update_plan'],
      image: ['view_image'],
      agent: ['spawn_agent'],
    },
  },
  {
    product: 'pi',
    names: {
      shell: ['bash', 'exec', 'process'],
      edit: ['edit'],
      write: ['write'],
      read: ['read'],
      search: ['grep', 'find', 'ls'],
      web: ['web_search', 'web_fetch'],
      agent: ['sessions_spawn', 'subagent'],
    },
  },
  {
    product: 'OpenHands, SWE-agent, Moatless',
    names: {
      shell: ['execute_bash', 'terminal', 'bash_command', 'execute_ipython_cell'],
      editor: ['str_replace_editor', 'str_replace_based_edit_tool', 'file_editor', 'edit_anthropic'],
      read: ['ViewCode', 'open', 'goto'],
      search: ['search_dir', 'search_file', 'find_file', 'search_files', 'SemanticSearch', 'FindClass', 'FindFunction'],
      write: ['CreateFile'],
      edit: ['StringReplace'],
      todo: ['task_tracker'],
      agent: ['delegate'],
    },
  },
  {
    product: 'Gemini CLI',
    names: {
      shell: ['run_shell_command', 'run_command'],
      edit: ['replace'],
      write: ['write_file'],
      read: ['read_file', 'read_many_files'],
      search: ['grep_search', 'search_file_content', 'glob', 'list_directory'],
      todo: ['write_todos'],
      web: ['web_fetch', 'google_web_search'],
    },
  },
  {
    product: 'Copilot CLI, OpenCode',
    names: {
      read: ['view'],
      write: ['create'],
      patch: ['patch'],
      search: ['list', 'codesearch', 'rg'],
      todo: ['todowrite', 'todoread', 'update_todo'],
      web: ['webfetch', 'websearch'],
      agent: ['task', 'subagent'],
    },
  },
  {
    product: 'others',
    names: { agent: ['dispatch_agent', 'delegate_task', 'delegate_to_agent', 'new_task', 'call_subagent'] },
  },
  {
    product: 'run by the provider',
    names: {
      shell: ['code_interpreter', 'code_execution', 'bash_code_execution'],
      editor: ['text_editor_code_execution'],
      search: ['file_search'],
      web: ['google_search', 'url_context', 'x_search', 'browser_search', 'open_page'],
    },
  },
];

const FAMILY_OF: ReadonlyMap<string, ToolFamily> = new Map(
  TOOL_TABLE.flatMap(({ names }) =>
    allFamilies().flatMap((family) => (names[family] ?? []).map((name) => [plain(name), family] as const)),
  ),
);

function allFamilies(): readonly ToolFamily[] {
  return ['shell', 'edit', 'write', 'patch', 'read', 'search', 'todo', 'web', 'agent', 'image', 'editor'];
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^functions\./, '')
    .replace(/[_-]/g, '');
}

/** The family of a tool by its name; null = not in the table. */
export function toolFamily(name: string | null): ToolFamily | null {
  return name === null ? null : (FAMILY_OF.get(plain(name)) ?? null);
}
