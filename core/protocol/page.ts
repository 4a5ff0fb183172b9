// What the page of the renderer is served with. The desktop window and the loopback web host serve the same files
// under the same rules; only the list of places it may connect to differs.

/** Name of the built page that takes a transcript, in its folder. */
export const PAGE_FILE = 'page.html';

/**
 * Who may make markup or script addresses of text: the page's own policy (renderer/trustedTypes.ts) and those of Monaco,
 * which are of its making. A string from anywhere else is refused by the browser.
 */
const TRUSTED_TYPES = [
  'default',
  'defaultWorkerFactory',
  'diffEditorWidget',
  'diffReview',
  'domLineBreaksComputer',
  'dompurify',
  'editorGhostText',
  'editorViewLayer',
  'richScreenReaderContent',
  'standaloneColorizer',
  'stickyScrollViewLayer',
  'tokenizeToString',
  // Monaco makes one of them twice. A second default policy is refused all the same.
  "'allow-duplicates'",
] as const;

/** The Content-Security-Policy of the page. `connect` = further sources it may connect to, besides its own origin. */
export function contentSecurityPolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // Monaco and the virtual list set inline styles
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES.join(' ')}`,
  ].join('; ');
}

/** The headers every answer carries, page or not. Source: OWASP secure headers, as far as they matter to a local page. */
export function securityHeaders(connect: readonly string[] = []): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connect),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

const SEGMENT = /^[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*$/;

/**
 * The path below the renderer's folder that a URL path asks for, as segments; null if it is none that the build can
 * have made (a dot file, `..`, an escape, a backslash, a drive letter). `/` means index.html.
 */
export function assetSegments(urlPath: string): readonly string[] | null {
  if (!urlPath.startsWith('/')) return null;
  if (urlPath === '/') return ['index.html'];
  const segments = urlPath.slice(1).split('/');
  return segments.every((segment) => SEGMENT.test(segment)) ? segments : null;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
};

/** The content type for a file name, or null if it is of no kind that the build makes (source maps among them). */
export function contentTypeOf(name: string): string | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(CONTENT_TYPES, extension) ? (CONTENT_TYPES[extension] ?? null) : null;
}
