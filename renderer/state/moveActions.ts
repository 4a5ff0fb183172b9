import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { Link } from '../../core/protocol/link.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import type { OpenAt } from './libraryActions.ts';
import type { Mode } from './modes.ts';
import { type Place, placeOfLink } from './places.ts';
import type { Selection } from './types.ts';

export interface MoveActions {
  /** Goes where back and forward, or the address, lead. A transcript that is not in the library is said to be missing. */
  goToPlace(place: Place): Promise<void>;
  /** Goes where a link leads. Its policy is offered, never set: a link changes nothing. Null = it could not be read. */
  openLink(link: Link | null): Promise<void>;
}

/** What moving needs of the other actions. */
export interface MoveNeeds {
  open(id: string, where: OpenAt): Promise<void>;
  close(): void;
  setAt(at: number | null): void;
  goToMessage(index: number, part: number): Promise<void>;
  clearSelection(): void;
  setMode(mode: Mode): void;
  setPolicy(spec: ProjectionSpec): void;
}

export function moveActions(core: Core, needs: MoveNeeds): MoveActions {
  const get = () => core.store.getState();

  const within = async (place: Place) => {
    const { session, projection } = get();
    const messages = session.info?.messages ?? Number.POSITIVE_INFINITY;
    const at = place.at !== null && place.at >= messages ? null : place.at;
    if (at !== projection.at) needs.setAt(at);
    if (place.message === null) needs.clearSelection();
    else if (place.message < messages) await needs.goToMessage(place.message, place.part);
  };

  const goToPlace = async (place: Place) => {
    if (place.id === null) {
      if (get().session.id !== null) needs.close();
      return;
    }
    if (!isKnown(core, place.id)) return sayMissing(core);
    const { session } = get();
    if (session.id === place.id && session.error === null) await within(place);
    else await needs.open(place.id, { at: place.at, selection: selectionAt(place) });
    if (get().session.id !== place.id) return;
    sayBeyond(core, place);
    const isWide = place.mode === 'library';
    if (get().ui.libraryWide !== isWide) patch(core, 'ui', { libraryWide: isWide });
    if (place.mode !== 'library' && place.mode !== get().ui.mode) needs.setMode(place.mode);
  };

  return {
    goToPlace,
    async openLink(link) {
      if (link === null) {
        toast(core, { tone: 'error', text: 'The link could not be read.', detail: 'Nothing was changed.' });
        return;
      }
      // However near it leads: who followed a link wants to come back from it.
      core.store.setState(({ steps }) => ({ steps: { ...steps, links: steps.links + 1 } }));
      await goToPlace(placeOfLink(link));
      const isThere = get().session.id === link.id;
      if (isThere && (link.policy !== undefined || link.spec !== undefined)) await offerPolicy(core, link, needs);
    },
  };
}

function isKnown({ store }: Core, id: string): boolean {
  const { library, session } = store.getState();
  return session.id === id || library.transcripts?.some((one) => one.id === id) === true;
}

function selectionAt({ message, part }: Place): Selection | null {
  return message === null ? null : { kind: 'message', index: message, part };
}

function sayMissing(core: Core): void {
  const detail = 'Import the file it was made from, then open the link again.';
  toast(core, { tone: 'error', text: 'This library does not have the transcript of the link.', detail });
}

/** A link may be to a message that came later, in a longer version of the file. */
function sayBeyond(core: Core, { message }: Place): void {
  const messages = core.store.getState().session.info?.messages;
  if (message === null || messages === undefined || message < messages) return;
  const text = `The transcript has no message #${message}.`;
  toast(core, { tone: 'error', text, detail: `Its last one is #${messages - 1}.` });
}

async function offerPolicy(core: Core, link: Link, { setPolicy }: MoveNeeds): Promise<void> {
  const found = await policyOf(core, link);
  if (typeof found === 'string')
    toast(core, { tone: 'error', text: 'The policy of the link cannot be used.', detail: found });
  else {
    const action = { label: 'Use it', run: () => setPolicy(found.spec) };
    toast(core, { tone: 'info', text: `The link comes with a policy: ${found.title}`, action });
  }
}

/** The policy of a link, or why there is none. Code does not come by links: one click must not run a stranger's. */
async function policyOf(
  core: Core,
  { policy, spec: text }: Link,
): Promise<string | { title: string; spec: ProjectionSpec }> {
  const { describe } = core.store.getState();
  if (text === undefined) {
    const preset = describe?.presets.find(({ name }) => name === policy);
    return preset ? { title: preset.title, spec: preset.spec } : `There is no preset “${policy}”.`;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'It is not JSON.';
  }
  try {
    const { spec, problems } = await core.engine.call('spec.parse', { spec: value });
    if (spec === null) return problems[0]?.text ?? 'It is not a policy.';
    const ofCode = (describe?.stages ?? []).filter(({ params }) => params.some(({ type }) => type === 'code'));
    const isCode = spec.stages.some(({ kind }) => ofCode.some((one) => one.kind === kind));
    if (isCode) return 'It contains code. Ask for it as a file.';
    return { title: spec.name ?? 'without a name', spec };
  } catch (thrown) {
    return toProtocolError(thrown).message;
  }
}
