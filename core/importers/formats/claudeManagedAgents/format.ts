// Sessions of Claude Managed Agents: the API's events, in lines, a list or a stream; logs that hold them under `raw`; and
// recordings of the SDK's calls, [method, arguments].

import { isRecord } from '../../../util/unknown.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { isEvent, sdkMethod } from './event.ts';
import { ManagedAgentsReader } from './reader.ts';

const LOOKS_FOR =
  'session events (user.message, agent.message, agent.tool_use, span.model_request_end, …) with id and processed_at, bare or under raw, or SDK calls ["client.beta.sessions.…", …]';

/** What a model said between two requests is one answer; results and users' messages stand between. */
export const claudeManagedAgents: Format = {
  id: 'claude-managed-agents',
  title: 'Claude Managed Agents session',
  looksFor: LOOKS_FOR,
  recovers: allBut('signatures', 'images', 'folder', 'branches'),
  detect,
  elements: [['data', '*'], ['events', '*'], ['*']],
  readerVersion: 2,
  open: (sink) => new ManagedAgentsReader(sink),
};

function detect(sniff: Sniff): Detection {
  const values = sniff.values.slice(0, 20).flatMap(heldIn);
  const isMine = values.some(
    (value) => sdkMethod(value) !== null || isEvent(value) || (isRecord(value) && isEvent(value.raw)),
  );
  return isMine
    ? { score: 0.97, why: 'events of a Managed Agents session' }
    : { score: 0, why: `looked for ${LOOKS_FOR}` };
}

/** The value, or what a list of events holds. */
function heldIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && sdkMethod(value) === null) return value.slice(0, 10);
  const list = isRecord(value) ? [value.data, value.events].find(Array.isArray) : undefined;
  return list ? list.slice(0, 10) : [value];
}
