/** The message meant by `214` or `#214`, clamped to the transcript; null if the text is not a number or nothing is open. */
export function messageNumber(text: string, messages: number): number | null {
  const found = /^\s*#?(\d{1,9})\s*$/.exec(text);
  if (!found?.[1] || messages === 0) return null;
  return Math.min(Number(found[1]), messages - 1);
}
