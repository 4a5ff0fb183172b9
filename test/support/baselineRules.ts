/** Rules: one that passes, one whose policy will be changed, and perhaps more. */
export const baselineRules = (turns: number, more = ''): string => `version: 1
rules:
  - name: As before
    policy: raw
    baseline: true
  - name: Under a window
    policy: {version: 1, stages: [{kind: sliding_window, options: {turns: ${turns}}}]}
    baseline: true
${more}`;

/** A rule that is in no baseline: it has nothing to be compared with. */
export const NEW_RULE = `  - name: New
    baseline: true
`;
