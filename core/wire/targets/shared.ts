// Sentences and keys that the writers share.
import { stringEnd } from '../../util/json/index.ts';
import { JsonNode } from '../jsonNode.ts';
import type { LossList } from '../losses.ts';
import type { Media } from '../neutral.ts';
import { blockLost, isBlank, type MessageIn, plainText } from '../writer.ts';

type Step = string | number;

/** Keys of a result block that every writer has read. */
export const RESULT_KEYS: ReadonlySet<string> = new Set([
  'type',
  'tool_use_id',
  'tool_call_id',
  'toolCallId',
  'toolUseId',
  'id',
  'name',
  'toolName',
  'content',
  'response',
  'is_error',
  'isError',
  'error',
]);

/** Why an image, a file or a sound is not carried. */
export function mediaLoss(
  media: Media | null,
  target: string,
): { readonly kind: 'image' | 'image_url' | 'file' | 'audio'; readonly text: string } {
  if (media === null) return { kind: 'file', text: 'a file or image whose payload is not recorded' };
  const what = media.what === 'image' ? 'an image' : media.what === 'audio' ? 'a sound' : 'a file';
  if (media.kind === 'asset') return { kind: media.what, text: `${what} kept as asset ${media.id}: ${media.why}` };
  if (media.kind === 'id') return { kind: 'file', text: `${what} by the id of an upload: ids are the provider's own` };
  if (media.kind === 'url') {
    return {
      kind: media.what === 'image' ? 'image_url' : 'file',
      text: `${what} by address: ${target} takes no such address`,
    };
  }
  const mime = media.kind === 'base64' && media.mime !== '' ? ` of type ${media.mime}` : '';
  return { kind: media.what, text: `${what}${mime}: ${target} takes none` };
}

/** A signature that is beside a call (Gemini). */
export function siblingSignature(message: MessageIn, path: readonly Step[], losses: LossList): void {
  if (path[0] !== 'parts' || path.length !== 3) return;
  const outer = message.node.at(path.slice(0, 2)) ?? new JsonNode('{}', {});
  losses.unused(message.place, outer, path.slice(0, 2), new Set(['functionCall', 'function_call']));
}

/** The literal of a text part that begins with `head` and holds nothing else; null if it does. */
export function loneLiteral(part: string, head: string): string | null {
  if (!part.startsWith(`${head}"`)) return null;
  return stringEnd(part, head.length) === part.length - 1 ? part.slice(head.length, -1) : null;
}

/** Literals of the texts of a system message, those that say something; other blocks are reported as lost. */
export function systemTexts(message: MessageIn, losses: LossList, target: string): readonly string[] {
  const texts = message.parts.flatMap((read) => {
    if (read.part.kind === 'text') return [plainText(message, read, losses)];
    blockLost(message, read, losses, target);
    return [];
  });
  return texts.filter((literal) => !isBlank(literal));
}
