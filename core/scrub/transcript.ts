// A transcript's texts apart from its messages, and the whole of it written with stand-ins.
import type { TranscriptMeta } from '../model/transcript.ts';

/** JSON texts of what is recorded apart from the messages and says something: prompt, tools, settings, title, summary. */
export function frontTexts(meta: TranscriptMeta): readonly string[] {
  const { systemJson, toolsJson, settingsJson, title, summary, cwd, project, gitBranch } = meta;
  const said = Object.entries({ title, summary, cwd, project, gitBranch }).filter(([, text]) => text !== undefined);
  return [
    ...(said.length === 0 ? [] : [JSON.stringify(Object.fromEntries(said))]),
    systemJson,
    toolsJson,
    settingsJson,
  ].filter((json) => json !== undefined);
}
