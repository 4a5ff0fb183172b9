import { RawJson } from './raw.ts';

// A number, as likely as not, that JavaScript writes otherwise than it stands: `1.0`, `1e3`, `-0`, one of sixteen digits and more.
const UNLIKE = /(?:^|[:[,])\s*(?:-0(?![.\d])|-?(?:[\d.]{16}|0\.0{6}|\d+\.\d*0(?!\d)|\d[\d.]*[eE]))/;

type Revive = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse: (json: string, revive?: Revive) => unknown = JSON.parse;

/**
 * As JSON.parse, but a number that JavaScript writes otherwise than the text does is a RawJson, with its digits. Where the
 * host does not give them (browsers of before 2025) it is a number. Throws SyntaxError.
 */
export function parseExact(json: string): unknown {
  return UNLIKE.test(json) ? parse(json, withDigits) : parse(json);
}

const withDigits: Revive = (_key, value, context) => {
  const digits = context?.source;
  return typeof value !== 'number' || digits === undefined || String(value) === digits ? value : new RawJson(digits);
};
