/** Rules and page rules that choose another origin, or other names for it. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createAuthority, issueCertificate } from '#certificates';
import { ServedEdge } from '../served-edge.ts';
import { TestOrigin } from '../test-origin.ts';

let served: ServedEdge;
let other: TestOrigin;
let zone: string;
let otherPort: number;

before(async () => {
  served = await ServedEdge.open();
  other = await TestOrigin.listen();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  otherPort = Number(new URL(other.url).port);
  const { messages } = await served.do(`PUT ${zone}/rulesets/phases/http_request_origin/entrypoint`, {
    rules: [
      route('/header', { host_header: 'app.internal:8080' }),
      route('/port', { origin: { port: otherPort } }),
      route('/host', { origin: { host: 'localhost', port: otherPort }, host_header: 'other.example' }),
      route('/last', { host_header: 'first.example', origin: { port: otherPort } }),
      route('/last', { host_header: 'second.example' }),
      route('/page/rule', { host_header: 'rule.example' }),
      route('/rewritten', { host_header: 'rewritten.example' }),
    ],
  });
  deepEqual(messages, []);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_transform/entrypoint`, {
    rules: [
      {
        action: 'rewrite',
        expression: on('/before'),
        action_parameters: { uri: { path: { value: '/rewritten' } } },
      },
    ],
  });
});
after(async () => {
  await served[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

function route(path: string, action_parameters: object): object {
  return { action: 'route', expression: on(path), action_parameters };
}

/** Which of the two origins got the request, and under which name. */
async function ask(path: string, sent?: Parameters<ServedEdge['send']>[1]): Promise<unknown[]> {
  served.origin.take();
  other.take();
  const { status } = await served.send(path, sent);
  const [first] = served.origin.take();
  const [second] = other.take();
  return [status, first === undefined ? 'other' : 'own', (first ?? second)?.headers.host];
}

test('a rule chooses host, port and the name that the origin gets', async () => {
  const host = served.host('enterprise');
  deepEqual(await ask('/else'), [200, 'own', host]);
  deepEqual(await ask('/header'), [200, 'own', 'app.internal:8080']);
  deepEqual(await ask('/port'), [200, 'other', host]);
  deepEqual(await ask('/host'), [200, 'other', 'other.example']);
  deepEqual(await ask('/last'), [200, 'other', 'second.example']);
  deepEqual(await ask('/before'), [200, 'own', 'rewritten.example']);
  deepEqual(await ask('/port', { body: 'x'.repeat(70_000) }), [200, 'other', host]);
});

test('page rules do it by host_header_override and resolve_override, and rules count more', async () => {
  const host = served.host('enterprise');
  await served.do(`POST ${zone}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${host}/page/*` } }],
    actions: [
      { id: 'host_header_override', value: 'page.example' },
      { id: 'resolve_override', value: 'localhost' },
    ],
    status: 'active',
  });
  deepEqual(await ask('/page/x'), [200, 'own', 'page.example']);
  deepEqual(await ask('/page/rule'), [200, 'own', 'rule.example']);
  const refused = await served.control.call(`POST ${zone}/pagerules`, {
    body: {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${host}/bad/*` } }],
      actions: [{ id: 'host_header_override', value: 'a\r\nb: c' }],
    },
  });
  equal(refused.status, 400);
});

test('the trace says where a request goes', async () => {
  const { result } = await served.control.call(`POST ${zone}/security/trace`, { body: { url: '/host' } });
  deepEqual(
    result.explanation.changes.map(({ effect }: { effect: string }) => effect),
    [`connects to localhost, uses port ${otherPort}, sends the host other.example`],
  );
});

test('sni is the name in the handshake, and the one that the certificate has to be for', async (t) => {
  const authority = createAuthority('Test', Date.now());
  const { certificate, privateKey } = issueCertificate(authority, ['app.example'], Date.now());
  const names: string[] = [];
  const secure = createServer(
    {
      cert: certificate.toString(),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      SNICallback(name, done) {
        names.push(name);
        done(null);
      },
    },
    (_, response) => response.end('secure'),
  );
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    secure.closeAllConnections();
    secure.close();
  });
  const pro = `/zones/${served.control.zone('pro')}`;
  const { port } = secure.address() as AddressInfo;
  await served.serve('pro', { origin: { url: `https://127.0.0.1:${port}`, verify_tls: false } });
  await served.do(`PUT ${pro}/rulesets/phases/http_request_origin/entrypoint`, {
    rules: [route('/sni', { sni: { value: 'app.example' } })],
  });
  equal((await served.send('/sni', { host: served.host('pro') })).body, 'secure');
  deepEqual(names, ['app.example']);
});
