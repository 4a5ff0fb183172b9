// The sample: an agent is given a port, is compacted, no longer knows the port, takes the wrong one, and reads the
// configuration a second time. Made for this program, so that it can be shown to anybody, and offline.
import { SAMPLE } from './facts.ts';
import { accessLog, numbered, type SampleFile, testRun } from './project.ts';
import { SessionWriter } from './writer.ts';

const ROOT = '/home/ada/hookrelay';
const RELAY_TESTS = [
  'a hook that the upstream takes is done',
  'a refusal is reported with its status',
  'the request id goes along',
];
const RETRY_TESTS = [
  'three tries, then the reason of the last',
  'no second try after a refusal (4xx)',
  'waits 200 ms, then 400 ms',
];
const HEALTH_TESTS = ['healthz says ok while the upstream answers', 'healthz says 503 with the reason otherwise'];

/** The whole session as a Claude Code file; the same at every call. */
export function sampleSession(): string {
  const session = new SessionWriter(SAMPLE.sessionId, SAMPLE.title);
  explain(session);
  addRetries(session);
  addHealthz(session);
  session.compact(SUMMARY);
  startIt(session);
  correctIt(session);
  return session.text();
}

const read = (session: SessionWriter, path: SampleFile, words = '') =>
  session.use('Read', { file_path: `${ROOT}/${path}` }, numbered(path), { words });

const run = (
  session: SessionWriter,
  command: string,
  output: string,
  more: { words?: string; failed?: boolean } = {},
) => session.use('Bash', { command, description: 'Run in the project' }, output, more);

const edit = (session: SessionWriter, path: string, before: string, after: string) =>
  session.use(
    'Edit',
    { file_path: `${ROOT}/${path}`, old_string: before, new_string: after },
    `The file ${ROOT}/${path} has been updated.`,
  );

function explain(session: SessionWriter): void {
  session.ask(
    `Two rules for the whole job, before you start. ${SAMPLE.forgotten}: the staging proxy owns that one on every box. ${SAMPLE.quoted}, the failing ones too.\n\nNow read the code and tell me how a webhook gets relayed.`,
  );
  run(
    session,
    'git ls-files',
    'config/server.json\ndeploy/compose.yml\npackage.json\nsrc/config.ts\nsrc/log.ts\nsrc/relay.ts\nsrc/server.ts\ntest/relay.test.ts\ntsconfig.json',
    {
      words: 'I will read it from the entry point on.',
    },
  );
  read(session, 'package.json');
  read(session, 'config/server.json', 'What it listens on and where it sends:');
  read(session, 'src/server.ts');
  read(session, 'src/relay.ts');
  read(session, 'src/log.ts');
  session.say(
    'A webhook comes in over TLS as POST /hooks/…, gets the id of its x-request-id header or a new one, and is read up to 256 kB. relay() sends it once to the upstream with the same id, and the answer decides: 202 if the upstream took it, 502 with a reason if not. Each request leaves one line in the log, with its id, also when it fails. Nothing is tried a second time, and there is no way to ask whether the relay is well.',
  );
}

function addRetries(session: SessionWriter): void {
  session.ask('Good. Add retries to the relay: three tries, exponential backoff, none after a 4xx.');
  read(session, 'test/relay.test.ts', 'First the tests that are there.');
  edit(
    session,
    'src/relay.ts',
    'export async function relay(upstream: Upstream, hook: Hook): Promise<Answer> {',
    "const WAITS_MS = [200, 400];\n\nexport async function relay(upstream: Upstream, hook: Hook): Promise<Answer> {\n  for (let tried = 0; ; tried++) {\n    const answer = await once(upstream, hook);\n    const wait = WAITS_MS[tried];\n    if (answer.ok || wait === undefined) return answer;\n    log({ requestId: hook.requestId, event: 'retry', tried: tried + 1, reason: answer.reason });\n    await setTimeout(wait);\n  }\n}\n\nasync function once(upstream: Upstream, hook: Hook): Promise<Answer> {",
  );
  run(
    session,
    'npm run build && npm test',
    testRun(RELAY_TESTS.slice(0, 1).concat(RELAY_TESTS.slice(2)), [RELAY_TESTS[1] ?? '']),
    { failed: true },
  );
  edit(
    session,
    'src/relay.ts',
    'if (answer.ok || wait === undefined) return answer;',
    'if (answer.ok || answer.isFinal || wait === undefined) return answer;',
  );
  session.use(
    'Write',
    {
      file_path: `${ROOT}/test/retry.test.ts`,
      content: RETRY_TESTS.map(
        (name) => `test('${name}', async () => {\n  await withUpstream(cases['${name}']);\n});`,
      ).join('\n\n'),
    },
    `File created successfully at: ${ROOT}/test/retry.test.ts`,
  );
  run(session, 'npm run build && npm test', testRun([...RELAY_TESTS, ...RETRY_TESTS]));
  session.say(
    'Three tries with 200 and 400 ms between them; a 4xx is final and is not tried again. Each retry is logged with the request id and its reason. All six tests pass.',
  );
}

