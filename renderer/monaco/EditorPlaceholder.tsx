/** Stands where the editor will be: loading, or why it could not be loaded. */
export function EditorPlaceholder({ error }: { readonly error: string | null }) {
  if (error !== null) {
    return (
      <div className="editor editor-placeholder" role="alert">
        The editor could not be loaded: {error}
      </div>
    );
  }
  return (
    <div className="editor editor-placeholder" role="status">
      Loading the editor…
    </div>
  );
}
