/** The answer of the API to a request with a block that fails. Source: "Troubleshooting thinking", September 2026. */
export interface Refusal {
  readonly status: 400;
  readonly type: 'invalid_request_error';
  /** `messages.3.content.0`, as positions of the request. */
  readonly at: string;
  readonly message: string;
}

/** What stays of the sentence in every version of it. */
export const REFUSAL_WORDS = 'bound to a different conversation';

/** The refusal of a block at a path of the request. */
export function refusalAt(path: string): Refusal {
  const message = `${path}: Invalid \`signature\` in \`thinking\` block. The block is ${REFUSAL_WORDS}. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
  return { status: 400, type: 'invalid_request_error', at: path, message };
}

/** Where a block is in a request whose messages are those of the projection: `messages.{position}.content.{element}`. */
export function requestPath(position: number, element: number): string {
  return `messages.${position}.content.${element}`;
}
