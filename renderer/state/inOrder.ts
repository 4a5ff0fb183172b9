// Answers may come in another order than their questions were asked in.

/**
 * Tickets for questions of one kind. Each question takes one; the ticket then says whether its answer may be shown: not
 * if a question that was asked later has been answered already.
 */
export function newestAnswers(): () => () => boolean {
  let asked = 0;
  let answered = 0;
  return () => {
    const mine = ++asked;
    return () => {
      if (mine < answered) return false;
      answered = mine;
      return true;
    };
  };
}

/** Runs one at a time; those who ask while another run is under way share the next. `run` must not reject. */
export function oneByOne(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    const own = run().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
}
