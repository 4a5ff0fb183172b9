import { describe, expect, it } from 'vitest';
import { inlineImage } from '../../renderer/parts/inlineImage.ts';

const text = { type: 'text', text: 'look' };

function detail(block: unknown) {
  const rawJson = JSON.stringify({ role: 'user', content: [text, block] });
  return { rawJson, rawChars: rawJson.length };
}

describe('an image within its message', () => {
  it.each([
    ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }],
    ['OpenAI chat', { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }],
    ['OpenAI responses', { type: 'input_image', image_url: 'data:image/png;base64,QUJD' }],
  ])('is found as %s writes it', (_name, block) => {
    expect(inlineImage(detail(block), 1)).toEqual({ mime: 'image/png', base64: 'QUJD' });
  });

  it('is none in a text, behind an address, beyond the parts or where the JSON is cut', () => {
    expect(inlineImage(detail(text), 0)).toBeNull();
    expect(inlineImage(detail({ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }), 1)).toBeNull();
    expect(inlineImage(detail(text), 7)).toBeNull();
    expect(inlineImage({ rawJson: '{"role":', rawChars: 4000 }, 0)).toBeNull();
  });
});
