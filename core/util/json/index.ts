// browser-safe
// Lossless tools on JSON text. Start here: canonicalJson for hashing and comparing, splice for editing,
// stringifyWithRaw for output.
export { type CanonicalOptions, canonicalJson, compactJson, jsonEqual } from './canonical.ts';
export { MAX_NESTING, tooDeepAt } from './depth.ts';
export { parseExact } from './exact.ts';
export { isJsonText, type JsonText, parseJsonText, RawJson, stringifyWithRaw } from './raw.ts';
export { canonicalDouble, canonicalNumber, compareCodePoints, jsonString, parseString } from './scalars.ts';
export {
  elements,
  insertElements,
  type JsonMember,
  type JsonPath,
  type JsonSpan,
  locate,
  memberAt,
  members,
  membersAt,
  removeElements,
  removeMember,
  replaceAt,
  setMember,
  stringAtPath,
  valueTextAt,
} from './splice.ts';
export { expectEnd, JsonSyntaxError, type JsonVisitor, skipSpace, skipValue, stringEnd, walkJson } from './walk.ts';
