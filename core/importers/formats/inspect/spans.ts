// Events are in spans, and spans in spans: solvers, tools, agents. Here is found whose conversation a model's call
// belongs to, and which tool call started that agent.

import { type Fields, recordAt, stringAt } from '../../../util/unknown.ts';
import { named } from './message.ts';

interface Span {
  readonly id: string;
  readonly parent: string | undefined;
  readonly type: string | undefined;
  readonly name: string | undefined;
}

/** An agent at work: a span of type agent, or (in logs without spans) the tool call or subtask its events are in. */
export interface Agent {
  readonly id: string;
  readonly name: string | undefined;
  /** The tool call that started it, where the log says so. */
  readonly callId: string | undefined;
}

const MAX_DEPTH = 1000;

/** The spans of one sample; given its events in order. */
export class Spans {
  readonly #spans = new Map<string, Span>();
  // Spans of tools whose tool event has not come, by where they stand and what they call.
  readonly #awaiting = new Map<string, string[]>();
  readonly #callOf = new Map<string, string>();

  see(event: Fields): void {
    const kind = stringAt(event, 'event');
    if (kind === 'span_begin') this.#begin(event);
    else if (kind === 'tool') this.#tool(event);
  }

  #begin(event: Fields): void {
    const id = named(event, 'id');
    if (id === undefined) return;
    const [type, name, parent] = [named(event, 'type'), named(event, 'name'), named(event, 'parent_id')];
    this.#spans.set(id, { id, parent, type, name });
    if (type !== 'tool') return;
    const key = `${parent}\n${name}`;
    this.#awaiting.set(key, [...(this.#awaiting.get(key) ?? []), id]);
  }

  #tool(event: Fields): void {
    const call = named(event, 'id');
    if (call === undefined) return;
    const agent = named(event, 'agent_span_id');
    if (agent !== undefined) this.#callOf.set(agent, call);
    const span = this.#awaiting.get(`${named(event, 'span_id')}\n${named(event, 'function')}`)?.shift();
    if (span !== undefined) this.#callOf.set(span, call);
  }

  /** Id of the innermost span of type agent around a span; undefined if there is none. */
  agentAround(spanId: string | undefined): string | undefined {
    return this.#outwards(spanId).find(({ type }) => type === 'agent')?.id;
  }

  /** What is known of an agent; complete once all events were seen. */
  agent(id: string): Agent {
    const [self, ...around] = this.#outwards(id);
    const outer = around.findIndex(({ type }) => type === 'agent');
    const own = [id, ...around.slice(0, outer < 0 ? around.length : outer).map((span) => span.id)];
    const callId = own.map((span) => this.#callOf.get(span)).find((call) => call !== undefined);
    return { id, name: self?.name, callId };
  }

  /** The agent that an agent was started by; undefined if it is the sample's own. */
  parentOf(id: string): string | undefined {
    return this.agentAround(this.#spans.get(id)?.parent);
  }

  #outwards(id: string | undefined): readonly Span[] {
    const spans: Span[] = [];
    let next = id === undefined ? undefined : this.#spans.get(id);
    while (next && spans.length < MAX_DEPTH) {
      spans.push(next);
      next = next.parent === undefined ? undefined : this.#spans.get(next.parent);
    }
    return spans;
  }
}

/** One line for people on what an event says. */
export function describeEvent(event: Fields): string {
  const kind = stringAt(event, 'event') ?? 'event';
  const name = named(event, 'name');
  switch (kind) {
    case 'span_begin':
    case 'step':
      return [named(event, 'action') ?? 'begin', named(event, 'type'), name].filter(Boolean).join(' ');
    case 'span_end':
      return 'end';
    case 'model': {
      const error = named(event, 'error');
      return `call of ${named(event, 'model') ?? 'a model'}${error === undefined ? '' : `: ${error}`}`;
    }
    case 'tool': {
      const error = recordAt(event, 'error');
      const said = error ? `: ${named(error, 'message') ?? named(error, 'type') ?? 'failed'}` : '';
      return `tool ${named(event, 'function') ?? ''}${said}`;
    }
    case 'score': {
      const value = recordAt(event, 'score')?.value;
      return `score ${value === undefined || (typeof value === 'object' && value !== null) ? '' : String(value)}`.trim();
    }
    case 'sandbox':
      return [named(event, 'action'), named(event, 'cmd') ?? named(event, 'file')].filter(Boolean).join(': ');
    case 'error':
      return named(recordAt(event, 'error') ?? {}, 'message') ?? 'error';
    case 'sample_limit':
      return named(event, 'message') ?? `limit ${named(event, 'type') ?? ''}`;
    case 'approval':
      return [`approval: ${named(event, 'decision') ?? ''}`, named(event, 'explanation')].filter(Boolean).join(', ');
    case 'logger':
      return named(recordAt(event, 'message') ?? {}, 'message') ?? kind;
    default:
      return [kind.replaceAll('_', ' '), name ?? named(event, 'type') ?? named(event, 'source')]
        .filter(Boolean)
        .join(' ');
  }
}
