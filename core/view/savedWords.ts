// browser-safe
import { grouped } from './words.ts';

/** What a stage saved, in words: `−12,300 tok`, `+120 tok`; null = nothing, or not known. */
export function describeSaved(saved: number | null | undefined): string | null {
  if (saved == null || saved === 0) return null;
  return `${saved > 0 ? '−' : '+'}${grouped(Math.abs(saved))} tok`;
}
