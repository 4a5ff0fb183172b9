// Three short ways through the sample, one for each job. A step says something of one control, which it points at; what
// it does when it is reached is what a person would do there.

import { defaultSpec } from '../../core/projection/presets.ts';
import { SAMPLE } from '../../core/sample/facts.ts';
import { startFind } from '../find/startFind.ts';
import type { App } from '../state/app.ts';
import { RAW_SPEC } from '../state/initial.ts';
import type { TourId } from '../state/types.ts';
import { isPolicyShown } from '../state/uiActions.ts';
import { plural } from '../ui/format.ts';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** Selectors of what it points at: the first that is there. */
  readonly target: readonly string[];
  /** What the button to the next step says. */
  readonly next: string;
  /** Done when the step is reached, forwards. */
  readonly enter?: (app: App) => void | Promise<void>;
}

export interface Tour {
  readonly id: TourId;
  readonly title: string;
  readonly steps: readonly TourStep[];
}

const byId = (id: string): string => `[data-testid="${id}"]`;
const row = (index: number): string => `${byId('row')}[data-index="${index}"]`;
const { at } = SAMPLE;

const showPolicy = ({ store, actions }: App): void => {
  if (!isPolicyShown(store.getState().ui)) actions.togglePolicy();
};

const gone: Tour = {
  id: 'gone',
  title: 'Why is it gone?',
  steps: [
    {
      title: `${plural(at.summary, 'message')} became one summary`,
      text: `In its first turn the agent was told: “${SAMPLE.forgotten}”. Later the session was compacted. This row is everything that went; a click or Space unfolds it.`,
      target: [`${byId('row')}[data-kind="fold"]`, byId('timeline')],
      next: 'Find the rule',
      async enter({ actions }) {
        actions.setLayout('side');
        await actions.goToMessage(at.summary);
      },
    },
    {
      title: 'Find: why is it gone?',
      text: 'Ctrl+F asks it of any text: pasted here, chosen on the page, or found by a search. The bar says where the text is and whether the model is sent it now.',
      target: [byId('find-bar')],
      next: 'When did it go?',
      enter(app) {
        startFind(app, SAMPLE.forgotten);
        app.actions.showDrawer('find');
      },
    },
    {
      title: 'Sent until the compaction',
      text: 'The strip has a mark for each request: the rule is there until the compaction, and in none after it. The sentence says what removed it; each number leads to its message.',
      target: [byId('find'), byId('drawer')],
      next: 'What was sent instead?',
      enter: ({ actions }) => actions.showDrawer('find'),
    },
    {
      title: 'The summary does not say it',
      text: `This was sent in its place. It quotes the other rule, “${SAMPLE.quoted}”, and does not mention a port.`,
      target: [byId('drawer')],
      next: 'What happened then?',
      async enter({ actions }) {
        await actions.goToMessage(at.summary);
        actions.showDrawer('rendered');
      },
    },
    {
      title: 'So it took 8080',
      text: 'The agent starts the server on the port it was told to leave alone. Later it reads the configuration again, which it had read before: that is what forgetting cost.',
      target: [row(at.violation), byId('timeline')],
      next: 'Done',
      async enter({ actions }) {
        await actions.goToMessage(at.violation);
        actions.showDrawer('rendered');
      },
    },
  ],
};

const compare: Tour = {
  id: 'compare',
  title: 'Compare policies',
  steps: [
    {
      title: 'A policy decides what is sent',
      text: 'It is a list of stages. “As recorded” is what the agent’s own compaction kept. Each stage says what it did at this call.',
      target: [byId('policy-panel')],
      next: 'Under other policies',
      enter: showPolicy,
    },
    {
      title: 'This call under each policy',
      text: 'Each line is a policy: the tokens it would send at this call, and whether they fit. Click one to see it in the panes.',
      target: [byId('presets-tab'), byId('drawer')],
      next: 'Try one',
      enter: ({ actions }) => actions.showDrawer('presets'),
    },
    {
      title: 'Raw: everything would be sent',
      text: 'Nothing is folded any more, and the rule is in the request. The status line says what that takes; the chart, what it takes at every call.',
      target: [byId('status-tokens'), byId('status')],
      next: 'Take it back',
      enter: ({ actions }) => actions.setPolicy(RAW_SPEC),
    },
    {
      title: 'Every change can be undone',
      text: 'Ctrl+Z takes a change of policy back, Ctrl+Shift+Z makes it again. Add stages, move their sliders, and save what you like under a name.',
      target: [byId('policy-panel')],
      next: 'Done',
      enter: ({ actions }) => actions.undoSpec(),
    },
  ],
};

const report: Tour = {
  id: 'report',
  title: 'Report a bug',
  steps: [
    {
      title: 'Go to where it went wrong',
      text: 'Here the agent takes the wrong port. The chart has a bar for every request; the call point is now at this one, and the panes show what it was sent.',
      target: [byId('scrubber')],
      next: 'Report it',
      async enter({ actions }) {
        actions.setAt(at.violation);
        await actions.goToMessage(at.violation);
      },
    },
    {
      title: 'A file that proves itself',
      text: 'A bug report holds the session, the policy and the exact request with its hash. Whoever gets it opens it here, or verifies it with one command.',
      target: [byId('export-open'), byId('policy-panel')],
      next: 'Open the dialog',
      enter: showPolicy,
    },
  ],
};

/** The tours, in the order of their keys. */
export const TOURS: readonly Tour[] = [gone, compare, report];

export function tourOf(id: TourId): Tour {
  return TOURS.find((one) => one.id === id) ?? gone;
}

/** Begins a tour: on the sample, whatever is open. */
export async function startTour(app: App, id: TourId): Promise<void> {
  const { actions, store } = app;
  await actions.openSample();
  // What an earlier look at it left: each tour begins at the next request, as recorded, with nothing searched for.
  const { projection, find } = store.getState();
  const recorded = defaultSpec(true);
  if (find.isOpen) actions.closeFind();
  if (projection.at !== null) actions.setAt(null);
  if (projection.unfold.length > 0) actions.foldAgain();
  if (projection.spec.name !== recorded.name) actions.setPolicy(recorded);
  await goToStep(app, id, 0);
}

/** Goes to a step; behind the last the tour is over. */
export async function goToStep(app: App, id: TourId, step: number, isForwards = true): Promise<void> {
  const next = tourOf(id).steps[step];
  if (next === undefined) {
    app.actions.setTour(null);
    if (id === 'report') app.actions.openDialog({ kind: 'export' });
    return;
  }
  app.actions.setTour({ id, step });
  if (isForwards) await next.enter?.(app);
}
