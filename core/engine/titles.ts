/** What a transcript's title is made of. */
export interface Titled {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly path: string | null;
}

/** The title as the tool shows it; where there is none, what tells the transcript from others. */
export function titleOf({ id, title, agentId, sessionId, path }: Titled): string {
  if (title) return title;
  const file = path?.split(/[\\/]/).at(-1);
  return agentId === undefined ? (sessionId ?? file ?? id) : `Agent ${agentId}`;
}
