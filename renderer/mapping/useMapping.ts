import { useEffect, useMemo, useRef, useState } from 'react';
import type { FileLook } from '../../core/model/mapping/preview.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import type { ResultOf } from '../../core/protocol/methods.ts';
import type { MappingInfo } from '../../core/protocol/types.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { type Draft, draftOf, EMPTY_DRAFT, mappingJson } from './draft.ts';

type Preview = ResultOf<'mapping.preview'>;

/** What the dialog shows and does; `look` null = the file is being read. */
export interface MappingState {
  readonly look: FileLook | null;
  readonly saved: readonly MappingInfo[];
  readonly draft: Draft;
  readonly preview: Preview | null;
  /** The preview is of an earlier draft. */
  readonly isOld: boolean;
  readonly error: string | null;
  setDraft(draft: Draft): void;
  /** Takes the text of a mapping; what is wrong with it, or null. */
  setJson(text: string): string | null;
  reloadSaved(): Promise<void>;
}

const PAUSE_MS = 150;

/** What was written for a file when its dialog was closed: Esc is soon pressed. */
const left = new Map<string, Draft>();

/** The mapping of a file while it is made: begins with a guess, and previews itself. */
export function useMapping(path: string): MappingState {
  const { engine } = useApp();
  const [look, setLook] = useState<FileLook | null>(null);
  const [saved, setSaved] = useState<readonly MappingInfo[]>([]);
  const [draft, showDraft] = useState(EMPTY_DRAFT);
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: Preview } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const json = useMemo(() => JSON.stringify(mappingJson(draft)), [draft]);
  const latest = useRef(json);
  latest.current = json;

  const setDraft = (next: Draft) => {
    left.set(path, next);
    showDraft(next);
  };
  const reloadSaved = async () => setSaved((await engine.call('mapping.list', {})).mappings);

  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      const [found, { mappings }] = await Promise.all([
        engine.call('mapping.guess', { path }),
        engine.call('mapping.list', {}),
      ]);
      if (!isWanted) return;
      const fitting = mappings.find(({ name }) => name === found.fitting[0])?.mapping ?? found.guess.mapping;
      setLook(found);
      setSaved(mappings);
      const before = left.get(path);
      if (before !== undefined) showDraft(before);
      else showDraft(fitting === null ? { ...EMPTY_DRAFT, at: found.places[0]?.path ?? '$' } : draftOf(fitting));
    };
    begin().catch((thrown: unknown) => isWanted && setError(toProtocolError(thrown).message));
    return () => {
      isWanted = false;
    };
  }, [engine, path]);

  useEffect(() => {
    if (look === null) return;
    const timer = setTimeout(() => {
      engine.call('mapping.preview', { path, mapping: JSON.parse(json) }).then(
        (preview) => {
          if (latest.current !== json) return;
          setAnswer({ of: json, preview });
          setError(null);
        },
        (thrown: unknown) => latest.current === json && setError(toProtocolError(thrown).message),
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [engine, path, json, look]);

  const setJson = (text: string): string | null => {
    try {
      const { mapping, faults } = readMapping(JSON.parse(text));
      if (mapping !== null) setDraft(draftOf(mapping));
      return mapping === null
        ? faults.map((one) => `${one.field === '' ? '' : `${one.field}: `}${one.text}`).join('\n')
        : null;
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return `This is not JSON: ${thrown.message}`;
      throw thrown;
    }
  };

  return {
    look,
    saved,
    draft,
    preview: answer?.preview ?? null,
    isOld: answer?.of !== json,
    error,
    setDraft,
    setJson,
    reloadSaved,
  };
}
