// The check on real sessions: it never fails, and a fall without a record is found where it was looked at by hand and
// nowhere else. PARALLAX_EVIDENCE=1 prints what is found in each format.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText } from '../../core/importers/memory.ts';
import { checkUsage } from '../../core/insight/usage/index.ts';
import { countedUsage } from '../support/recordedUsage.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';

const FORMATS = [
  'claude-code',
  'codex',
  'pi',
  'gemini-cli',
  'opencode',
  'moatless',
  'tau2',
  'mini-swe-agent',
  'openhands',
];
const LARGEST = 5_000_000;

/**
 * Looked at by hand. Codex: the turn before was aborted, and with it went the encrypted results of web searches. pi: an
 * answer that ended in an error is kept in the file and was not sent again.
 */
const KNOWN: readonly string[] = ['agentv-websearch-orphan-call.jsonl #286', 'pi-large-session.jsonl #32'];

const tally = new Map<string, number>();
afterAll(() => {
  if (process.env.PARALLAX_EVIDENCE !== '1') return;
  process.stdout.write(
    `${[...tally]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join('\n')}\n`,
  );
});

const add = (what: string, count = 1) => tally.set(what, (tally.get(what) ?? 0) + count);
const title = `recorded usage of the corpus${sharedDir() === null ? ' (skipped: no shared corpus)' : ''}`;

describe.skipIf(sharedDir() === null)(title, () => {
  it.each(FORMATS)('%s', async (format) => {
    const drops: string[] = [];
    for (const path of corpusFiles(format).filter((file) => statSync(file).size < LARGEST)) {
      for (const transcript of importText(readFileSync(path), { unpack: unpackZlib }).transcripts) {
        const { recorded } = await countedUsage(transcript);
        const report = checkUsage(recorded, 'o200k_base');
        if (report.requests.length > 0) add(`${format} transcripts`);
        add(`${format} requests`, report.requests.length);
        for (const { code, severity, where } of report.problems) {
          add(`${format} ${severity} ${code}`);
          if (code === 'usage.unexplained_drop') drops.push(`${basename(path)} #${where?.index}`);
        }
      }
    }
    expect(drops.filter((drop) => !KNOWN.includes(drop))).toEqual([]);
    const own = KNOWN.filter((drop) => corpusFiles(format).some((path) => drop.startsWith(basename(path))));
    expect(drops.toSorted()).toEqual(own.toSorted());
  });
});
