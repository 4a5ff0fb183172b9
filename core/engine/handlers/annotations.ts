import { readMessage } from '../../model/readMessage.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { MarkInfo } from '../../protocol/types.ts';
import type { StoredMark } from '../../store/index.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { summaryOf } from '../library/summary.ts';
import { oneLine } from '../rows/format.ts';
import { previewPart } from '../rows/preview.ts';
import { labelOf } from '../rows/render.ts';

type AnnotationMethods = 'tags.list' | 'tags.apply' | 'tags.color' | 'marks.list' | 'marks.set';

const TEXT_CHARS = 200;

/** What people add to transcripts and messages. */
export function annotationHandlers(engine: Engine): Pick<Handlers, AnnotationMethods> {
  const { tags, marks } = engine.library.tables;
  return {
    'tags.list': () => ok({ tags: tags.list() }),
    async 'tags.apply'({ ids, add, remove }) {
      await engine.writable();
      const known = ids.filter((id) => engine.library.get(id) !== null);
      tags.apply(known, add, remove);
      engine.libraryChanged();
      return ok({ tags: tags.list() });
    },
    async 'tags.color'({ name, color }) {
      await engine.writable();
      tags.setColor(name, color);
      engine.broadcast('library', {});
      return ok({ tags: tags.list() });
    },
    'marks.list': ({ id }) => ok({ marks: marksOf(engine, id) }),
    async 'marks.set'({ id, index, note, bookmarked }) {
      await engine.writable();
      const change = { ...(note === undefined ? {} : { note }), ...(bookmarked === undefined ? {} : { bookmarked }) };
      if (!marks.set(id, index, change, new Date().toISOString())) {
        return err(failure('transcript.no_such_place', `There is no message #${index} to be marked.`));
      }
      engine.broadcast('marks', { id });
      engine.broadcast('library', {});
      return ok({ marks: marksOf(engine, id) });
    },
  };
}

function marksOf(engine: Engine, id: string | null): readonly MarkInfo[] {
  const titles = new Map<string, string>();
  return engine.library.tables.marks.list(id).map((mark) => {
    const title = titles.get(mark.transcriptId) ?? titleOf(engine, mark.transcriptId);
    titles.set(mark.transcriptId, title);
    return { ...mark, title, ...shown(engine, mark) };
  });
}

function titleOf({ library }: Engine, id: string): string {
  const row = library.get(id);
  return row === null ? id : summaryOf(row, null).title;
}

/** Label and first words of a marked message. */
function shown({ library }: Engine, { transcriptId, index, state }: StoredMark): Pick<MarkInfo, 'label' | 'text'> {
  const { messages, transcripts } = library.tables;
  const ids = state === 'gone' ? null : transcripts.ids(transcriptId);
  const [json] = ids === null ? [] : messages.texts(ids.id, index, 1, 1);
  if (json === undefined) return { label: '', text: '' };
  const message: unknown = JSON.parse(json);
  const facts = readMessage(message);
  const part = facts.parts.find(({ chars }) => chars > 0) ?? facts.parts[0];
  if (part === undefined) return { label: facts.role, text: '' };
  return { label: labelOf(part, facts.role), text: oneLine(previewPart(message, part, null).text, TEXT_CHARS) };
}
