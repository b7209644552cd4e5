/**
 * A real Chromium before the edge: it sends requests for all names of a certificate on one connection, opens another one
 * after 421, and speaks WebSocket on a connection of HTTP/2 (RFC 8441).
 */
import { equal, ok } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { createAuthority, issueCertificate } from '#certificates';
import { launchBrowser } from '../../dashboard/launch-browser.ts';
import { eventually } from '../../eventually.ts';
import { ServedEdge } from '../served-edge.ts';

let served: ServedEdge;
let browser: Browser;
let application: Server;
let sockets: WebSocketServer;
/** The requests of the application, as host and path. */
let asked: string[] = [];

const [first, second] = ['enterprise.example', 'business.example'];

before(async () => {
  const authority = createAuthority('Test', Date.now());
  const issued = issueCertificate(authority, [first, second], Date.now());
  const { certificate, privateKey } = issued;
  const context = createSecureContext({
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  served = await ServedEdge.open({
    listeners: [{ port: 0, isSecure: true }],
    certificateOf: () => context,
  });
  application = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>here</title>');
  });
  await once(application.listen(0, '127.0.0.1'), 'listening');
  sockets = new WebSocketServer({ server: application });
  sockets.on('connection', (socket) => {
    socket.on('message', (message: Buffer) => socket.send(`echo ${message.toString()}`));
  });
  const url = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  for (const plan of ['enterprise', 'business'] as const) await served.serve(plan, { origin: { url } });
  const key = hash('sha256', certificate.publicKey.export({ type: 'spki', format: 'der' }), 'base64');
  browser = await launchBrowser([
    `--host-resolver-rules=MAP * 127.0.0.1:${served.port}`,
    `--ignore-certificate-errors-spki-list=${key}`,
  ]);
});
after(async () => {
  await browser.close();
  for (const client of sockets.clients) client.terminate();
  application.closeAllConnections();
  application.close();
  await served[Symbol.asyncDispose]();
});

/** A separate window shares no connection with others. */
async function open(): Promise<Page> {
  asked = [];
  const page = await (await browser.newContext()).newPage();
  const answer = await page.goto(`https://${first}/`);
  equal(answer!.status(), 200);
  equal((await answer!.serverAddr())!.port, served.port);
  const protocol = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol");
  equal(protocol, 'h2');
  return page;
}

/** As a page loads resources of other sites: the result is invisible, but the application gets the request. */
async function fetchOther(page: Page, path: string): Promise<void> {
  await page.evaluate(
    (url) => fetch(url, { mode: 'no-cors', credentials: 'include' }),
    `https://${second}${path}`,
  );
  await eventually(() => asked.includes(`${second} ${path}`), `${second} ${path}`);
}

function countConnections(): number {
  return served.edge.stats().proxy.connectionsAccepted;
}

test('Chromium asks for both names of a certificate on one connection, and is answered', async () => {
  const page = await open();
  const before = countConnections();
  await fetchOther(page, '/shared');
  equal(countConnections(), before);
  await page.context().close();
});

for (const [setting, value] of [
  ['http2', 'off'],
  ['min_tls_version', '1.3'],
] as const) {
  test(`Chromium opens a connection of its own for a zone with ${setting} ${value}, after 421`, async () => {
    const zone = `/zones/${served.control.zone('business')}/settings/${setting}`;
    const { value: usual } = (await served.control.call(`GET ${zone}`)).result;
    await served.do(`PATCH ${zone}`, { value });
    const page = await open();
    const before = countConnections();
    const { unserved } = served.edge.stats().verdicts;
    await fetchOther(page, `/${setting}`);
    ok(countConnections() > before);
    ok(served.edge.stats().verdicts.unserved > unserved);
    await page.context().close();
    await served.do(`PATCH ${zone}`, { value: usual });
  });
}

test('Chromium opens a WebSocket on its connection of HTTP/2', async () => {
  const page = await open();
  const before = countConnections();
  const said = await page.evaluate(
    (url) =>
      new Promise<unknown>((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.addEventListener('open', () => socket.send('hello'));
        socket.addEventListener('message', ({ data }) => resolve(data));
        socket.addEventListener('error', () => reject(new Error('no WebSocket')));
      }),
    `wss://${first}/chat`,
  );
  equal(said, 'echo hello');
  equal(countConnections(), before);
  equal(asked.includes(`${first} /chat`), false, 'it was no request but a WebSocket');
  await page.context().close();
});
