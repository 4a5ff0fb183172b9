// A request that was written, as what is sent: its body, the headers that go with it, and what is said above it.
import { countOf, grouped } from '../util/counts.ts';
import { JsonNode } from '../wire/jsonNode.ts';
import { requestOf } from '../wire/requestOf.ts';
import { lintRequest } from '../wire/requestRules/index.ts';
import { bodyText } from '../wire/toWire.ts';
import { TARGETS, type WireBody, type WireTarget } from '../wire/types.ts';

/** What a request was made of, in words that may leave. */
export interface RequestAbout {
  readonly title: string;
  /** The call point. */
  readonly at: number;
  /** Messages of the transcript. */
  readonly messages: number;
  /** As recorded = null. */
  readonly policy: string | null;
}

/** A request ready to be sent. */
export interface SentRequest {
  readonly target: WireTarget;
  readonly url: string;
  /** Values of the header `anthropic-beta`: as recorded, else those that the request needs. */
  readonly betas: readonly string[];
  /** The body without what is sent as a header; its members in their order. */
  readonly members: ReadonlyMap<string, JsonNode>;
  readonly isStreamed: boolean;
  /** Lines of a comment that says what it is. */
  readonly about: readonly string[];
}

/** Members that hold the header's values, where a client kept them with the request. */
const HEADERS: ReadonlySet<string> = new Set(['betas', 'anthropic_beta']);

/** Reads the body that was written. */
export function sentRequest(body: WireBody, about: RequestAbout): SentRequest {
  const { target, url, losses } = body;
  const whole = JsonNode.parse(bodyText(body));
  const members = new Map([...whole.members].filter(([name]) => target !== 'anthropic' || !HEADERS.has(name)));
  const leftOut = losses.filter(({ how }) => how === 'left_out').length;
  const said = [
    `${TARGETS[target].title}, ${body.model}: "${oneLine(about.title)}", ${callWords(about)}.`,
    ...body.chosen.map(({ field, value, why }) => `${field} is ${oneLine(value)}: ${oneLine(why)}.`),
    ...(losses.length === 0
      ? []
      : [
          `Not carried as it was: ${losses.length}, of these left out: ${leftOut}; "parallax export --wire" lists them.`,
        ]),
  ];
  return {
    target,
    url,
    betas: target === 'anthropic' ? betasOf(body) : [],
    members,
    isStreamed: members.get('stream')?.value === true,
    about: said,
  };
}

/** The body as JSON text, members in their order and values as they were written. */
export function requestJson({ members }: SentRequest): string {
  return `{${[...members].map(([name, { text }]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

// As recorded; of a request without recorded headers what it needs.
function betasOf(body: WireBody): readonly string[] {
  const values: unknown[] = body.entries.map(({ json }) => JSON.parse(json));
  const request = requestOf(body, values, null);
  if (request === null) return [];
  const needed = lintRequest(request).flatMap(({ rule, beta }) =>
    rule === 'beta_missing' && beta !== undefined ? [beta] : [],
  );
  return [...new Set([...(request.betas ?? []), ...needed])];
}

/** `before message 12 of 40, as recorded`, for comments and titles. */
export function callWords({ at, messages, policy }: RequestAbout): string {
  const place =
    at === messages
      ? `the request after its ${countOf(messages, 'message')}`
      : `the request before message ${at} of ${grouped(messages)}`;
  const recorded = at === messages ? 'on the recorded history' : 'as recorded';
  return `${place}, ${policy === null ? recorded : `under ${oneLine(policy)}`}`;
}

/** A text for a comment of one line: no breaks, nothing unseen, not endless. */
export function oneLine(text: string, most = 120): string {
  const flat = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}
