import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * What of Chromium is off. The first are pages of its own, for suggestions below its address bar, which it makes beside each
 * window: two seconds of work an app. The others are the driver's list: a switch given here takes the place of the driver's.
 */
export const OFF: readonly string[] = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Switches for a quiet headless browser. As root Chromium's own sandbox does not start, so there it is off. */
export function chromiumArgs(): string[] {
  const args = [
    '--headless=new',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${OFF.join(',')}`,
  ];
  return process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args;
}

/** A Chromium-family browser on this machine, or null. PARALLAX_CHROMIUM names one. */
export function findChromium(): string | null {
  const named = process.env.PARALLAX_CHROMIUM;
  const places = named ? [named] : [...onPath(), ...usualPlaces(), ...playwrightCache()];
  return places.find((place) => existsSync(place)) ?? null;
}

/** This process's environment, with a locale in which Chromium can open a file of any name: under POSIX it cannot. */
export function chromiumEnv(): NodeJS.ProcessEnv {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const isUnicode = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
  return isUnicode ? process.env : { ...process.env, LC_ALL: 'C.UTF-8' };
}

function onPath(): readonly string[] {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function usualPlaces(): readonly string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
    );
  }
  if (process.platform !== 'win32') return ['/usr/bin/chromium', '/usr/bin/google-chrome'];
  const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
  const programs = [
    join('Google', 'Chrome', 'Application', 'chrome.exe'),
    join('Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ];
  return roots.flatMap((root) => (root ? programs.map((program) => join(root, program)) : []));
}

function playwrightCache(): readonly string[] {
  const root = process.env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => name.startsWith('chromium-'))
    .flatMap((name) => [join(root, name, 'chrome-linux', 'chrome'), join(root, name, 'chrome-linux64', 'chrome')]);
}
