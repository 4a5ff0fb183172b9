import { useMemo, useState } from 'react';
import type { FileLook } from '../../core/model/mapping/preview.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import type { ResultOf } from '../../core/protocol/methods.ts';
import type { MappingInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { draftOf, EMPTY_DRAFT, type MappingDraft, mappingJson } from '../state/mappingDraft.ts';
import { useAnswer } from '../state/useAnswer.ts';

type Preview = ResultOf<'mapping.preview'>;

/** What the dialog shows and does; `look` null = the file is being read. */
export interface MappingState {
  readonly look: FileLook | null;
  readonly saved: readonly MappingInfo[];
  readonly draft: MappingDraft;
  readonly preview: Preview | null;
  /** The preview is of an earlier draft. */
  readonly isOld: boolean;
  readonly error: string | null;
  setDraft(draft: MappingDraft): void;
  /** Takes the text of a mapping; what is wrong with it, or null. */
  setJson(text: string): string | null;
  reloadSaved(): void;
}

const PAUSE_MS = 150;
const NONE: readonly MappingInfo[] = [];
const always = () => true;

/** The mapping of a file while it is made: begins with what was typed for it before or with a guess, and previews itself. */
export function useMapping(path: string): MappingState {
  const { setMappingDraft } = useActions();
  const typed = useAppState((state) => state.mappingDrafts[path]);
  const [reads, setReads] = useState(0);
  const guess = useAnswer('mapping.guess', { path });
  const list = useAnswer('mapping.list', {}, { about: path, again: [reads], keeps: always });
  const look = list.value && guess.value;
  const saved = list.value?.mappings ?? NONE;
  const begun = useMemo(() => (look === null ? EMPTY_DRAFT : beginning(look, saved)), [look, saved]);
  const draft = typed ?? begun;
  const mapping = useMemo(() => mappingJson(draft), [draft]);
  const preview = useAnswer('mapping.preview', look === null ? null : { path, mapping }, {
    wait: PAUSE_MS,
    about: path,
    keeps: always,
  });
  const error = guess.error ?? list.error ?? preview.error;

  const setDraft = (next: MappingDraft) => setMappingDraft(path, next);
  const setJson = (text: string): string | null => {
    try {
      const { mapping: read, faults } = readMapping(JSON.parse(text));
      if (read !== null) setDraft(draftOf(read));
      return read === null
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
    preview: preview.value,
    isOld: preview.isLoading || preview.error !== null,
    error: error?.message ?? null,
    setDraft,
    setJson,
    reloadSaved: () => setReads((count) => count + 1),
  };
}

/** The saved mapping that fits the file best, else the guess, else only where its records seem to be. */
function beginning(look: FileLook, saved: readonly MappingInfo[]): MappingDraft {
  const fitting = saved.find(({ name }) => name === look.fitting[0])?.mapping ?? look.guess.mapping;
  return fitting === null ? { ...EMPTY_DRAFT, at: look.places[0]?.path ?? '$' } : draftOf(fitting);
}
