// Links come from anywhere: what is written is read again as it was, and nothing else is read at all.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS_BASE, decodeLink, encodeLink, LINK_BASE, type Link, linkAmong } from '../../core/protocol/link.ts';

const ID = 'a1b2c3d4e5f6a7b8c9d0e1f2';
const number = fc.integer({ min: 0, max: 999_999_999 });
const word = fc.stringMatching(/^\w[\w-]{0,63}$/);
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const links: fc.Arbitrary<Link> = fc
  .record({
    id: fc.stringMatching(/^[\w-]{1,64}$/),
    message: optional(number),
    part: optional(number),
    at: optional(number),
    mode: optional(word),
    policy: optional(word),
    spec: optional(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })),
  })
  .map(({ part, policy, spec, ...rest }) => ({
    ...rest,
    ...(rest.message === undefined ? {} : { part }),
    ...(policy === undefined ? { spec } : { policy }),
  }))
  .map((link) => Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined)) as never);

describe('a link', () => {
  it('is read as it was written, behind every base', () => {
    fc.assert(
      fc.property(links, fc.constantFrom(LINK_BASE, ADDRESS_BASE, 'http://127.0.0.1:40123/#/'), (link, base) => {
        expect(decodeLink(encodeLink(link, base) ?? '')).toEqual(link);
      }),
      { numRuns: 1_000 },
    );
  });

  it('says where it leads', () => {
    const link = { id: ID, message: 12, part: 1, at: 40 };
    expect(encodeLink(link)).toBe(`parallax://open/${ID}?message=12&part=1&at=40`);
    expect(encodeLink({ id: ID }, ADDRESS_BASE)).toBe(`#/open/${ID}`);
    // Some systems put a slash behind what looks like a path.
    expect(decodeLink(`parallax://open/${ID}/`)).toEqual({ id: ID });
  });

  it('is not made longer than it would be read', () => {
    expect(encodeLink({ id: ID, spec: 'x'.repeat(20_000) })).toBeNull();
  });

  it.each([
    ['', 'nothing'],
    ['parallax://app/', 'the page itself'],
    ['parallax://app/index.html', 'a file of the page'],
    [`parallax://app/open/${ID}`, 'another host'],
    [`parallax://OPEN/${ID}`, 'another case'],
    [`parallax:open/${ID}`, 'no authority'],
    [`parallax://user@open/${ID}`, 'a user'],
    [`parallax://open:80/${ID}`, 'a port'],
    [`https://open/${ID}`, 'another scheme'],
    [`http://127.0.0.1.evil.example:80/#/open/${ID}`, 'another machine'],
    [`http://evil.example/#/open/${ID}`, 'another machine'],
    [`javascript:alert(1)//#/open/${ID}`, 'a script'],
    [`file:///#/open/${ID}`, 'a file'],
    ['parallax://open/', 'no transcript'],
    ['parallax://open/../../etc/passwd', 'a path'],
    ['parallax://open/%2e%2e', 'an escape'],
    [`parallax://open/${'a'.repeat(65)}`, 'an id that is too long'],
    [`parallax://open/${ID}#x`, 'a fragment'],
    [`parallax://open/${ID}?`.concat('message=-1'), 'a negative number'],
    [`parallax://open/${ID}?message=1e9`, 'a number of another form'],
    [`parallax://open/${ID}?message=9999999999`, 'a number that is too large'],
    [`parallax://open/${ID}?message=`, 'no number'],
    [`parallax://open/${ID}?message=1&message=2`, 'a field twice'],
    [`parallax://open/${ID}?message=1=2`, 'two values'],
    [`parallax://open/${ID}?message`, 'no value'],
    [`parallax://open/${ID}?part=1`, 'a part of no message'],
    [`parallax://open/${ID}?run=rm`, 'a field that there is not'],
    [`parallax://open/${ID}?__proto__=1`, 'a field that objects have'],
    [`parallax://open/${ID}?constructor=1`, 'a field that objects have'],
    [`parallax://open/${ID}?mode=<script>`, 'markup'],
    [`parallax://open/${ID}?spec=%7B%7D`, 'JSON as it is'],
    [`parallax://open/${ID}?spec=a`, 'half a byte'],
    [`parallax://open/${ID}?spec=_w`, 'bytes that are no text'],
    [`parallax://open/${ID}?policy=raw&spec=e30`, 'two policies'],
    [`parallax://open/${ID}\n--no-sandbox`, 'a second line'],
    [` parallax://open/${ID}`, 'a blank in front'],
    [`parallax://open/${ID} --inspect`, 'an argument behind'],
    [`parallax://open/${ID}?spec=${'A'.repeat(20_000)}`, 'too much'],
    [`--parallax://open/${ID}`, 'a switch'],
  ])('is not %s (%s)', (text) => {
    expect(decodeLink(text)).toBeNull();
  });

  it('is found among the arguments of a launch, and one that cannot be read is not passed over', () => {
    expect(linkAmong(['parallax', '--flag', '/home/me/session.jsonl'])).toBeUndefined();
    expect(linkAmong([`parallax://open/${ID}`])).toBeUndefined();
    expect(linkAmong(['/usr/bin/parallax', '--flag', `parallax://open/${ID}?at=3`])).toEqual({ id: ID, at: 3 });
    expect(linkAmong(['/usr/bin/parallax', 'PARALLAX://evil'])).toBeNull();
  });
});
