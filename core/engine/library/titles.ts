/** What a transcript's title is made of. */
export interface Titled {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly path: string | null;
}

/** An id says nothing to a person: first words do, where there are any. */
export function isId(title: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^[0-9a-f]{24,}$/i.test(title.trim());
}

/** The title as the tool shows it; without one, what distinguishes the transcript from others. */
export function titleOf({ id, title, agentId, sessionId, path }: Titled): string {
  if (title && !isId(title)) return title;
  const file = path?.split(/[\\/]/).at(-1);
  return agentId === undefined ? (sessionId ?? file ?? id) : `Agent ${agentId}`;
}
