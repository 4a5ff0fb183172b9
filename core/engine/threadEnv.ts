import { compileCacheFolder } from './compileCache.ts';

/**
 * The environment of a thread that runs from source. Stripping types takes each thread 30 MB and a quarter of a second;
 * with a compile cache only the first start after a change pays that. `url` = the thread's file; a bundled one has
 * nothing to strip.
 */
export function threadEnv(url: URL): NodeJS.ProcessEnv {
  if (process.env.NODE_COMPILE_CACHE !== undefined || !url.pathname.endsWith('.ts')) return process.env;
  const folder = compileCacheFolder();
  return folder === null ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder };
}
