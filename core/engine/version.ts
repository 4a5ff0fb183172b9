/** The version that goes into bundles, engine.info and `parallax --version`. The same as in package.json. */
export const ENGINE_VERSION = '0.1.0';
