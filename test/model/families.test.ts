import { describe, expect, test } from 'vitest';
import { Families, type Member } from '../../core/model/families.ts';
import { seededRng } from '../../core/util/rng.ts';

function member(id: string, more: Partial<Member> = {}): Member {
  return { id, source: Number.parseInt(id.replace(/\D/g, ''), 10) || 0, key: 'main', path: null, spawns: [], ...more };
}

interface Case {
  readonly what: string;
  readonly members: readonly Member[];
  /** child → parent, with the call. */
  readonly parents: Readonly<Record<string, readonly [parent: string, callId: string | null] | null>>;
}

const CASES: readonly Case[] = [
  {
    what: 'a chain inside the file',
    members: [
      member('m1'),
      member('a', { source: 1, key: 'ag', agentId: 'ag', parentKey: 'main', parentCallId: 'c1' }),
    ],
    parents: { a: ['m1', 'c1'], m1: null },
  },
  {
    what: 'a chain inside the file whose call only the parent knows',
    members: [
      member('m1', { spawns: [{ callId: 'c7', agentId: 'ag' }] }),
      member('a', { source: 1, key: 'ag', agentId: 'ag', parentKey: 'main' }),
    ],
    parents: { a: ['m1', 'c7'] },
  },
  {
    what: 'an agent in a file of its own',
    members: [
      member('m1', { sessionId: 's', spawns: [{ callId: 'c1', agentId: 'ag' }] }),
      member('a2', { sessionId: 's', agentId: 'ag' }),
      member('b3', { sessionId: 't', agentId: 'ag' }),
    ],
    parents: { a2: ['m1', 'c1'], b3: null },
  },
  {
    what: 'an agent started by an agent, both in files of their own',
    members: [
      member('m1', { sessionId: 's', spawns: [{ callId: 'c1', agentId: 'ag' }] }),
      member('a2', { sessionId: 's', agentId: 'ag', spawns: [{ callId: 'c2', agentId: 'deep' }] }),
      member('d3', { sessionId: 's', agentId: 'deep' }),
    ],
    parents: { a2: ['m1', 'c1'], d3: ['a2', 'c2'] },
  },
  {
    what: 'an agent that no call names belongs to the session',
    members: [member('m1', { sessionId: 's' }), member('a2', { sessionId: 's', agentId: 'ag' })],
    parents: { a2: ['m1', null] },
  },
  {
    what: 'an agent whose file says it by its place',
    members: [
      member('m1', { sessionId: 's', path: '/p/s.jsonl' }),
      member('a2', { path: '/p/s/subagents/agent-ag.jsonl' }),
    ],
    parents: { a2: ['m1', null] },
  },
  {
    what: 'a copy of the session elsewhere is not the parent',
    members: [
      member('x1', { sessionId: 's', path: '/copy/s.jsonl' }),
      member('m2', { sessionId: 's', path: '/p/s.jsonl' }),
      member('a3', { sessionId: 's', agentId: 'ag', path: '/p/s/subagents/agent-ag.jsonl' }),
    ],
    parents: { a3: ['m2', null] },
  },
  {
    what: 'a session that names its parent session',
    members: [
      member('m1', { sessionId: 's' }),
      member('c2', { sessionId: 't', parentSessionId: 's', parentCallId: 'c' }),
    ],
    parents: { c2: ['m1', 'c'] },
  },
  {
    what: 'a session that only the call names',
    members: [
      member('m1', { sessionId: 's', spawns: [{ callId: 'c', sessionId: 't' }] }),
      member('c2', { sessionId: 't' }),
    ],
    parents: { c2: ['m1', 'c'] },
  },
  {
    what: 'a call that stands in another branch',
    members: [
      member('m1', { sessionId: 's' }),
      member('b', {
        source: 1,
        key: 'b',
        sessionId: 's',
        branchOf: 'main',
        branchAt: 4,
        spawns: [{ callId: 'c', agentId: 'ag' }],
      }),
      member('a2', { sessionId: 's', agentId: 'ag' }),
    ],
    parents: { a2: ['m1', 'c'], b: null },
  },
  {
    what: 'two that name each other',
    members: [
      member('a1', { sessionId: 's', parentSessionId: 't' }),
      member('b2', { sessionId: 't', parentSessionId: 's' }),
    ],
    parents: { a1: null, b2: ['a1', null] },
  },
  {
    what: 'one that names itself',
    members: [member('a1', { sessionId: 's', parentSessionId: 's', parentKey: 'main' })],
    parents: { a1: null },
  },
];

