import type { Platform } from '../keys/keys.ts';
import { useHost } from './context.tsx';

/** The platform whose keys are meant. */
export function usePlatform(): Platform {
  const host = useHost();
  return host?.platform ?? (navigator.userAgent.includes('Mac') ? 'darwin' : 'linux');
}
