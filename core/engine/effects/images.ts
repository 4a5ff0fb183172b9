// Makes images smaller for stages: the plan (sides, qualities, limit) is theirs, the library that decodes and encodes is
// sharp. It is loaded with the first image; where it cannot be loaded, every answer says so and images stay as they are.
import type { ResizeAnswer, ResizeImage } from '../../view/types.ts';

type Sharp = typeof import('sharp').default;

let loading: Promise<Sharp | string> | null = null;

function loadSharp(): Promise<Sharp | string> {
  const started =
    loading ??
    import('sharp').then(
      ({ default: sharp }) => {
        // Each image is seen once: what the library would remember of it, and a thread for each core, take 20 MB.
        sharp.cache(false);
        sharp.concurrency(1);
        return sharp;
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  loading = started;
  return started;
}

/** The image as a JPEG within the limit: side by side and quality by quality as planned, the first that fits. */
export async function resizeImage(request: ResizeImage): Promise<ResizeAnswer> {
  const sharp = await loadSharp();
  if (typeof sharp === 'string') {
    const [why] = sharp.split('\n');
    return refused('unavailable', `the image library sharp cannot be loaded here: ${why ?? ''}`);
  }
  try {
    return await firstThatFits(sharp, request);
  } catch (error) {
    return refused('failed', error instanceof Error ? error.message : String(error));
  }
}

async function firstThatFits(sharp: Sharp, request: ResizeImage): Promise<ResizeAnswer> {
  const input = Buffer.from(request.data, 'base64');
  let smallest = Number.POSITIVE_INFINITY;
  for (const side of request.sides) {
    const fitted = sharp(input).rotate().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
    for (const quality of request.qualities) {
      const jpeg = await fitted.clone().flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
      if (jpeg.length <= request.maxBytes) {
        return { effect: 'resize_image', ok: true, data: jpeg.toString('base64'), mime: 'image/jpeg' };
      }
      smallest = Math.min(smallest, jpeg.length);
    }
  }
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2);
  const limit = `${Math.round(request.maxBytes / 1024 / 1024)}MB`;
  return refused('failed', `Image could not be reduced below ${limit} (got ${megabytes(smallest)}MB)`);
}

function refused(code: 'unavailable' | 'failed', message: string): ResizeAnswer {
  return { effect: 'resize_image', ok: false, code, message };
}
