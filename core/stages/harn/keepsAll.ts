import type { IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Fate } from '../../view/types.ts';

/** A policy that leaves every message as it is, at any call point and for one reason. */
export class KeepsAll implements IncrementalRun {
  readonly #kept: Fate;
  readonly #report: (done: StageDone, messages: number) => ReportDetails;
  #messages = 0;

  /** `report` is given how many messages the policy was given. */
  constructor(kept: Fate, report: (done: StageDone, messages: number) => ReportDetails) {
    this.#kept = kept;
    this.#report = report;
  }

  step(input: LiveView): void {
    this.#messages = input.length;
  }

  fateOf(): null {
    return null;
  }

  explain(): Fate {
    return this.#kept;
  }

  report(done: StageDone): ReportDetails {
    return this.#report(done, this.#messages);
  }
}
