/** True if one of these strings holds the words, letter for letter; runs of white space match each other. Of any length. */
export function holdsWords(fields: readonly string[], words: string): boolean {
  if (fields.some((field) => field.includes(words))) return true;
  const plain = collapsed(words);
  return fields.some((field) => field.length >= plain.length && collapsed(field).includes(plain));
}

function collapsed(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
