// browser-safe

/** What a recorded compaction that covers no message of its transcript is said to cover; null = a stage made it, or it covers some. */
export function nothingCovered(recordedAt: number | null, covered: number): string | null {
  if (recordedAt === null || covered > 0) return null;
  return recordedAt === 0
    ? 'The transcript begins with its summary: what it covered is not in it, and what survived cannot be said.'
    : 'It covered no message of this transcript.';
}

/** Of a recorded compaction whose record may not be all that the model was given. */
export const NO_SUMMARY_RECORDED = 'No summary is recorded: what seems lost may have been in it.';
