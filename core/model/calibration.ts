// browser-safe
// How counted tokens become the provider's: input ≈ base + factor × counted. Data, drawn once from what a session records.

/** How the provider's tokens follow from counted ones. Goes into bundles as it is: what is projected again uses it. */
export interface Line {
  /** The provider's tokens for one counted; thousandths. */
  readonly factor: number;
  /** What every request holds besides its messages: system prompt, tools, what a client adds. The provider's tokens. */
  readonly base: number;
}

/** A line and how well it holds. */
export interface Calibration extends Line {
  readonly model: string | null;
  /** Requests that record their input. */
  readonly requests: number;
  /** Median distance of a request from the line, as a share of what it records. */
  readonly residual: number;
  /** The same in tokens. */
  readonly spread: number;
}
