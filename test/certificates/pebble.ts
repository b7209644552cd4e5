/**
 * From a new server to a page over HTTPS and HTTP/2 in one command, with Let's Encrypt's own test authority, which refuses
 * nonces now and then, and curl, h2load and Chromium: `npm run verify -- pebble`. Names are proven over HTTP, and where that fails in
 * TLS handshakes. Pebble is built from its Go module, which needs Go and a module proxy.
 */
import { equal, match } from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { createAuthority, issueCertificate } from '#certificates';
import { launchBrowser } from '../dashboard/launch-browser.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';

const modules = ['pebble', 'pebble-challtestsrv'].map(
  (name) => `github.com/letsencrypt/pebble/v2/cmd/${name}@v2.10.1`,
);

async function findPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Free for a name server, which listens on both TCP and UDP. */
async function findNamePort(): Promise<number> {
  const port = await findPort();
  const socket = createSocket('udp4');
  socket.bind(port, '127.0.0.1');
  const isFree = await once(socket, 'listening').then(
    () => true,
    () => false,
  );
  socket.close();
  return isFree ? port : await findNamePort();
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

function start(t: TestContext, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  t.after(() => child.kill());
}

async function readInsecurely(url: string): Promise<string> {
  const outgoing = request(url, { rejectUnauthorized: false, agent: false });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [Parameters<typeof text>[0]];
  return await text(incoming);
}

/** A fifth of all nonces is refused, validation takes some seconds, and chains are long and have several roots. */
const failureModes = {
  PEBBLE_WFE_NONCEREJECT: '20',
  PEBBLE_VA_SLEEPTIME: '3',
  PEBBLE_CHAIN_LENGTH: '2',
  PEBBLE_ALTERNATE_ROOTS: '1',
};

let binaries = '';
before(() => {
  binaries = mkdtempSync(join(tmpdir(), 'gatehouse-pebble-'));
  const built = spawnSync('go', ['install', ...modules], {
    env: { ...process.env, GOBIN: binaries },
    encoding: 'utf8',
  });
  equal(built.status, 0, built.stderr ?? 'Go is needed');
});
after(() => rmSync(binaries, { recursive: true, force: true }));

/** In each test, the other challenge type cannot succeed. */
for (const way of ['http-01', 'tls-alpn-01'] as const)
  test(`gatehouse protect --acme gets a certificate from Pebble by ${way}, and clients a page over HTTP/2`, async (t) => {
    const directory = temporary(t);
    const own = createAuthority('Own authority of Pebble', Date.now());
    const { certificate, privateKey } = issueCertificate(own, ['127.0.0.1'], Date.now());
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const [listen, manage, control, closed] = await Promise.all([
      findPort(),
      findPort(),
      findPort(),
      findPort(),
    ]);
    const names = await findNamePort();
    await using origin = await TestOrigin.listen();
    const { ready } = await Gatehouse.start(t, {
      directory,
      args: [
        ...['--acme-directories', `https://127.0.0.1:${listen}/dir`],
        ...['--acme-trust', file('trusted.pem', own.certificate.toString())],
        ...['--edge-https-port', '0', '--allow-private-origins', 'true'],
      ],
      environment: { GATEHOUSE_EDGE_WORKERS: '2' },
    });
    const { edge, edge_https: secure } = ready as unknown as { edge: string; edge_https: string };
    const { port } = new URL(secure);
    const config = {
      listenAddress: `127.0.0.1:${listen}`,
      managementListenAddress: `127.0.0.1:${manage}`,
      certificate: file('pebble.pem', certificate.toString()),
      privateKey: file('pebble.key', privateKey.export({ type: 'pkcs8', format: 'pem' })),
      httpPort: way === 'http-01' ? Number(new URL(edge).port) : closed,
      tlsPort: way === 'http-01' ? closed : Number(port),
      retryAfter: { authz: 1, order: 1 },
      profiles: { default: { description: 'usual', validityPeriod: 7_776_000 } },
    };
    start(t, join(binaries, 'pebble-challtestsrv'), [
      ...['-dnsserver', `127.0.0.1:${names}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
      ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', '', '-management', `127.0.0.1:${control}`],
    ]);
    start(
      t,
      join(binaries, 'pebble'),
      [
        '-strict',
        '-config',
        file('pebble.json', JSON.stringify({ pebble: config })),
        '-dnsserver',
        `127.0.0.1:${names}`,
      ],
      failureModes,
    );
    const readRoot = (): Promise<string> => readInsecurely(`https://127.0.0.1:${manage}/roots/0`);
    await eventually(() => readRoot().then(Boolean, () => false), 'Pebble answers');
    await eventually(() => isListening(names), 'the server of names answers');

    const { stdout, stderr } = await runCaptured(
      ...['protect', 'shop.example', '--origin', origin.url, '--acme', 'you@example.com'],
      ...['--api', ready.api, '--token', ready.token!],
    );
    match(stdout, /^The certificate of shop\.example is in force, by Pebble Intermediate/m, stdout + stderr);
    const trusted = file('root.pem', await readRoot());
    const curl = (): Promise<string> =>
      run('curl', [
        ...['--silent', '--http2', '--cacert', trusted, '--write-out', ' %{http_version} %{http_code}'],
        ...['--connect-to', `shop.example:443:127.0.0.1:${port}`, 'https://shop.example/'],
      ]);
    await eventually(async () => (await curl().catch(String)) === 'origin got GET / 2 200', 'the page');
    const load = await run('h2load', [
      ...['-n', '2000', '-c', '4', '-m', '10', '--connect-to', `127.0.0.1:${port}`, 'https://shop.example/'],
    ]);
    match(load, /Application protocol: h2[^]*2000 succeeded, 0 failed/);
    t.diagnostic(load.match(/^finished.*|^requests:.*/gm)!.join('; '));
    await openInChromium(Number(port));
  });

/** The application is in this process, which must not wait for the client. */
async function run(program: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout;
}

async function openInChromium(port: number): Promise<void> {
  // The root of Pebble is not in any trust store.
  const browser = await launchBrowser([
    `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
    '--ignore-certificate-errors',
  ]);
  try {
    const page = await browser.newPage();
    const answer = (await page.goto('https://shop.example/'))!;
    equal(await answer.text(), 'origin got GET /');
    match((await answer.securityDetails())!.issuer!, /^Pebble Intermediate/);
    const protocol = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol");
    equal(protocol, 'h2');
  } finally {
    await browser.close();
  }
}
