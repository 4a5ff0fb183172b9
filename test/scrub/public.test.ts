// What is public, or can be read, however much its name says otherwise.
import { expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';

test.each([
  'SecretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-2co8SX',
  '"secretArn": "arn:aws:secretsmanager:us-east-1:123456789012:secret:Prod/Db9-x2Co8S"',
  'arn:aws-us-gov:kms:eu-west-1:123456789012:key/7830c8b6-9dbd-406d-84e8-3080a5d8fb67',
  '<div class="g-recaptcha" data-sitekey="6LhxtQAqpMJx_9jLUtC-5DyLsaA0MTmhaYjqyESr">',
  'NEXT_PUBLIC_RECAPTCHA_SITE_KEY=6LhxtQAqpMJx_9jLUtC-5DyLsaA0MTmhaYjqyESr',
  '"generator": "WP Rocket 3.17.2.1"',
  'package version `1.58.3.0`, MIT license',
  'updated to Rank Math 1.0.21.4',
])('nothing in %s', (text) => {
  expect(findIn(text)).toEqual([]);
});

test.each(['connect to 81.2.69.142', 'the log of Nginx Proxy names client 81.2.69.142', 'Blocked 3.17.2.1 again'])(
  'an address in %s',
  (text) => {
    expect(findIn(text).map(({ kind }) => kind)).toEqual(['ip_address']);
  },
);

test.each(['[trimmed for fixture]', 'removed by the exporter', '(omitted: 4096 bytes)', '<left out>'])(
  'words in place of encrypted content stay: %s',
  (words) => {
    const json = JSON.stringify({ type: 'reasoning', encrypted_content: words });
    const scrubber = new Scrubber();
    scrubber.learn(json);
    expect(scrubber.mask(json)).toBe(json);
  },
);

test.each(['q-AbC1-xYz9'.repeat(30), 'q-AbC1-xYz9-Kl3-mN5', 'gAAAAABnQ1_xYz9Kl3'])(
  'encrypted content has no blanks, and is taken out: %s',
  (content) => {
    const json = JSON.stringify({ type: 'reasoning', encrypted_content: content });
    const scrubber = new Scrubber();
    scrubber.learn(json);
    expect(scrubber.mask(json)).not.toContain(content);
  },
);

test('what is searched is masked, though its name says that it is encrypted', () => {
  const json = JSON.stringify({ type: 'reasoning', encrypted_content: `left out, ask miranda.k@firm.io` });
  const scrubber = new Scrubber();
  scrubber.learn(json);
  expect(scrubber.mask(json)).not.toContain('miranda');
});
