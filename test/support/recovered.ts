// What an imported file shows that its format recovers; for the claims of the formats, and the table in docs/formats.md.
import type { ImportedFile, ImportedTranscript } from '../../core/importers/memory.ts';
import { RECOVERED, type Recovered } from '../../core/importers/types.ts';
import { hasFailed } from '../../core/model/failure.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { imagesIn } from './formatCounts.ts';

/** The kinds that a file shows. */
export function recoveredIn(file: ImportedFile): ReadonlySet<Recovered> {
  const found = new Set<Recovered>();
  for (const transcript of file.transcripts) {
    for (const what of RECOVERED) if (!found.has(what) && shows(transcript, what)) found.add(what);
  }
  return found;
}

function shows(transcript: ImportedTranscript, what: Recovered): boolean {
  const { meta, messages, compactions, spawns } = transcript;
  const parts = () =>
    messages.flatMap((message) => readMessage(message.value).parts.map((part) => ({ part, message })));
  switch (what) {
    case 'calls':
      return parts().some(({ part }) => part.category === 'tool_call');
    case 'results':
      return parts().some(({ part }) => part.category === 'tool_result');
    case 'errors':
      return parts().some(({ part, message }) => hasFailed(part, message.meta));
    case 'thinking':
      return parts().some(({ part }) => part.kind === 'thinking');
    case 'signatures':
      return parts().some(({ part }) => part.signed === true);
    case 'opaque':
      return parts().some(({ part }) => part.kind === 'opaque');
    case 'images':
      return messages.some(({ value }) => imagesIn(value) > 0);
    case 'usage':
      return messages.some((message) => message.meta.usage !== undefined);
    case 'models':
      return messages.some((message) => message.meta.model !== undefined) || (meta.models?.length ?? 0) > 0;
    case 'folder':
      return meta.cwd !== undefined;
    case 'times':
      return messages.some((message) => message.meta.timestamp !== undefined);
    case 'compactions':
      return compactions.length > 0;
    case 'sub-agents':
      return spawns.length > 0 || (meta.parentKey ?? meta.parentSessionId ?? meta.agentId) !== undefined;
    case 'branches':
      return meta.branchOf !== undefined;
  }
}
