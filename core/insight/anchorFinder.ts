/** Finds some anchors again. */
export interface AnchorFinder {
  readonly anchors: readonly { readonly text: string }[];
  /** False if a message's JSON text cannot hold any of them. */
  mayStandIn(json: string): boolean;
  /** Adds the positions (in `anchors`) of those that stand in a string. */
  addFound(text: string, found: Set<number>): void;
}
