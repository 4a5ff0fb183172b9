import { setTimeout as wait } from 'node:timers/promises';
import { capturePage } from '../../core/page/capture.ts';
import type { PageHead, PagePiece } from '../../core/page/types.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { PieceSource } from '../../renderer/page/pageEngine.ts';

/** The pieces of a page of an open transcript under a policy. */
export function captured(engine: EngineClient, id: string, spec: unknown): Promise<readonly PagePiece[]> {
  return capturePage({
    engine,
    id,
    spec,
    pause: () => wait(2),
    about: ({ at, prefixHash }) => ({
      parallax: '0.0.0',
      createdAt: '2026-01-01T00:00:00.000Z',
      title: 'A session',
      format: 'test',
      messages: at,
      at,
      policy: 'test',
      prefixHash: prefixHash ?? '',
      scrub: { scrubbed: false, findings: [] },
    }),
  });
}

/** Pieces at hand in place of those of a document. */
export function pieceSource(pieces: readonly PagePiece[]): PieceSource {
  return {
    async read<T>(name: string): Promise<T> {
      const found = pieces.find((piece) => piece.name === name);
      if (found === undefined) throw new Error(`no piece ${name}`);
      return JSON.parse(found.json);
    },
  };
}

export function headOf(pieces: readonly PagePiece[]): PageHead {
  const [head] = pieces;
  if (head?.name !== 'head') throw new Error('the head is not first');
  return JSON.parse(head.json);
}
