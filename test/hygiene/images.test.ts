import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { resizeImage } from '../../core/engine/effects/images.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { projectSteps } from '../../core/projection/project.ts';
import { resizeSides } from '../../core/stages/hygiene/images.ts';
import { RULES } from '../../core/stages/hygiene/index.ts';
import { imageSize } from '../../core/util/imageSize.ts';
import { itemText } from '../../core/view/reader.ts';
import type { ResizeAnswer } from '../../core/view/types.ts';
import { stagesOf } from '../support/projecting.ts';
import { contextWith, draftsOf } from './support.ts';

const MB = 1024 * 1024;

function png(width: number, height: number, level = 6): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]).toString('base64');
}

const message = (data: string, mimeType = 'image/png') => ({
  role: 'user',
  content: [{ type: 'image', data, mimeType }],
});

/** The block after the rule, with a host that has an image library (or, as told, has none). */
async function blockAfter(input: unknown, host: (request: never) => Promise<ResizeAnswer> = resizeImage) {
  const drafts = draftsOf([input]);
  const resized = new Map<string, ResizeAnswer>();
  const context = contextWith({}, resized);
  for (const request of RULES.images.requests?.(drafts, context) ?? []) {
    resized.set(request.key, await host(request as never));
  }
  const result = RULES.images.fix(drafts, context);
  const after: unknown = JSON.parse(result.messages[0]?.text ?? 'null');
  return { after, result, drafts, asked: resized.size };
}

describe('images', () => {
  it('within the limits are the same bytes', async () => {
    const { result, drafts, asked } = await blockAfter(message(png(1200, 1200)));
    expect(result.messages).toBe(drafts);
    expect(asked).toBe(0);
  });

  it('that say another type are corrected, and keep their bytes', async () => {
    const jpeg = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#123' } })
      .jpeg()
      .toBuffer();
    const { after } = await blockAfter(message(jpeg.toString('base64')));
    expect(after).toEqual(message(jpeg.toString('base64'), 'image/jpeg'));
  });

  it('that are too wide become JPEG of 1200 px', async () => {
    const { after } = await blockAfter(message(png(2600, 400)));
    expect(after).toMatchObject({ content: [{ type: 'image', mimeType: 'image/jpeg' }] });
    const { data } = (after as ReturnType<typeof message>).content[0]!;
    expect(imageSize(Buffer.from(data, 'base64'))).toMatchObject({ format: 'jpeg', width: 1200 });
  });

  it('of too many bytes fit afterwards', async () => {
    const large = png(2800, 2800, 0);
    expect((large.length * 3) / 4).toBeGreaterThan(5 * MB);
    const { after } = await blockAfter(message(large));
    const { data } = (after as ReturnType<typeof message>).content[0]!;
    expect((data.length * 3) / 4).toBeLessThanOrEqual(5 * MB);
  });

  it('that are none become a line of text', async () => {
    expect((await blockAfter(message('§§§'))).after).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '[session:history] omitted image payload: invalid base64' }],
    });
    expect((await blockAfter(message('aGVsbG8='))).after).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('[session:history] omitted image payload: Error: ') }],
    });
  });

  it('stay as they are where no library runs, and the finding says so', async () => {
    const none: ResizeAnswer = { effect: 'resize_image', ok: false, code: 'unavailable', message: 'none here' };
    const { result, drafts } = await blockAfter(message(png(2600, 400)), async () => none);
    expect(result.messages).toBe(drafts);
    expect(result.changes).toMatchObject([{ kind: 'reported', done: 'left as it is: none here' }]);
  });

  it('of other shapes are made smaller too', async () => {
    const data = png(2600, 400);
    const shapes = [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] },
      { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${data}` }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
    ];
    for (const shape of shapes) {
      const { after } = await blockAfter(shape);
      const json = JSON.stringify(after);
      expect(json).toContain('image/jpeg');
      expect(json.length).toBeLessThan(JSON.stringify(shape).length + 20_000);
    }
  });

  it('are never enlarged by the plan', () => {
    expect(resizeSides(2600, 1200)).toEqual([1200, 1000, 800]);
    expect(resizeSides(900, 1200)).toEqual([900, 800]);
    expect(resizeSides(null, 2000)).toEqual([2000, 1800, 1600, 1400, 1200, 1000, 800]);
  });

  it('are asked of the host once by the stage, which resumes with the answer', async () => {
    const texts = [message(png(2600, 400)), message(png(2600, 400))].map((each) => JSON.stringify(each));
    const source = memorySource(texts);
    const steps = projectSteps(source, stagesOf({ version: 1, stages: [{ kind: 'hygiene' }] }), 2);
    let asked = 0;
    let step = steps.next();
    while (step.done !== true) {
      if (step.value.effect === 'pause') {
        step = steps.next(step.value);
        continue;
      }
      if (step.value.effect !== 'resize_image') throw new Error('no code is to be run here');
      asked++;
      step = steps.next(await resizeImage(step.value));
    }
    expect(asked).toBe(1);
    expect(step.value.fates.map(({ kind, rule }) => [kind, rule])).toEqual([
      ['rewritten', 'images'],
      ['rewritten', 'images'],
    ]);
    for (const item of step.value.view.items) expect(itemText(item, source)).toContain('image/jpeg');
  });
});
