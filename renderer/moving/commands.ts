import { ADDRESS_BASE, encodeLink } from '../../core/protocol/link.ts';
import { target } from '../library/commands.ts';
import type { Command, CommandContext } from '../state/command.ts';
import { linkTo, placeOf } from '../state/places.ts';
import { copyLink, linkOf } from './links.ts';

/** Back and forward through the places one has been at; links to them; a further window. */
export const moveCommands: readonly Command[] = [
  {
    id: 'go.back',
    title: 'Back',
    group: 'Go',
    keys: ['alt+left'],
    isFirst: true,
    also: 'history previous place return',
    isEnabled: ({ steps }) => steps.at > 0,
    run: () => history.back(),
  },
  {
    id: 'go.forward',
    title: 'Forward',
    group: 'Go',
    keys: ['alt+right'],
    isFirst: true,
    also: 'history next place',
    isEnabled: ({ steps }) => steps.at < steps.last,
    run: () => history.forward(),
  },
  {
    id: 'link.message',
    title: 'Copy link to the message',
    group: 'Transcript',
    keys: ['y'],
    also: 'url address share deep permalink',
    isEnabled: ({ selection }) => selection?.kind === 'message',
    run: (context) => copyMessageLink(context),
  },
  {
    id: 'link.callPoint',
    title: 'Copy link to the call point',
    group: 'Transcript',
    keys: ['shift+y'],
    also: 'url address share request',
    isEnabled: ({ session }) => session.id !== null,
    run({ app, host }) {
      const state = app.store.getState();
      const { at } = state.projection;
      void copyLink(app, host, linkOf(state, 'callPoint'), at === null ? 'the next request' : `call point #${at}`);
    },
  },
  {
    id: 'link.policy',
    title: 'Copy link to the policy',
    group: 'Policy',
    also: 'url address share settings',
    isEnabled: ({ session }) => session.id !== null,
    run({ app, host }) {
      void copyLink(app, host, linkOf(app.store.getState(), 'policy'), 'the policy');
    },
  },
  {
    id: 'link.transcript',
    title: 'Copy link to the transcript',
    group: 'Library',
    also: 'url address share',
    isEnabled: (state) => target(state) !== null,
    run({ app, host }) {
      const id = target(app.store.getState());
      if (id !== null) void copyLink(app, host, { id }, 'the transcript');
    },
  },
  {
    id: 'window.new',
    title: 'New window',
    group: 'View',
    keys: ['alt+n'],
    also: 'tab open another second',
    run({ app, host }) {
      const link = linkTo(placeOf(app.store.getState()));
      host?.openWindow((link && encodeLink(link, ADDRESS_BASE)) ?? '');
    },
  },
];

function copyMessageLink({ app, host }: CommandContext): void {
  const state = app.store.getState();
  const link = linkOf(state, 'message');
  void copyLink(app, host, link, `message #${link?.message ?? ''}`);
}
