// What people make up, and what stands in forms of its own: found; what only reads like it stays.
import { expect, it } from 'vitest';
import { DETECTORS } from '../../core/scrub/detectors.ts';

/** What is found of a text: the tier and the value of each secret. */
function found(text: string): readonly string[] {
  const hits = DETECTORS.flatMap((detector) => [...detector(text)]);
  return [...new Set(hits.map(({ tier, from, to }) => `${tier} ${text.slice(from, to)}`))];
}

it.each([
  ['password = canyonquartz868', 'candidate canyonquartz868'],
  ['password: dLxfXNrcYqbM', 'candidate dLxfXNrcYqbM'],
  ['--password=canyonlantern531', 'candidate canyonlantern531'],
  ['host=db user=app password=ayp180MRE! sslmode=require', 'definite ayp180MRE!'],
  ['X-Consul-Token: dde46a19-6971-4a98-9e38-1bcc41c72042', 'candidate dde46a19-6971-4a98-9e38-1bcc41c72042'],
  ['X-Gitlab-Token: prairieharbor993', 'candidate prairieharbor993'],
  ['PASSWORD_PEPPER=L2zzT6HoLaMKGVzPhlAX9CaK', 'definite L2zzT6HoLaMKGVzPhlAX9CaK'],
  ['{"Name":"prod/db","SecretString":"wint3r!QuK9fZ"}', 'definite wint3r!QuK9fZ'],
  ["CREATE LOGIN etl WITH PASSWORD = N'Orbit1234*', CHECK_POLICY = OFF;", 'definite Orbit1234*'],
  ['Das Passwort lautet: blCBc1gxoF*8_rQW', 'definite blCBc1gxoF*8_rQW'],
  ['net use Z: \\\\nas01\\share /user:CORP\\jdoe forestriver541', 'definite forestriver541'],
  ["smbclient //nas/share -U 'jdoe%vgIYYoxcf3NMmEF'", 'definite vgIYYoxcf3NMmEF'],
  ["sqlcmd -S tcp:sql1,1433 -U sa -P 'g4rn3t_qHTdn' -Q x", 'definite g4rn3t_qHTdn'],
  ["htpasswd -bc /etc/nginx/.htpasswd admin 'Vftoi-540qna'", 'definite Vftoi-540qna'],
  ['poetry config http-basic.corp ci ViolinCanyon27', 'definite ViolinCanyon27'],
  ['mysqli_connect("localhost", "root", "8Ww1PSbldX4GNFoPbr", "shop");', 'definite 8Ww1PSbldX4GNFoPbr'],
  ['sonar.login=f1be738e5bf8ce3d7121af740aa9a0887d6ed04e', 'definite f1be738e5bf8ce3d7121af740aa9a0887d6ed04e'],
  [
    'https://shop.corp/index.php?PHPSESSID=617ebd12f1cefe28a0a98ec9794a72aa',
    'definite 617ebd12f1cefe28a0a98ec9794a72aa',
  ],
  [
    'MNEMONIC="window north forest canyon maple mango river stone anchor lamp ocean bridge"',
    'definite window north forest canyon maple mango river stone anchor lamp ocean bridge',
  ],
])('%s', (text, secret) => {
  expect(found(text)).toContain(secret);
});

it.each([
  // Lines of a file with their numbers are no table, whatever a line says of a key.
  '104\t# API key cache\n105\t.rpt2_cache/\n106\t.rts2_cache_es/',
  '218\t# key\n219\t.DocumentRevisions-V100\n220\t.Spotlight-V100\n',
  'Cache restored from key: node-cache-Linux-x64-npm-8a1f3c9e0b7d52461c3f9a8e7d6b5c4f3e2d1c0b9a8f7e6d5c4b3a29f8e7d6c5',
  "Restored cache for golangci-lint from key 'golangci-lint.cache-Linux-src-2951-cc2b503e6f0f6722345e9c0c2b4a47378e8c3be4'",
  'password = user_password',
  'password: getPassword2',
  'const password = formValues.password1;',
  'passwordHash: argon2id',
  'mnemonic = "twelve words"',
  'X-Request-Id: dde46a19-6971-4a98-9e38-1bcc41c72042',
])('nothing in %s', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  ['SECRET_KEY_BASE=river-canyon-42', 'candidate river-canyon-42'],
  ['setx API_SECRET "Word1999!"', 'definite Word1999!'],
  ['Authorization: Bearer 15288168752793cd', 'candidate 15288168752793cd'],
  [
    'new AuthenticationHeaderValue("Bearer", "dde46a19-6971-4a98-9e38-1bcc41c72042")',
    'definite dde46a19-6971-4a98-9e38-1bcc41c72042',
  ],
  ['Cookie: session=22b57f68f7c3a5b0', 'candidate 22b57f68f7c3a5b0'],
  ['password: "harbor rocket velvet pirate 12"', 'candidate harbor rocket velvet pirate 12'],
  ['keytool -storepass wbfsvz3rhxe0ytax', 'definite wbfsvz3rhxe0ytax'],
  ['new PDO($dsn, $user, "Ab3kd92kfQ0s")', 'definite Ab3kd92kfQ0s'],
  ['Unseal Key 1: Xb3kd92kfQ0sLm2X9p4zHq81', 'definite Xb3kd92kfQ0sLm2X9p4zHq81'],
])('what is left of two lots: %s', (text, secret) => {
  expect(found(text)).toContain(secret);
});

