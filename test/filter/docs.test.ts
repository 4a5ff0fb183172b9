import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FIELDS } from '../../core/filter/fields.ts';
import { LIBRARY_FIELDS } from '../../core/library/language.ts';

it('docs/filter.md lists every field with its type, source and values', () => {
  const page = readFileSync(new URL('../../docs/filter.md', import.meta.url), 'utf8');
  const listed = page.split('\n').filter((line) => /^\| `[a-z]+` \| (value|number|time)/.test(line));
  const wanted = FIELDS.map((field) => {
    const type = field.type === 'number' ? `number (${field.unit})` : field.type;
    const values =
      field.type === 'value' && field.values ? `: ${field.values.map(({ value }) => `\`${value}\``).join(', ')}` : '';
    return `| \`${field.name}\` | ${type} | ${field.source} | ${field.help}${values} |`;
  });
  expect(listed).toEqual(wanted);
});

it('docs/filter.md lists every field of the list of transcripts', () => {
  const page = readFileSync(new URL('../../docs/filter.md', import.meta.url), 'utf8');
  const listed = page.split('\n').filter((line) => /\| (value|number \([^)]+\)|time) \|$/.test(line));
  const wanted = LIBRARY_FIELDS.map((field) => {
    const type = field.type === 'number' ? `number (${field.unit})` : field.type;
    const values =
      field.type === 'value' && field.values ? `: ${field.values.map(({ value }) => `\`${value}\``).join(', ')}` : '';
    return `| \`${field.name}\` | ${field.help}${values} | ${type} |`;
  });
  expect(listed).toEqual(wanted);
});
