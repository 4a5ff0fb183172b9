// The policy that the browser asks about strings which would become markup or code. Workers are files of the build; the
// only markup of text is a style sheet of the select's list. Everything else is refused.

/** As lib.dom does not have it yet. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: {
      readonly createScriptURL: (url: string) => string | null;
      readonly createHTML: (html: string) => string | null;
    },
  ): unknown;
}

const STYLE_ONLY = /^\[data-radix-[\w-]+\][^<>]*$/;

function isPolicies(value: unknown): value is TrustedTypePolicies {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

const policies: unknown = Reflect.get(globalThis, 'trustedTypes');
// A browser without them has nothing that asks.
if (isPolicies(policies)) {
  policies.createPolicy('default', {
    createScriptURL: (url) => (isOfTheBuild(url) ? url : null),
    createHTML: (html) => (STYLE_ONLY.test(html) ? html : null),
  });
}

// Zod tries whether it may compile its checks, when the first is run. Here it may not, and the console reports each try.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });

function isOfTheBuild(url: string): boolean {
  const { href } = new URL(url, location.href);
  return href.startsWith(new URL('assets/', location.href).href);
}
