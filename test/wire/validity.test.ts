// Every body of the corpus, repaired by its target's hygiene, against the SDKs' own types and the lint. A sample by
// default; PARALLAX_WIRE_FULL=1 takes all transcripts of all files.
import { expect, it } from 'vitest';
import { PRESETS } from '../../core/projection/presets.ts';
import { WIRE_TARGETS } from '../../core/wire/types.ts';
import { FORMATS } from '../support/formats.ts';
import { sharedDir } from '../support/shared.ts';
import { corpusTranscripts, writeRepaired } from '../support/wireBodies.ts';
import { TypeCheck } from '../support/wireTypes.ts';

const FULL = process.env.PARALLAX_WIRE_FULL === '1';

it.skipIf(sharedDir() === null)(
  'repaired bodies are what the providers’ types and rules take',
  { timeout: 240_000 },
  () => {
    const check = new TypeCheck();
    const objections: string[] = [];
    let bodies = 0;
    for (const format of FORMATS) {
      for (const transcript of corpusTranscripts(format, FULL, 2)) {
        for (const target of WIRE_TARGETS) {
          const { text, findings } = writeRepaired(transcript, target);
          check.add(target, transcript.name, text);
          objections.push(...findings.map((finding) => `${target} ${transcript.name}: ${finding}`));
          bodies++;
        }
      }
    }
    expect(bodies).toBeGreaterThan(100);
    expect(objections).toEqual([]);
    const refused = [...check.run()].flatMap(([name, list]) =>
      list.map(({ why, literal }) => `${name}: ${why} ${literal}`),
    );
    expect(refused).toEqual([]);
  },
);

it.skipIf(sharedDir() === null)('so are those of every preset', { timeout: 240_000 }, () => {
  const check = new TypeCheck();
  const objections: string[] = [];
  for (const [turn, format] of ['claude-code', 'codex', 'pi', 'gemini-contents', 'harn'].entries()) {
    for (const transcript of corpusTranscripts(format, false, 1)) {
      if (transcript.transcript.messages.length > 400) continue;
      for (const [place, { name, spec }] of PRESETS.entries()) {
        // Each preset is seen with each target over the five formats; in full with all of them.
        const targets = FULL ? WIRE_TARGETS : [WIRE_TARGETS[(place + turn) % WIRE_TARGETS.length] ?? 'anthropic'];
        for (const target of targets) {
          const { text, findings } = writeRepaired(transcript, target, spec.stages);
          check.add(target, `${name} ${transcript.name}`, text);
          objections.push(...findings.map((finding) => `${target} ${name} ${transcript.name}: ${finding}`));
        }
      }
    }
  }
  expect(objections).toEqual([]);
  expect([...check.run().keys()]).toEqual([]);
});

it('the types refuse what they should', () => {
  const check = new TypeCheck();
  const bad = {
    anthropic: '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text"}]}]}',
    openai: '{"model":"m","messages":[{"role":"tool","content":"a"}]}',
    responses: '{"model":"m","input":[{"type":"function_call","name":"f","arguments":"{}"}]}',
    gemini: '{"contents":[{"role":"user","parts":[{"text":"a","extra":1}]}]}',
  };
  for (const target of WIRE_TARGETS) {
    check.add(target, 'bad', bad[target]);
    check.add(target, 'good', target === 'gemini' ? '{"contents":[]}' : bad[target].replace(/\[\{.*\}\]/, '[]'));
  }
  const refused = check.run();
  expect([...refused.keys()].sort()).toEqual(WIRE_TARGETS.map((target) => `${target} bad`).sort());
});
