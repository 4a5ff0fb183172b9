// What kinds of findings are called, and to which group they belong.
import { TOKEN_KINDS } from './tokens.ts';

/** What a finding is about: a secret, a person, words somebody named, something that cannot be searched. */
export type KindGroup = 'secret' | 'personal' | 'own' | 'unreadable';

const PERSONAL: Readonly<Record<string, string>> = {
  home: 'Home folder',
  user_name: 'User name',
  host_name: 'Host name',
  email: 'E-mail address',
  ip_address: 'IP address',
  phone: 'Telephone number',
  public_key: 'Public key',
};

const OTHERS: Readonly<Record<string, string>> = {
  own: 'Own words',
  image: 'Image',
  file: 'File',
  encrypted: 'Encrypted content',
  signature: 'Signature of edited thinking',
};

const SECRETS: Readonly<Record<string, string>> = {
  private_key: 'Private key',
  jwt: 'JSON Web Token',
  paseto: 'PASETO',
  url_credentials: 'Credentials in an address',
  webhook: 'Webhook address',
  header: 'Authorization header',
  cookie: 'Cookie',
  password: 'Password',
  password_hash: 'Hash of a password',
  secret_value: 'Value beside a secret name',
  recovery_code: 'Recovery code',
  discord_token: 'Discord token',
  mailchimp_key: 'Mailchimp key',
  telegram_token: 'Telegram token',
  terraform_token: 'Terraform token',
};

/** The groups, in the order they are listed. */
export const KIND_GROUPS: readonly KindGroup[] = ['secret', 'personal', 'own', 'unreadable'];

/** All kinds there are: those of vendors' tokens, too. */
export const KINDS: readonly string[] = [
  ...new Set([...Object.keys(SECRETS), ...TOKEN_KINDS, ...Object.keys(PERSONAL), ...Object.keys(OTHERS)]),
];

/** Names that are not written as words are. */
const NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  openai: 'OpenAI',
  pypi: 'PyPI',
  aws: 'AWS',
  gcp: 'GCP',
  api: 'API',
  url: 'URL',
  oauth: 'OAuth',
  digitalocean: 'DigitalOcean',
  sendgrid: 'SendGrid',
};

/** What a kind is called on screen and in reports. */
export function kindTitle(kind: string): string {
  const known = PERSONAL[kind] ?? OTHERS[kind] ?? SECRETS[kind];
  if (known !== undefined) return known;
  const [first = '', ...rest] = kind.split('_').map((word) => NAMES[word] ?? word);
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

/** The group of a kind. */
export function kindGroup(kind: string): KindGroup {
  if (kind in PERSONAL) return 'personal';
  if (kind === 'own') return 'own';
  return kind in OTHERS ? 'unreadable' : 'secret';
}
