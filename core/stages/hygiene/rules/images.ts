// Images that a provider would refuse: empty, unreadable, mislabelled, too large.

import type { JsonPath } from '../../../model/message.ts';
import { countOf, grouped } from '../../../util/counts.ts';
import { replaceAt, setMember } from '../../../util/json/index.ts';
import type { ResizeImage } from '../../../view/types.ts';
import { bitOf, type Draft } from '../draft.ts';
import { type ImageRef, isOverLimits, JPEG_QUALITIES, payloadText, resizeSides } from '../images.ts';
import type { Change, RuleContext } from '../types.ts';
import { defineRule } from './rule.ts';

const NAME = 'images';

/**
 * Images within the limits keep their bytes and get the media type their bytes show; larger ones are encoded again,
 * never enlarged; what cannot be read becomes a line of text. Where no image library runs, larger ones are reported
 * and left alone. Source: hygiene facts, 3.14.
 */
export const images = defineRule({
  name: NAME,
  title: 'Images',
  help: 'Makes images smaller that are over the limits, corrects their media type, and replaces what is not an image by a line of text.',
  fix(messages, context) {
    const changes: Change[] = [];
    const bit = bitOf('images');
    const under = context.same ?? context.options;
    // Asked of every message: most hold none.
    const after = messages.map((draft) => {
      if (draft.passes(bit, under)) return draft;
      if (draft.holdsImage) return mend(draft, context, changes);
      draft.keepJudgement('images', under, null);
      return draft;
    });
    return { messages: changes.every(({ kind }) => kind === 'reported') ? messages : after, changes };
  },
  requests: (messages, context) =>
    messages
      .filter((draft) => draft.holdsImage)
      .flatMap((draft) =>
        draft.traits.images.flatMap((image) => (isOver(image, context) ? [requestFor(draft, image, context)] : [])),
      ),
});

function isOver(image: ImageRef, { options }: RuleContext): boolean {
  return isOverLimits(image, options.imageMaxSide, options.imageMaxBytes);
}

function requestFor(draft: Draft, image: ImageRef, context: RuleContext): ResizeImage {
  const { imageMaxSide, imageMaxBytes } = context.options;
  const data = payloadText(draft.value, image);
  const longest = image.width === null || image.height === null ? null : Math.max(image.width, image.height);
  const sides = resizeSides(longest, imageMaxSide);
  const key = imageKey(data, context);
  return { effect: 'resize_image', key, data, sides, qualities: JPEG_QUALITIES, maxBytes: imageMaxBytes };
}

function imageKey(data: string, { options, sha256 }: RuleContext): string {
  return `${sha256(data)} ${options.imageMaxSide} ${options.imageMaxBytes}`;
}

function mend(draft: Draft, context: RuleContext, changes: Change[]): Draft {
  const notable = draft.traits.images.filter((image) => needsWork(image, context));
  if (notable.length === 0) return draft;
  const { value } = draft;
  let { text } = draft;
  const said: Outcome[] = [];
  for (const image of notable) {
    const outcome = mendOne(text, image, value, context);
    text = outcome.text;
    said.push(outcome);
  }
  const after = draft.with(text);
  const first = said[0];
  const done = said.map((outcome) => outcome.done).join('; ');
  const objection = said.map((outcome) => outcome.objection).join('; ');
  const kind = after === draft ? 'reported' : 'rewritten';
  if (first !== undefined) {
    changes.push({ rule: NAME, kind, before: draft, after, objection, done, severity: 'error', chip: 'image' });
  }
  return after;
}

function needsWork(image: ImageRef, context: RuleContext): boolean {
  if (image.payload !== 'good' || image.padded || isOver(image, context)) return true;
  return image.sniffed?.startsWith('image/') === true && image.sniffed !== image.mime;
}

interface Outcome {
  readonly text: string;
  readonly objection: string;
  readonly done: string;
}

function mendOne(text: string, image: ImageRef, message: unknown, context: RuleContext): Outcome {
  if (image.payload === 'empty') return omitted(text, image, 'an image has no payload', 'omitted empty image payload');
  if (image.payload === 'invalid') {
    return omitted(text, image, 'an image is not base64', 'omitted image payload: invalid base64');
  }
  if (!isOver(image, context)) {
    const mime = image.sniffed?.startsWith('image/') === true ? image.sniffed : image.mime;
    const edited = withPayload(text, image, payloadText(message, image), mime);
    if (mime === image.mime)
      return { text: edited, objection: 'white space surrounds an image', done: 'it was trimmed' };
    const objection = `an image says it is ${image.mime || 'of no type'} and is ${mime}`;
    return { text: edited, objection, done: 'its media type was corrected' };
  }
  const { imageMaxSide, imageMaxBytes } = context.options;
  const { width, height } = image;
  const size = width === null || height === null ? 'of unknown size' : `${grouped(width)} × ${grouped(height)} px`;
  const most = `${grouped(imageMaxSide)} px and ${countOf(imageMaxBytes, 'byte')}`;
  const isKnown = width !== null || image.bytes > imageMaxBytes;
  const what = isKnown
    ? 'an image is over the limits'
    : 'the size of an image cannot be read, so it may be over the limits';
  const objection = `${what}: ${size}, ${countOf(image.bytes, 'byte')}; allowed are ${most}`;
  const data = payloadText(message, image);
  const answer = context.resized.get(imageKey(data, context));
  if (answer === undefined) return { text, objection, done: 'left as it is: no host was asked to make it smaller' };
  if (answer.ok) {
    return {
      text: withPayload(text, image, answer.data, answer.mime),
      objection,
      done: 'it was made smaller, as JPEG',
    };
  }
  if (answer.code === 'unavailable') return { text, objection, done: `left as it is: ${answer.message}` };
  return omitted(text, image, objection, `omitted image payload: Error: ${answer.message}`);
}

function omitted(text: string, image: ImageRef, objection: string, why: string): Outcome {
  const line = `[session:history] ${why}`;
  const block = image.shape === 'gemini' ? { text: line } : { type: textType(image), text: line };
  return {
    text: replaceAt(text, image.path, JSON.stringify(block)),
    objection,
    done: 'a line of text replaces it',
  };
}

function textType(image: ImageRef): string {
  return image.shape === 'data_url' && image.holder.length === image.path.length ? 'input_text' : 'text';
}

function withPayload(text: string, image: ImageRef, data: string, mime: string): string {
  const { holder, shape } = image;
  if (shape === 'data_url') {
    const key = holder.length === image.path.length ? 'image_url' : 'url';
    return setMember(text, holder, key, JSON.stringify(`data:${mime};base64,${data}`));
  }
  const typed = setMember(text, holder, mimeKey(holder, shape), JSON.stringify(mime));
  return setMember(typed, holder, 'data', JSON.stringify(data));
}

function mimeKey(holder: JsonPath, shape: ImageRef['shape']): string {
  if (shape === 'anthropic') return 'media_type';
  return holder.at(-1) === 'inline_data' ? 'mime_type' : 'mimeType';
}
