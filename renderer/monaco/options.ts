import type { editor } from 'monaco-editor/editor';

/** What all editors of the program have in common. */
export const EDITOR_OPTIONS: editor.IEditorOptions = {
  automaticLayout: true,
  // With the browser's EditContext, an editor made while a dialog opens takes keys but no text.
  editContext: false,
  fontFamily: '"JetBrains Mono Variable", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSize: 12,
  fontLigatures: false,
  lineHeight: 18,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  stickyScroll: { enabled: false },
  renderLineHighlight: 'none',
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  overviewRulerBorder: false,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 8,
  folding: true,
  wordWrap: 'on',
  wrappingIndent: 'same',
  scrollbar: {
    verticalScrollbarSize: 9,
    horizontalScrollbarSize: 9,
    useShadows: false,
    alwaysConsumeMouseWheel: false,
  },
  unicodeHighlight: { ambiguousCharacters: false },
  padding: { top: 6, bottom: 6 },
};
