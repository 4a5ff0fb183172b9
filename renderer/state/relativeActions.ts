// Going between transcripts that belong together: to another branch at the place where it leaves, into a sub-agent and
// back to the very call that started it.
import type { BranchLink, Row } from '../../core/protocol/types.ts';
import { type Core, type LandingRow, patch, rowLayout, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { newestAnswers } from './inOrder.ts';
import type { OpenAt } from './libraryActions.ts';
import { rowAt } from './rowPages.ts';
import type { ProjectionState, Selection } from './types.ts';

export interface RelativeActions {
  /** Asks what belongs to the open transcript. */
  loadRelatives(): Promise<void>;
  /** Opens another branch; what both share stays where it is on screen, if the place where they part is in sight. */
  openBranch(branch: BranchLink): Promise<void>;
  /** Opens the branch `delta` places on in the list of branches. */
  stepBranch(delta: number): Promise<void>;
  /** Opens the sub-agent that the selected call started. */
  openSpawned(): Promise<void>;
  /** Goes back to the call that started the open transcript. */
  goToParent(): Promise<void>;
}

/** What it takes to open transcripts. */
export interface RelativeParts {
  open(id: string, where?: OpenAt): Promise<void>;
  /** Where a transcript was left, if it was open before. */
  placeOf(id: string): OpenAt | null;
}

export function relativeActions(core: Core, { open, placeOf }: RelativeParts): RelativeActions {
  const get = () => core.store.getState();
  const asked = newestAnswers();

  const openBranch = async (branch: BranchLink) => {
    const { at } = branch;
    if (at === null || branch.id === get().session.id) return;
    const index = Math.max(0, Math.min(at, branch.messages - 1));
    const stand = standAt(core, at) ?? { index, part: 0, offset: Math.floor(core.viewport.height * 0.4) };
    await open(branch.id, { at: null, selection: { kind: 'message', index, part: 0 }, stand });
  };

  return {
    async loadRelatives() {
      const { id } = get().session;
      if (id === null) return;
      const { visit } = core;
      const isNewest = asked();
      const isWanted = () => core.visit === visit && isNewest();
      try {
        const relatives = await core.engine.call('transcript.relatives', { id });
        if (isWanted()) patch(core, 'session', { relatives, relativesError: null });
      } catch (thrown) {
        if (isWanted()) patch(core, 'session', { relativesError: toProtocolError(thrown) });
      }
    },
    openBranch,
    async stepBranch(delta) {
      const { session } = get();
      const branches = session.relatives?.branches ?? [];
      const here = branches.findIndex(({ id }) => id === session.id);
      const next = branches[(here + delta + branches.length) % branches.length];
      if (here >= 0 && next) await openBranch(next);
    },
    async openSpawned() {
      const spawned = spawnedBySelection(get().selection, get().projection);
      if (spawned) await open(spawned.id);
      else toast(core, { tone: 'info', text: 'The selected message started no sub-agent that is in the library.' });
    },
    async goToParent() {
      const { relatives } = get().session;
      if (!relatives?.parent) {
        toast(core, { tone: 'info', text: 'No transcript in the library started this one.' });
        return;
      }
      const { id, callIndex, part } = relatives.parent;
      if (callIndex === null) await open(id);
      else {
        const at = placeOf(id)?.at ?? null;
        await open(id, { at, selection: { kind: 'message', index: callIndex, part: part ?? 0 } });
      }
    },
  };
}

/** Where the first row in sight stands, if it is shared and the place where the branches part is in sight too. */
function standAt(core: Core, at: number): LandingRow | null {
  const { store, viewport } = core;
  const { pages } = store.getState().projection;
  const first = rowAt(pages, viewport.topRow)?.row;
  const last = rowAt(pages, Math.max(viewport.topRow, viewport.to - 2))?.row;
  if (first?.kind !== 'part' || first.index >= at || !last || last.index < at) return null;
  return { index: first.index, part: first.part, offset: Math.max(viewport.topOffset, -rowLayout(core).line) };
}

/** The sub-agent of the selected row, else of any row of the selected message. */
function spawnedBySelection(selection: Selection | null, { pages, selectionRow }: ProjectionState): Row['spawned'] {
  if (selection?.kind !== 'message' || selectionRow === null) return undefined;
  const ofMessage: Row[] = [];
  for (let row = selectionRow - selection.part; ; row++) {
    const held = rowAt(pages, row)?.row;
    if (held?.kind !== 'part' || held.index !== selection.index) break;
    ofMessage.push(held);
  }
  return ofMessage[selection.part]?.spawned ?? ofMessage.find(({ spawned }) => spawned)?.spawned;
}
