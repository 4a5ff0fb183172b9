import './monaco.css';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useRef } from 'react';
import { EditorPlaceholder } from './EditorPlaceholder.tsx';
import { type LanguageHelp, offerHelp } from './languageHelp.ts';
import { EDITOR_OPTIONS } from './options.ts';
import { type Monaco, useMonaco } from './useMonaco.ts';

const NOTHING_OPEN =
  '!suggestWidgetVisible && !findWidgetVisible && !markersNavigationVisible && !parameterHintsVisible && !inSnippetMode && !editorHasSelection && !editorHasMultipleSelections';

/** A finding to underline; lines and columns count from 1, the end is the end of the word or line. */
export interface EditorMarker {
  readonly line: number;
  readonly column: number | null;
  readonly text: string;
  readonly severity: 'error' | 'warning' | 'info';
}

interface Props {
  readonly value: string;
  /** Where the text can be edited: grows when `value` is to replace it. What is typed is ahead of what comes back. */
  readonly revision?: number;
  readonly language: 'json' | 'javascript' | 'yaml';
  readonly label: string;
  readonly readOnly?: boolean;
  readonly markers?: readonly EditorMarker[];
  /** What is offered while JavaScript is written; the same object at each render. */
  readonly help?: LanguageHelp;
  readonly focus?: boolean;
  /** Shows a line and puts the caret there: whenever `seq` is another one. */
  readonly reveal?: { readonly line: number; readonly seq: number } | null;
  readonly onChange?: (value: string) => void;
  /** Esc with nothing open in the editor: the way out of it by keyboard, since Tab indents. */
  readonly onLeave?: () => void;
}

/** A code editor. Read only, it shows `value`; else `onChange` gets what is typed. */
export function CodeEditor(props: Props) {
  const { monaco, error } = useMonaco();
  if (!monaco) return <EditorPlaceholder error={error} />;
  return <LoadedEditor {...props} monaco={monaco} />;
}

function LoadedEditor(props: Props & { readonly monaco: Monaco }) {
  const { monaco, value, language, label, readOnly = false, markers, help, focus = false, reveal } = props;
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;
  const onLeave = useRef(props.onLeave);
  onLeave.current = props.onLeave;
  const wantsFocus = useRef(focus);
  const isReplacing = useRef(false);
  const latest = useRef(value);
  latest.current = value;

  useEffect(() => {
    if (!place.current) return;
    const model = monaco.editor.createModel(latest.current, language);
    const created = monaco.editor.create(place.current, {
      ...EDITOR_OPTIONS,
      model,
      theme: 'parallax',
      readOnly,
      domReadOnly: readOnly,
      ariaLabel: label,
      renderLineHighlight: readOnly ? 'none' : 'line',
      contextmenu: !readOnly,
      tabSize: 2,
    });
    const listening = model.onDidChangeContent(() => {
      if (!isReplacing.current) onChange.current?.(model.getValue());
    });
    if (onLeave.current) created.addCommand(monaco.KeyCode.Escape, () => onLeave.current?.(), NOTHING_OPEN);
    shown.current = created;
    if (wantsFocus.current) created.focus();
    return () => {
      listening.dispose();
      created.dispose();
      model.dispose();
      shown.current = null;
    };
  }, [monaco, language, readOnly, label]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed comes back as `value` later, and must not count
  useEffect(() => {
    const created = shown.current;
    const model = created?.getModel();
    if (!created || !model || model.getValue() === latest.current) return;
    isReplacing.current = true;
    if (readOnly) model.setValue(latest.current);
    else {
      // As an edit, so that it can be undone.
      created.pushUndoStop();
      created.executeEdits('replace', [{ range: model.getFullModelRange(), text: latest.current }]);
      created.pushUndoStop();
    }
    isReplacing.current = false;
  }, [readOnly ? value : props.revision, readOnly]);

  useEffect(() => {
    const model = shown.current?.getModel();
    if (model)
      monaco.editor.setModelMarkers(
        model,
        'policy',
        (markers ?? []).map((one) => markerOf(monaco, model, one)),
      );
  }, [monaco, markers]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same line may be asked for again
  useEffect(() => {
    const created = shown.current;
    if (!created || !reveal) return;
    const lineNumber = Math.max(1, Math.min(created.getModel()?.getLineCount() ?? 1, reveal.line));
    created.setPosition({ lineNumber, column: 1 });
    created.revealLineInCenter(lineNumber);
    created.focus();
  }, [monaco, reveal?.seq]);

  useEffect(() => {
    if (!help) return;
    const offered = offerHelp(monaco, help);
    return () => offered.dispose();
  }, [monaco, help]);

  return <div ref={place} className="editor" />;
}

function markerOf(monaco: Monaco, model: editor.ITextModel, marker: EditorMarker): editor.IMarkerData {
  const line = Math.max(1, Math.min(model.getLineCount(), marker.line));
  const startColumn = marker.column ?? model.getLineFirstNonWhitespaceColumn(line) ?? 1;
  const word = model.getWordAtPosition({ lineNumber: line, column: Math.max(1, startColumn) });
  const severity = { error: 8, warning: 4, info: 2 } as const;
  return {
    message: marker.text,
    severity: severity[marker.severity] satisfies (typeof monaco.MarkerSeverity)[keyof typeof monaco.MarkerSeverity],
    startLineNumber: line,
    endLineNumber: line,
    startColumn: Math.max(1, startColumn),
    endColumn: word && marker.column !== null ? word.endColumn : model.getLineMaxColumn(line),
  };
}