it('the password of an address is no e-mail, whatever its user is called', () => {
  const text = 'git clone https://oauth2:Ab3kd92kfQ0sLm2X9p4z@git.acme.io/team/app.git';
  const kinds = DETECTORS.flatMap((detector) => [...detector(text)]).map(({ kind }) => kind);
  expect(kinds).toEqual(['url_credentials']);
});

it.each([
  'key: v2-deps-5f090047098cfee9f611127256c1696849735434\nrestore-keys: v2-deps-',
  '{"Key": "uploads/2024/03/dde46a19-6971-4a98-9e38-1bcc41c72042.png", "Size": 1024}',
  'token: 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 // USDC contract address',
  'restore-keys: Linux-gradle-5f3c88bb1c78e563-',
  '"login.password": "Enter your new password"',
  '"password": "Must have at least 8"',
  'Authorization: Bearer your-token-here',
  'git show 5f090047098cfee9f611127256c1696849735434',
])('nothing in %s', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  // Words of code as the second argument of what logs in, and cookies that open nothing.
  'auth("team", "read-write-all")',
  '{"cookies":[{"name":"theme","value":"a8Kd93kfQ0sLm2X9p4zHq81"}]}',
])('no definite secret in %s', (text) => {
  expect(found(text).filter((one) => one.startsWith('definite'))).toEqual([]);
});

it.each([
  // Names of code and of fields of forms, which say password without being one.
  "fields = ('email', 'password', 'date_of_birth', 'is_active')",
  "attrs={'autocomplete': 'current-password', 'autofocus': True}",
  "field_order = ['old_password', 'new_password1', 'new_password2']",
  "password1 = self.cleaned_data.get('new_password1')",
  '@sensitive_variables("password1", "password2")',
  '`htpasswd`, `derivePassword`, `genSignedCert`, `encryptAES`',
  // Options that take a password in other commands.
  'curl -sS -o /dev/null -w "%{http_code}" https://api.acme.io/health',
  'curl -w "%{time_total}s9" https://api.acme.io',
  'rabbitmqctl list_queues -p prod-vhost12',
  // What is behind something else than a user.
  'connect(signal, "clicked2024")',
  'loginWith(page, "checkout2024")',
  'connect(host, port, "utf8mb4")',
])('no password in %s', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  // Without quotes a function or a variable; a string, and words that give nothing, are passwords.
  ['password: getPassword12', 'candidate getPassword12'],
  ['const password = loadDbPassword01;', 'candidate loadDbPassword01'],
  ['password: "getPassword12"', 'definite getPassword12'],
  ['password: Getaway2024', 'definite Getaway2024'],
  ['password: adminPassword12', 'definite adminPassword12'],
  // Two strings that are all of a call: a name and its value.
  ['form.append("password", "correcthorse7")', 'candidate correcthorse7'],
  // The comma behind a value is not of it.
  ['  password = Kr4pfenwerk99,', 'definite Kr4pfenwerk99'],
  ['mysql -uroot -pKr4pfen99x shop', 'definite Kr4pfen99x'],
  // Behind its user, in quotes or by a name that says so.
  ['DriverManager.getConnection("jdbc:x", user, "Kr4pfen99x")', 'definite Kr4pfen99x'],
  ['DBI->connect("dbi:Pg:shop", "app", "Kr4pfen99x")', 'definite Kr4pfen99x'],
  ['credentials(userName, "Kr4pfen99x")', 'definite Kr4pfen99x'],
  ['redis-cli -h cache -a Kr4pfen99x', 'definite Kr4pfen99x'],
])('%s, as sure as can be', (text, secret) => {
  expect(found(text)).toEqual([secret]);
});