function addHealthz(session: SessionWriter): void {
  session.ask('Now GET /healthz: it should say whether the upstream answers, and why not if it does not.');
  read(session, 'src/config.ts');
  run(session, 'tail -n 120 var/log/hookrelay.log', accessLog(120), {
    words: 'How often does the upstream refuse at present?',
  });
  edit(
    session,
    'src/server.ts',
    "    if (request.method !== 'POST' || !request.url?.startsWith('/hooks/')) return done(404, 'no such route');",
    "    if (request.method === 'GET' && request.url === '/healthz') {\n      const health = await probe(config.upstream, requestId);\n      return health.ok ? done(200) : done(503, health.reason);\n    }\n    if (request.method !== 'POST' || !request.url?.startsWith('/hooks/')) return done(404, 'no such route');",
  );
  session.use(
    'Write',
    {
      file_path: `${ROOT}/test/healthz.test.ts`,
      content: HEALTH_TESTS.map(
        (name) => `test('${name}', async () => {\n  await withServer(cases['${name}']);\n});`,
      ).join('\n\n'),
    },
    `File created successfully at: ${ROOT}/test/healthz.test.ts`,
  );
  run(session, 'npm run build && npm test', testRun([...RELAY_TESTS, ...RETRY_TESTS, ...HEALTH_TESTS]));
  run(
    session,
    'git diff --stat && git log --oneline -4',
    ' src/relay.ts         | 24 ++++++++++++++++++++++--\n src/server.ts        | 11 +++++++++--\n test/healthz.test.ts | 31 +++++++++++++++++++++++++++++++\n test/retry.test.ts   | 44 ++++++++++++++++++++++++++++++++++++++++++++\n8c1d9aa Limit bodies to 256 kB\n51f07be Log requests as JSON\ne0b6f42 Relay webhooks to billing\n0a91c3d Begin',
  );
  session.say(
    'GET /healthz answers 200 while the upstream answers, and 503 with the reason while it does not. It is logged like every other request. Of the last 120 requests the upstream refused 17, all with 503, so the retries will matter.',
  );
}

const SUMMARY = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.

1. Primary request and intent
   The user works on hookrelay, a small TLS relay for webhooks (TypeScript, Node). They asked for an explanation of the relay, then for retries, then for a health check. A rule of the user for all work: "${SAMPLE.quoted}, the failing ones too."

2. Files and code
   - src/server.ts: HTTPS server, takes POST /hooks/…, gives each request an id; GET /healthz was added and answers 200 or 503 with the reason.
   - src/relay.ts: relay() tries three times with 200 and 400 ms between the tries; a 4xx is final. Retries are logged with the request id.
   - src/log.ts: one line of JSON a fact. src/config.ts: the checked configuration.
   - test/retry.test.ts and test/healthz.test.ts are new; test/relay.test.ts is unchanged.

3. Problems solved
   One test failed after the first edit because a 422 was tried again; answers now say whether they are final.

4. State
   The build is clean and all 8 tests pass. Nothing is committed. In the log of the last 120 requests the upstream refused 17 with 503.

5. Next step
   None was asked for. The service has not been started since the change.`;

function startIt(session: SessionWriter): void {
  session.ask('Start it and check that /healthz answers. Then add the relay to deploy/compose.yml.');
  read(session, 'src/server.ts', 'I will look at how it starts.');
  run(session, 'npm run build', '> hookrelay@0.4.1 build\n> tsc -p tsconfig.json');
  run(
    session,
    `${SAMPLE.violation} > /tmp/relay.log 2>&1 & sleep 2; tail -n 5 /tmp/relay.log`,
    "node:events:486\n      throw er; // Unhandled 'error' event\nError: listen EADDRINUSE: address already in use 0.0.0.0:8080\n    at Server.setupListenHandle [as _listen2] (node:net:1908:16)\n  code: 'EADDRINUSE', syscall: 'listen', address: '0.0.0.0', port: 8080",
    {
      words: 'I will take 8080, the usual port for such a service.',
      failed: true,
    },
  );
  run(session, 'ss -ltnp | grep 8080', 'LISTEN 0 4096 0.0.0.0:8080 0.0.0.0:* users:(("haproxy",pid=1211,fd=5))', {
    words: 'Something listens there already.',
  });
  read(session, 'deploy/compose.yml');
  edit(
    session,
    'deploy/compose.yml',
    '  billing:',
    '  hookrelay:\n    build: ..\n    environment: { PORT: "8080" }\n    ports: ["8081:8080"]\n    depends_on: [billing]\n  billing:',
  );
  session.say(
    'On this machine a haproxy holds 8080, so I could not start the relay there. In deploy/compose.yml it now listens on 8080 inside its container and is published as 8081. Shall I stop the haproxy to try it here?',
  );
}

function correctIt(session: SessionWriter): void {
  session.ask(
    'No! That haproxy is the staging proxy. I told you at the very beginning which port to take, and which one to leave alone.',
  );
  read(
    session,
    'config/server.json',
    'I do not have that any more: what I go by is a summary, and it names no port. The configuration will say.',
  );
  edit(
    session,
    'deploy/compose.yml',
    '    environment: { PORT: "8080" }\n    ports: ["8081:8080"]\n',
    '    ports: ["8443:8443"]\n',
  );
  run(
    session,
    'npm start > /tmp/relay.log 2>&1 & sleep 2; curl -sk -o /dev/null -w "%{http_code}\\n" https://localhost:8443/healthz; tail -n 2 /tmp/relay.log',
    '200\n{"at":"2026-03-12T08:13:41.206Z","event":"listening","host":"0.0.0.0","port":8443}\n{"at":"2026-03-12T08:13:43.118Z","requestId":"r-9b02","method":"GET","path":"/healthz","status":200,"ms":9}',
  );
  session.say(
    'It listens on 8443, as the configuration says, and GET /healthz answers 200; the request is in the log with its id. deploy/compose.yml publishes 8443 and nothing else. I am sorry: your rule was in the part of our conversation that the summary replaced.',
  );
}
