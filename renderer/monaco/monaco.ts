// Monaco with all of the editor's features (they depend on one another's services in ways that are not written down),
// but of the languages JSON, JavaScript and YAML alone, all by rules: what the code of a policy may use, its own editor knows
// (languageHelp.ts), and a text that is shown needs no language service. Loaded by loadMonaco only, so that the first
// screen does not wait for it. The worker, which compares texts, is a separate file.
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/yaml/register';
import { JSON_CONFIGURATION, JSON_RULES } from './json.ts';
import { themeFrom } from './theme.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

monaco.languages.register({ id: 'json' });
monaco.languages.setMonarchTokensProvider('json', JSON_RULES);
monaco.languages.setLanguageConfiguration('json', JSON_CONFIGURATION);

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
