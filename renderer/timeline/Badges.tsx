import {
  Bot,
  CircleAlert,
  CloudAlert,
  EyeOff,
  FoldVertical,
  Image,
  Lock,
  type LucideIcon,
  PencilLine,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import type { BadgeKind } from '../../core/protocol/types.ts';

const BADGES: Readonly<
  Record<BadgeKind, { readonly icon: LucideIcon; readonly title: string; readonly color: string }>
> = {
  signed: { icon: Lock, title: 'Signed by the provider: edits would void it', color: 'var(--cat-thinking)' },
  error: { icon: CircleAlert, title: 'The tool reported an error', color: 'var(--danger)' },
  injected: { icon: SquareTerminal, title: 'Written by the client, not by a person', color: 'var(--mute)' },
  sidechain: { icon: Bot, title: 'Belongs to a sub-agent', color: 'var(--mute)' },
  compact_summary: { icon: FoldVertical, title: 'Summary of a recorded compaction', color: 'var(--fate-summarised)' },
  api_error: { icon: CloudAlert, title: 'An API error in place of an answer', color: 'var(--danger)' },
  opaque: { icon: EyeOff, title: 'Encrypted: cannot be read', color: 'var(--mute)' },
  repaired: { icon: Wrench, title: 'Repaired', color: 'var(--fate-rewritten)' },
  typed: { icon: PencilLine, title: 'Typed here, for a what-if: no tool recorded it', color: 'var(--accent)' },
  image: { icon: Image, title: 'Image', color: 'var(--cat-image)' },
};

/** The marks in front of a row's text. */
export function Badges({ badges, reason }: { readonly badges: readonly BadgeKind[]; readonly reason: string }) {
  if (badges.length === 0) return null;
  return (
    <span className="badges">
      {badges.map((badge) => {
        const { icon: Icon, title: name, color } = BADGES[badge];
        // What was repaired and why is that of the row as a whole.
        const title = badge === 'repaired' ? `${name}: ${reason}` : name;
        return (
          <span key={badge} title={title} style={{ color }} data-badge={badge}>
            <Icon size={12} strokeWidth={2.2} aria-label={title} />
          </span>
        );
      })}
    </span>
  );
}
