/** What is pending as entries of a thread: two calls of one answer, their results, a system note, a question. */
export const PENDING_ENTRIES: readonly unknown[] = [
  {
    kind: 'tool_call',
    payload: { name: 'look', arguments: { at: 1.5 } },
    refs: { call_id: 'c9', tool_call_id: 'p1' },
  },
  { kind: ':tool_call', payload: { id: 'p2', name: 'look' }, refs: { call_id: 'c9' } },
  { kind: 'tool_result', payload: { result: { ok: { n: 1 } } }, refs: { tool_call_id: 'p1' } },
  { kind: 'tool_result', payload: { tool_call_id: 'p2', result: ['error', 'timeout'] } },
  { kind: 'message', payload: { role: ':system', content: 'Be quick.' } },
  { kind: 'message', payload: { content: 'And what of the other one?' }, refs: { request_id: 'r9' } },
];
