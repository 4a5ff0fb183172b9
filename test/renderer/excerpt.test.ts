import { describe, expect, it } from 'vitest';
import { excerptOf, faultOf } from '../../renderer/drawer/excerpt.ts';

describe('the line of a problem', () => {
  it.each([
    ['{"a": nul}', 6],
    ['{"a": 1} x', 9],
    ['not json', 0],
    ['{"a": "cut of', 13],
    ['{"a": 1} ', null],
  ])('finds where %j stops being JSON', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('marks the character at the fault, whole even outside the basic plane', () => {
    expect(excerptOf('{"a": nul}', 6, false)).toEqual({ before: '{"a": ', at: 'n', after: 'ul}' });
    expect(excerptOf('[1] 🎉!', 4, false)).toEqual({ before: '[1] ', at: '🎉', after: '!' });
  });

  it('has an empty mark at the end of a line that was cut off', () => {
    expect(excerptOf('{"a": "cut of', 13, false)).toEqual({ before: '{"a": "cut of', at: '', after: '' });
  });

  it('keeps a far fault in sight and says where it was cut', () => {
    const text = `{"a": "${'x'.repeat(1000)}" y${'z'.repeat(1000)}`;
    const fault = faultOf(text) ?? -1;
    const { before, at, after } = excerptOf(text, fault, false);
    expect(text[fault]).toBe('y');
    expect([at, before.startsWith('…'), before.endsWith('" '), after.endsWith('…')]).toEqual(['y', true, true, true]);
    expect(before.length + after.length).toBeLessThan(300);
  });

  it('shows the beginning where there is no fault, and that there is more', () => {
    expect(excerptOf('{"a": 1}', null, false)).toEqual({ before: '', at: '', after: '{"a": 1}' });
    expect(excerptOf('{"a": ', null, true).after).toBe('{"a": …');
  });

  it('shows characters that take no room or turn the text around', () => {
    expect(excerptOf('a\0\u001b[31m\u202eb', null, false).after).toBe('a␀␛[31m␣b');
  });
});