describe('the parent of', () => {
  test.each(CASES)('$what', ({ members, parents }) => {
    const families = new Families(members);
    const found = Object.keys(parents).map((id) => {
      const parent = families.parentOf(families.get(id)!);
      return [id, parent && [parent.member.id, parent.callId]];
    });
    expect(Object.fromEntries(found)).toEqual(parents);
  });

  test('does not hang on the order of import', () => {
    for (const { what, members, parents } of CASES.filter((one) => !one.what.startsWith('two'))) {
      for (let seed = 0; seed < 20; seed++) {
        const families = new Families(seededRng(seed).shuffle(members));
        for (const [id, expected] of Object.entries(parents)) {
          const parent = families.parentOf(families.get(id)!);
          expect([what, seed, parent && [parent.member.id, parent.callId]]).toEqual([what, seed, expected]);
        }
      }
    }
  });
});

test('children are found from the parent and from each of its branches, without their own branches', () => {
  const main = member('m1', { sessionId: 's' });
  const branch = member('b', { source: 1, key: 'b', sessionId: 's', branchOf: 'main', branchAt: 4 });
  const agent = member('a2', { sessionId: 's', agentId: 'ag' });
  const agentBranch = member('ab', {
    source: 2,
    key: 'ab',
    sessionId: 's',
    agentId: 'ag',
    branchOf: 'main',
    branchAt: 1,
  });
  const families = new Families([agentBranch, branch, agent, main]);
  expect(families.childrenOf(main)).toEqual([agent]);
  expect(families.childrenOf(branch)).toEqual([agent]);
  expect(families.parentOf(agentBranch)?.member).toBe(main);
});

describe('branches', () => {
  const main = member('m1');
  const early = member('early', { source: 1, key: 'early', branchOf: 'main', branchAt: 2 });
  const late = member('late', { source: 1, key: 'late', branchOf: 'main', branchAt: 8 });
  const ofLate = member('ofLate', { source: 1, key: 'ofLate', branchOf: 'late', branchAt: 12 });
  const lost = member('lost', { source: 1, key: 'lost', branchOf: 'gone', branchAt: 3 });
  const other = member('o2', { branchOf: 'main' });
  const families = new Families([ofLate, late, other, early, main, lost]);

  test('are listed by where they leave, the active one first', () => {
    for (const one of [main, early, late, ofLate])
      expect(families.branchesOf(one)).toEqual([main, early, late, ofLate]);
    expect(families.branchesOf(lost)).toEqual([lost]);
  });

  test.each([
    [main, late, 8],
    [late, main, 8],
    [early, late, 2],
    [ofLate, late, 12],
    [ofLate, main, 8],
    [ofLate, early, 2],
    [main, lost, null],
  ])('share what they begin with', (a, b, shared) => {
    expect(families.sharedBy(a, b)).toBe(shared);
  });
});

test('sessions that go on with another one', () => {
  const first = member('f1', { sessionId: 's' });
  const second = member('g2', { sessionId: 't', continuesSessionId: 's' });
  const agent = member('a3', { sessionId: 's', agentId: 'ag' });
  const families = new Families([second, agent, first]);
  expect(families.continuedFrom(second)).toBe(first);
  expect(families.continuations(first)).toEqual([second]);
  expect(families.continuedFrom(first)).toBeNull();
});
