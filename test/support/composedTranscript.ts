// One conversation about a lamp that meets every kind of fate on its way through all the steps: recorded compaction,
// projection policies, reducers, injection, hygiene.
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';

const user = (content: unknown) => ({ role: 'user', content });
const said = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, name: string, path: string) => ({ type: 'tool_use', id, name, input: { path } });
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const failure = (id: string, content: string) => ({ ...result(id, content), is_error: true });
const listing = (path: string) => `${path}\n${'a line of code that says little; '.repeat(24)}`;

/** The messages; the comment names the turn. */
export const COMPOSED_MESSAGES: readonly unknown[] = [
  user('Mend the lamp in src/lamp.ts.'), // 0
  said(text('I look.'), call('a1', 'read', 'src/lamp.ts')),
  user([result('a1', listing('src/lamp.ts'))]),
  user('Summary: the lamp lacks a bulb.'), // 3: the recorded compaction's summary
  said(text('On we go.')),
  user('Look at the switch.'), // 5
  said(call('b1', 'read', 'src/switch.ts')),
  user([result('b1', listing('src/switch.ts'))]),
  said(text('The switch is fine.')),
  user('What is a lamp?'), // 9
  said(text('A light.')),
  user('Run the tests.'), // 11
  said(call('c1', 'run', 'test')),
  user([failure('c1', 'Error: no such test')]),
  said(text('Again, and I read.'), call('c2', 'run', 'tests'), call('c3', 'read', 'src/old.ts')),
  user([failure('c2', 'Error: no such tests'), result('c3', listing('src/old.ts'))]),
  said(call('c4', 'run', 'src/live.ts')),
  user([result('c4', listing('src/live.ts'))]),
  said(text('All pass.')),
  user('Read the dimmer and the fuse.'), // 19
  said(call('d1', 'read', 'src/dimmer.ts'), call('d2', 'list', 'src/fuse')),
  user([result('d1', listing('src/dimmer.ts')), result('d2', 'src/fuse/box.ts')]),
  said(text('Both read.')),
  user('Now be quick,'), // 23
  user('please.'), // 24
  said(call('e1', 'write', 'src/lamp.ts')),
  user('What happened?'), // 26
  said({ type: 'thinking', thinking: 'The write was never answered.' }, text('It was cut off.')),
  user('Then show src/live.ts.'), // 28
];

/** The conversation with its recorded compaction and a summary that a person wrote. */
export function composedTranscript(): TranscriptSource {
  return memorySource(
    COMPOSED_MESSAGES.map((message) => JSON.stringify(message)),
    null,
    [{ at: 3, summaryIndex: 3, trigger: 'auto', preTokens: 900, postTokens: 90, preserved: [0] }],
    [
      {
        from: 0,
        to: 11,
        content: 'Written: a lamp is a light, and the switch is fine.',
        version: 1,
        origin: 'written',
      },
    ],
  );
}

/** All steps in the stated order. */
export const COMPOSED_SPEC = {
  version: 1,
  stages: [
    { kind: 'recorded_compaction' },
    { kind: 'clean_tool_repair' },
    { kind: 'reachability_gc', options: { root_window: 2, min_chars: 200 } },
    { kind: 'tool_result_retention', options: { mode: 'age', value: 3 } },
    { kind: 'sliding_window', options: { turns: 7 } },
    { kind: 'summary', options: { when: 'always', keep_turns: 6 } },
    { kind: 'injection', options: { entries: { memory: { text: 'Lamps are in src/.' } } } },
    { kind: 'hygiene', options: { profile: 'anthropic' } },
  ],
} as const;
