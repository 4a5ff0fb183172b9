import type { Handlers } from '../../protocol/serve.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../session/session.ts';
import { createSlicer } from '../slicer.ts';

type Tools = readonly { readonly name: string; readonly calls: number }[];

/** The tools a transcript calls: offered where an option names tools. Counted once per length of the transcript. */
export function toolHandlers(engine: Engine): Pick<Handlers, 'transcript.tools'> {
  const known = new WeakMap<Session, { readonly length: number; readonly tools: Tools }>();
  return {
    async 'transcript.tools'({ id }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const { length } = session.value.source;
      const found = known.get(session.value);
      if (found?.length === length) return ok({ tools: found.tools });
      const tools = await countTools(session.value);
      known.set(session.value, { length, tools });
      return ok({ tools });
    },
  };
}

async function countTools({ source }: Session): Promise<Tools> {
  const calls = new Map<string, number>();
  const slicer = createSlicer();
  for (let index = 0; index < source.length; index++) {
    const { role, parts } = source.facts(index);
    if (role !== 'assistant') continue;
    for (const { kind, name } of parts) {
      if (kind === 'tool_call' && typeof name === 'string') calls.set(name, (calls.get(name) ?? 0) + 1);
    }
    await slicer.pause();
  }
  const tools = [...calls].map(([name, count]) => ({ name, calls: count }));
  return tools.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}
