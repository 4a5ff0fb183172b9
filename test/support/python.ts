// Python as this machine has it: what needs it is skipped without, and says so.
import { spawnSync } from 'node:child_process';

const find = (args: readonly string[]): string | null =>
  ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, [...args], { stdio: 'ignore' }).status === 0) ?? null;

/** A Python, or null. */
export const PYTHON_COMMAND: string | null = find(['-c', 'pass']);

/** A Python that has pytest (Debian: python3-pytest), or null. */
export const PYTEST_COMMAND: string | null = find(['-c', 'import pytest']);
