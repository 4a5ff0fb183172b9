import '../header/header.css';
import { CircleHelp, EyeOff, Monitor, Moon, PanelRight, ShieldAlert, ShieldCheck, Sun } from 'lucide-react';
import { useState } from 'react';
import type { PageAbout } from '../../core/page/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { Theme } from '../theme/resolveTheme.ts';
import { formatCount, plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import { PageFind } from './PageFind.tsx';
import { PageKeys } from './PageKeys.tsx';
import { scrubbedWords } from './words.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const NAME: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

/** What the page is of, what was taken out of it, and the field to find something in it. */
export function PageHeader({ about }: { readonly about: PageAbout }) {
  const theme = useAppState((state) => state.ui.theme);
  const isOpen = useAppState((state) => state.ui.drawerOpen);
  const { setTheme, toggleDrawer } = useActions();
  const [isHelp, setHelp] = useState(false);
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme];
  const { scrubbed } = about.scrub;
  const Scrub = scrubbed ? EyeOff : ShieldAlert;
  return (
    <header className="header page-header">
      <div className="page-title">
        <h1 className="ellipsis">
          <Seen text={about.title} />
        </h1>
        <span className="chip">{about.format}</span>
        <span className="mute nowrap num page-of">
          {about.at === about.messages
            ? plural(about.at, 'message')
            : `the first ${formatCount(about.at)} of ${plural(about.messages, 'message')}`}
        </span>
      </div>
      <span className="grow" />
      <span
        className="chip page-chip page-safe"
        title="Everything shown is in this file; it makes no network connections."
      >
        <ShieldCheck size={12} aria-hidden /> read-only, no network
      </span>
      <span className={scrubbed ? 'chip page-chip' : 'chip page-chip page-bare'} data-testid="page-scrubbed">
        <Scrub size={12} aria-hidden /> {scrubbedWords(about.scrub)}
      </span>
      <PageFind />
      <span className="header-group">
        <IconButton label="Details" isPressed={isOpen} onClick={toggleDrawer}>
          <PanelRight size={15} />
        </IconButton>
        <IconButton label={`Theme: ${NAME[theme]}`} testId="theme-button" onClick={() => setTheme(NEXT[theme])}>
          <Icon size={14} />
        </IconButton>
        <IconButton label="Keyboard" testId="page-help" onClick={() => setHelp(true)}>
          <CircleHelp size={15} />
        </IconButton>
      </span>
      {isHelp && <PageKeys onClose={() => setHelp(false)} />}
    </header>
  );
}
