import { useState } from 'react';
import { CodeEditor } from '../monaco/CodeEditor.tsx';
import { mappingJson } from '../state/mappingDraft.ts';
import type { MappingState } from './useMapping.ts';

/** The mapping as text: to copy it, or to paste one. */
export function MappingJson({ mapping }: { readonly mapping: MappingState }) {
  const [text] = useState(() => JSON.stringify(mappingJson(mapping.draft), null, 2));
  const [fault, setFault] = useState<string | null>(null);
  return (
    <div className="mapping-json">
      <CodeEditor
        value={text}
        revision={0}
        language="json"
        label="Mapping as JSON"
        focus
        onChange={(typed) => setFault(mapping.setJson(typed))}
      />
      {fault !== null && (
        <p className="path-fault mapping-json-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
