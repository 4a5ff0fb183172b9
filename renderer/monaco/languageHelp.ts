import type { IDisposable } from 'monaco-editor/editor';
import type { Monaco } from './useMonaco.ts';

/** Something that can be written: `kind` chooses its icon, `detail` is beside it, `doc` opens with it. */
export interface Completion {
  readonly name: string;
  readonly kind: 'field' | 'method' | 'word';
  readonly detail?: string;
  readonly doc?: string;
}

/** What an editor's owner knows about the code in it. Pure: texts in, texts out. */
export interface LanguageHelp {
  /** What can follow; `line` = the line up to the caret, `text` = all of the code. */
  completionsAt(line: string, text: string): readonly Completion[];
  /** What a word means, as Markdown paragraphs; none for a word that is not known. */
  meaningOf(word: string): readonly string[];
}

/** Offers the help in JavaScript editors until it is disposed of. */
export function offerHelp(monaco: Monaco, help: LanguageHelp): IDisposable {
  const { CompletionItemKind } = monaco.languages;
  const kinds = { field: CompletionItemKind.Field, method: CompletionItemKind.Method, word: CompletionItemKind.Text };
  const completion = monaco.languages.registerCompletionItemProvider('javascript', {
    triggerCharacters: ['.'],
    provideCompletionItems(model, { lineNumber, column }) {
      const line = model.getLineContent(lineNumber).slice(0, column - 1);
      const { startColumn, endColumn } = model.getWordUntilPosition({ lineNumber, column });
      const range = { startLineNumber: lineNumber, endLineNumber: lineNumber, startColumn, endColumn };
      const found = help.completionsAt(line, model.getValue());
      return {
        suggestions: found.map(({ name, kind, detail, doc }, number) => ({
          label: name,
          insertText: name,
          kind: kinds[kind],
          range,
          sortText: String(number).padStart(4, '0'),
          ...(detail !== undefined && { detail }),
          ...(doc !== undefined && { documentation: doc }),
        })),
      };
    },
  });
  const hover = monaco.languages.registerHoverProvider('javascript', {
    provideHover(model, position) {
      const word = model.getWordAtPosition(position)?.word;
      const said = word === undefined ? [] : help.meaningOf(word);
      return said.length === 0 ? null : { contents: said.map((value) => ({ value })) };
    },
  });
  return {
    dispose() {
      completion.dispose();
      hover.dispose();
    },
  };
}
