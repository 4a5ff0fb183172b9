import type { editor } from 'monaco-editor/editor';

/** `#fff` as `#ffffff`: the build shortens colours, the editor takes only long ones. */
export function longHex(color: string): string {
  return /^#[\da-f]{3}$/i.test(color) ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color;
}

/** The editor's theme from the page's colours; `read` reads one (`--bg` → `#0f1115`). */
export function themeFrom(read: (name: string) => string, isDark: boolean): editor.IStandaloneThemeData {
  const token = (name: string) => longHex(read(name));
  const bare = (name: string) => token(name).replace('#', '');
  const clear = (name: string, alpha: string) => `${token(name)}${alpha}`;
  return {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: bare('--text') },
      { token: 'string.key.json', foreground: bare('--cat-user') },
      { token: 'string.value.json', foreground: bare('--text') },
      { token: 'number', foreground: bare('--cat-tool-result') },
      { token: 'keyword', foreground: bare('--cat-system') },
      { token: 'keyword.json', foreground: bare('--cat-system') },
      { token: 'string', foreground: bare('--cat-assistant') },
      { token: 'comment', foreground: bare('--faint'), fontStyle: 'italic' },
      { token: 'delimiter', foreground: bare('--mute') },
      { token: 'type', foreground: bare('--cat-user') },
    ],
    colors: {
      'editor.background': token('--bg'),
      'editor.foreground': token('--text'),
      'editorLineNumber.foreground': token('--faint'),
      'editorLineNumber.activeForeground': token('--text'),
      'editor.lineHighlightBackground': token('--hover'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': clear('--accent', '44'),
      'editor.inactiveSelectionBackground': clear('--accent', '26'),
      'editorCursor.foreground': token('--accent'),
      'editorIndentGuide.background1': token('--line'),
      'editorIndentGuide.activeBackground1': token('--line-strong'),
      'editorWidget.background': token('--pane'),
      'editorWidget.border': token('--line-strong'),
      'editorHoverWidget.background': token('--raise'),
      'editorSuggestWidget.selectedBackground': token('--sel'),
      'input.background': token('--bg'),
      'input.border': token('--line-strong'),
      focusBorder: token('--accent'),
      'scrollbar.shadow': '#00000000',
      'scrollbarSlider.background': clear('--line-strong', '99'),
      'scrollbarSlider.hoverBackground': token('--line-strong'),
      'scrollbarSlider.activeBackground': token('--faint'),
      'diffEditor.insertedTextBackground': clear('--ok', '38'),
      'diffEditor.insertedLineBackground': clear('--ok', '1a'),
      'diffEditor.removedTextBackground': clear('--danger', '38'),
      'diffEditor.removedLineBackground': clear('--danger', '1a'),
      'diffEditor.diagonalFill': token('--line'),
      'diffEditor.unchangedRegionBackground': token('--pane'),
      'diffEditor.unchangedRegionForeground': token('--mute'),
      'editorGutter.background': token('--bg'),
      'editorError.foreground': token('--danger'),
      'editorWarning.foreground': token('--warn'),
    },
  };
}
