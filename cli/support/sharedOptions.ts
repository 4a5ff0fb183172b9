// Arguments and options that many commands take, as their help says them: spread into `option` or `argument`.

export const FILE = ['<FILE>', 'a transcript of any known format; - = stdin'] as const;
export const TRANSCRIPT = ['--transcript <key-or-n>', 'which transcript of a file that holds several'] as const;
export const MAPPING = ['--mapping <file>', 'read FILE by this mapping of its fields'] as const;
export const POLICY = ['--policy <name>', 'a policy or preset by name'] as const;
export const SPEC = [
  '--spec <file-or-json>',
  'a spec, or a bare Harn option: a name, JSON, or a file with it',
] as const;
export const LIBRARY = ['--library <dir>', 'folder of the library'] as const;
export const NO_TOKENS = ['--no-tokens', 'estimates instead of counted tokens: faster'] as const;
