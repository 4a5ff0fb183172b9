import '../ui/cmdk.css';
import './palette.css';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { presetsFor } from '../../core/projection/presets.ts';
import { decodeLink } from '../../core/protocol/link.ts';
import { printed } from '../keys/keys.ts';
import { vendorWord } from '../policy/families.ts';
import { useApp, useAppState, useCommands, useHost } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { usePlatform } from '../state/usePlatform.ts';
import { matchScore } from '../ui/matchScore.ts';
import { Seen } from '../ui/Seen.tsx';
import { useFocusReturnOr } from '../ui/useFocusReturn.ts';
import { messageNumber } from './messageNumber.ts';

/** All commands, transcripts and policies by typing a few letters; a number goes to that message. */
export function Palette({ onClose }: DialogProps<'palette'>) {
  const { focus, toTimeline } = useFocusReturnOr();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content className="palette" aria-describedby={undefined} data-testid="palette" {...focus}>
          <Dialog.Title className="visually-hidden">Commands</Dialog.Title>
          <Command label="Commands" loop filter={matchScore}>
            <PaletteBody toTimeline={toTimeline} />
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** `toTimeline` = where the person continues is the list of messages, not where they came from. */
function PaletteBody({ toTimeline }: { readonly toTimeline: () => void }) {
  const app = useApp();
  const [text, setText] = useState('');
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const number = messageNumber(text, messages);
  const link = decodeLink(text.trim());
  const close = (run: () => void) => () => {
    app.actions.openDialog(null);
    run();
  };
  const closeToTimeline: Close = (run) =>
    close(() => {
      toTimeline();
      run();
    });
  return (
    <>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Type a command, a transcript, or a message number"
      />
      <Command.List>
        <Command.Empty>Nothing matches.</Command.Empty>
        {number !== null && (
          <Command.Group heading="Message">
            <Command.Item
              value={`${text} go to message`}
              onSelect={closeToTimeline(() => void app.actions.goToMessage(number))}
            >
              Go to message #{number}
            </Command.Item>
            <Command.Item value={`${text} call point`} onSelect={close(() => app.actions.setAt(number))}>
              Move the call point to #{number}
            </Command.Item>
          </Command.Group>
        )}
        {link !== null && (
          <Command.Group heading="Link">
            <Command.Item value={text} onSelect={closeToTimeline(() => void app.actions.openLink(link))}>
              Open this link
            </Command.Item>
          </Command.Group>
        )}
        <CommandItems close={close} />
        <Targets close={close} closeToTimeline={closeToTimeline} />
      </Command.List>
    </>
  );
}

type Close = (run: () => void) => () => void;

function CommandItems({ close }: { readonly close: Close }) {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const state = useAppState((whole) => whole);
  const all = useCommands();
  const enabled = all.filter((one) => one.id !== 'palette' && (one.isEnabled?.(state) ?? true));
  // With nothing open the next step is to open something.
  const groups = new Set([...(state.session.id === null ? ['Library'] : []), ...all.map(({ group }) => group)]);
  return [...groups].map((group) => {
    const commands = enabled.filter((one) => one.group === group);
    if (commands.length === 0) return null;
    return (
      <Command.Group key={group} heading={group}>
        {commands.map((one) => (
          <Command.Item
            key={one.id}
            value={`${one.title} ${one.also ?? ''}`}
            onSelect={close(() => one.run({ app, host }))}
          >
            <span className="grow">{one.title}</span>
            {one.keys?.[0] && <kbd>{printed(one.keys[0], platform)}</kbd>}
          </Command.Item>
        ))}
      </Command.Group>
    );
  });
}

/** Policies to show and transcripts to open. */
function Targets({ close, closeToTimeline }: { readonly close: Close; readonly closeToTimeline: Close }) {
  const { actions } = useApp();
  const presets = useAppState((state) => state.describe?.presets);
  const savedPolicies = useAppState((state) => state.savedPolicies);
  const after = useAppState((state) => state.ui.afterRecorded);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  const hasProjections = useAppState((state) => (state.session.info?.projections ?? 0) > 0);
  const transcripts = useAppState((state) => state.library.transcripts);
  const openId = useAppState((state) => state.session.id);
  return (
    <>
      {openId !== null && presets && presets.length > 0 && (
        <Command.Group heading="Policies">
          {(savedPolicies ?? []).map((one) => (
            <Command.Item
              key={`saved ${one.name}`}
              value={`policy ${one.name} saved`}
              onSelect={close(() => actions.setPolicy({ ...one.spec, name: one.name }))}
            >
              <span className="grow ellipsis">{one.name}</span>
              <span className="faint ellipsis">Saved by you</span>
            </Command.Item>
          ))}
          {presetsFor(presets, hasCompactions, after, hasProjections).map((one) => (
            <Command.Item
              key={one.name}
              value={`policy ${one.title} ${one.name} ${vendorWord(one.group)}`}
              onSelect={close(() => actions.setPolicy(one.spec))}
            >
              <span className="grow ellipsis">
                {one.title} <span className="faint">{vendorWord(one.group)}</span>
              </span>
              <span className="faint ellipsis">{one.help}</span>
            </Command.Item>
          ))}
        </Command.Group>
      )}
      {transcripts && transcripts.length > 0 && (
        <Command.Group heading="Transcripts">
          {transcripts.slice(0, 500).map((one) => (
            <Command.Item
              key={one.id}
              value={`${one.title} ${one.project ?? ''} ${one.id}`}
              onSelect={closeToTimeline(() => void actions.open(one.id))}
            >
              <span className="grow ellipsis">
                <Seen text={one.title} />
              </span>
              <span className="faint">
                <Seen text={one.project ?? ''} />
              </span>
            </Command.Item>
          ))}
        </Command.Group>
      )}
    </>
  );
}
