import { statSync } from 'node:fs';

/**
 * Why nothing that needs `/dev/null` can be tested here, or null. A program run by root that gives a file its name by renaming
 * turns the device into a plain file for all others: Chromium then does not start, and what is thrown away fills the disk.
 */
export function noNullReason(): string | null {
  if (process.platform === 'win32') return null;
  const found = statSync('/dev/null', { throwIfNoEntry: false });
  return found?.isCharacterDevice() ? null : '/dev/null is not a device on this machine';
}
