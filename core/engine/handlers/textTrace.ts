import type { Handlers } from '../../protocol/channel.ts';
import { err } from '../../util/result.ts';
import { failure } from '../failures.ts';

/** Whether a text stands in a request. */
export function textTraceHandlers(): Pick<Handlers, 'trace.text' | 'trace.present'> {
  const unknown = err(failure('trace.text_unknown', 'This engine cannot follow a text yet.'));
  return { 'trace.text': () => unknown, 'trace.present': () => unknown };
}
