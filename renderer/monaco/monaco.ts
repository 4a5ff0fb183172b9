// Monaco with all of the editor's features (they depend on one another's services in ways that are not written down),
// but of the languages JSON and JavaScript alone. Loaded by loadMonaco only, so that the first screen does not wait for it. Workers are files of our own.
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
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
