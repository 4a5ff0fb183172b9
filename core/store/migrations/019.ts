/**
 * A transcript's tokens as its provider counts them: the sum that an open session made of the very counts of the row, so
 * that the list says the same of it. null = no line holds, or none was drawn since the transcript was counted; whoever
 * writes new counts writes a new row.
 */
export const migration019 = `
ALTER TABLE token_totals ADD COLUMN calibrated INTEGER;
`;
