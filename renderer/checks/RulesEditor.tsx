import { useMemo } from 'react';
import { CodeEditor, type EditorMarker } from '../monaco/CodeEditor.tsx';
import type { Rules } from './useChecks.ts';

interface Props {
  readonly rules: Rules;
  readonly reveal: { readonly line: number; readonly seq: number } | null;
  readonly onLeave: () => void;
}

/** The rules as they are written; what is wrong is underlined. */
export function RulesEditor({ rules: { file, read, setFile }, reveal, onLeave }: Props) {
  const markers = useMemo(
    () =>
      (read?.faults ?? []).map(({ line, text }): EditorMarker => {
        return { line: line ?? 1, column: null, text, severity: 'error' };
      }),
    [read],
  );
  const isJson = file.text.trimStart().startsWith('{');
  return (
    <div className="checks-editor">
      <CodeEditor
        value={file.text}
        language={isJson ? 'json' : 'yaml'}
        label="Rules, YAML or JSON"
        markers={markers}
        reveal={reveal}
        focus
        onChange={(text) => setFile({ ...file, text })}
        onLeave={onLeave}
      />
      <p className="faint checks-editor-foot">
        <kbd>F5</kbd> runs the rules, <kbd>Esc</kbd> shows the results.
      </p>
    </div>
  );
}
