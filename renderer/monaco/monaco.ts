// Monaco with what the program needs of it: the editor, finding, folding, diff, and JSON and JavaScript. Loaded by
// loadMonaco only, so that the first screen does not wait for it. Workers are files of our own.
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/suggest/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/tokenization/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/javascript/register';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';
import { javascriptDefaults, ScriptTarget } from 'monaco-editor/languages/features/typescript/register';
import TypescriptWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker';
import { POLICY_TYPES } from '../policy/custom/policyTypes.ts';
import { themeFrom } from './theme.ts';

self.MonacoEnvironment = {
  getWorker(_id, label) {
    if (label === 'json') return new JsonWorker();
    return label === 'javascript' || label === 'typescript' ? new TypescriptWorker() : new EditorWorker();
  },
};

// Texts may be cut, or JSON only in part: they are shown, not judged.
jsonDefaults.setDiagnosticsOptions({ validate: false });
javascriptDefaults.setCompilerOptions({
  target: ScriptTarget.ESNext,
  lib: ['es2023'],
  allowJs: true,
  allowNonTsExtensions: true,
});
// Types are for completion and hover; whether the code is right, the run says.
javascriptDefaults.setDiagnosticsOptions({ noSemanticValidation: true, noSuggestionDiagnostics: true });
javascriptDefaults.addExtraLib(POLICY_TYPES, 'file:///policy.d.ts');

const THEME = 'parallax';

/** Takes over the colours of the page as they are now. */
function applyTheme(): void {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const isDark = root.dataset.theme !== 'light';
  monaco.editor.defineTheme(
    THEME,
    themeFrom((name) => style.getPropertyValue(name).trim(), isDark),
  );
  monaco.editor.setTheme(THEME);
}

applyTheme();
new MutationObserver(applyTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });

export { monaco };
