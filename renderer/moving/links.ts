// Links as text: of the place one is at, of another transcript, of a policy.

import type { ProjectionSpec } from '../../core/projection/types.ts';
import { encodeLink, LINK_BASE, type Link } from '../../core/protocol/link.ts';
import type { HostBridge } from '../host/types.ts';
import type { App } from '../state/app.ts';
import { linkTo, placeOf } from '../state/places.ts';
import type { AppState } from '../state/types.ts';

/** What can be linked to: what is selected, the call point, the policy on screen. */
export type Linked = 'message' | 'callPoint' | 'policy';

/** The link to what is on screen; null where there is none to make. */
export function linkOf(state: AppState, what: Linked): Link | null {
  const { id, message, part, at } = placeOf(state);
  const link = linkTo({ id, mode: 'timeline', message: what === 'message' ? message : null, part, at });
  if (link === null || (what === 'message' && message === null)) return null;
  return what === 'policy' ? { ...link, ...policyField(state) } : link;
}

/** A preset goes by its name, which every library knows; any other policy goes along whole. */
function policyField({ projection, describe }: AppState): Pick<Link, 'policy' | 'spec'> {
  const { spec } = projection;
  const preset = describe?.presets.find((one) => isSame(one.spec, spec));
  return preset && /^\w[\w-]{0,63}$/.test(preset.name) ? { policy: preset.name } : { spec: JSON.stringify(spec) };
}

function isSame(a: ProjectionSpec, b: ProjectionSpec): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** What a link of this host begins with: another program hands `parallax://` to the desktop app; a browser has an address. */
export function baseOf(host: HostBridge | null): string {
  return host?.kind === 'web' ? `${location.origin}/#/` : LINK_BASE;
}

/** Copies a link, and says what it leads to. */
export async function copyLink(app: App, host: HostBridge | null, link: Link | null, to: string): Promise<void> {
  if (link === null) return;
  const text = encodeLink(link, baseOf(host));
  if (text === null) {
    app.actions.toast({
      tone: 'error',
      text: `The link to ${to} would be too long.`,
      detail: 'Save it as a file instead.',
    });
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    app.actions.toast({ tone: 'ok', text: `Copied the link to ${to}` });
  } catch {
    app.actions.toast({ tone: 'error', text: 'The clipboard is not available.' });
  }
}
