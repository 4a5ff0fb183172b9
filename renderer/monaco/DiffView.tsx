import './monaco.css';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useRef } from 'react';
import { EditorPlaceholder } from './EditorPlaceholder.tsx';
import { EDITOR_OPTIONS } from './options.ts';
import { type Monaco, useMonaco } from './useMonaco.ts';

interface Props {
  readonly before: string;
  readonly after: string;
  readonly sideBySide: boolean;
  readonly label: string;
}

/** Two JSON texts, compared; read only. */
export function DiffView(props: Props) {
  const { monaco, error } = useMonaco();
  if (!monaco) return <EditorPlaceholder error={error} />;
  return <LoadedDiff {...props} monaco={monaco} />;
}

function LoadedDiff({ monaco, before, after, sideBySide, label }: Props & { readonly monaco: Monaco }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<editor.IStandaloneDiffEditor | null>(null);

  useEffect(() => {
    if (!place.current) return;
    const created = monaco.editor.createDiffEditor(place.current, {
      ...EDITOR_OPTIONS,
      theme: 'parallax',
      readOnly: true,
      domReadOnly: true,
      originalEditable: false,
      renderOverviewRuler: false,
      hideUnchangedRegions: { enabled: true },
      useInlineViewWhenSpaceIsLimited: false,
      contextmenu: false,
      diffWordWrap: 'on',
      originalAriaLabel: `${label}, raw`,
      modifiedAriaLabel: `${label}, projected`,
    });
    // The two editors within do not take the labels over.
    created.getOriginalEditor().updateOptions({ ariaLabel: `${label}, raw` });
    created.getModifiedEditor().updateOptions({ ariaLabel: `${label}, projected` });
    shown.current = created;
    return () => {
      const models = created.getModel();
      created.dispose();
      models?.original.dispose();
      models?.modified.dispose();
      shown.current = null;
    };
  }, [monaco, label]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor (another label) needs its models too
  useEffect(() => {
    const old = shown.current?.getModel();
    shown.current?.setModel({
      original: monaco.editor.createModel(before, 'json'),
      modified: monaco.editor.createModel(after, 'json'),
    });
    old?.original.dispose();
    old?.modified.dispose();
  }, [monaco, before, after, label]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor (another label) gets it too
  useEffect(() => {
    shown.current?.updateOptions({ renderSideBySide: sideBySide });
  }, [sideBySide, label]);

  return <div ref={place} className="editor" />;
}
