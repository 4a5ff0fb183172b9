// A vocabulary takes a fifth of a second to load, which whoever opens the first transcript would wait for. So it is loaded
// while nobody waits: when a page has come, and while a file is read.
import type { Library } from '../store/index.ts';
import { loadCounter } from '../tokens/counters.ts';
import { modelFacts } from '../tokens/models.ts';
import { modelOf } from './session/transcriptModel.ts';

/** After a page has come: its own first questions go before. */
const LATER_MS = 250;

/** Loads what most transcripts are counted with. */
export function loadUsualVocabulary(): void {
  load(null);
}

/** Loads, in a moment, what the newest transcript is counted with; nothing for an empty library. The answer calls it off. */
export function loadNewestVocabularySoon(library: Library): () => void {
  const timer = setTimeout(() => {
    const newest = library.list()[0];
    if (newest !== undefined) load(modelOf(newest));
  }, LATER_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

function load(model: string | null): void {
  void loadCounter(modelFacts(model).tokenizer).catch(() => {
    // Whoever needs it loads it again, and hears why it cannot be.
  });
}
