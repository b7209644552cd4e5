/** The outbound client over TLS. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createAuthority, issueCertificate, writePem } from '#certificates';
import { operatorRules, sendRequest } from '#outbound';

test('sendRequest never follows a redirect from https:// to http://', async (t) => {
  const asked: IncomingHttpHeaders[] = [];
  const plain = createServer((incoming, outgoing) => {
    asked.push(incoming.headers);
    outgoing.end();
  }).listen(0, '127.0.0.1');
  t.after(() => plain.close());
  await once(plain, 'listening');
  const location = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  const authority = createAuthority('test authority', Date.now());
  const keyed = issueCertificate(authority, ['127.0.0.1'], Date.now());
  const server = createSecureServer({ key: writePem(keyed), cert: writePem(keyed) }, (_, outgoing) =>
    outgoing.writeHead(302, { location }).end(),
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = {
    timeoutMs: 60_000,
    bytesMax: 1_000,
    redirectsMax: 3,
    url,
    rules: operatorRules,
    trusted: authority.certificate.toString(),
  };
  await rejects(sendRequest(request), /redirects from https:\/\/ to http:\/\//);
  equal((await sendRequest({ ...request, redirectsMax: 0 })).status, 302);
  await rejects(sendRequest({ ...request, trusted: undefined }), /no answer from .*certificate/);
  deepEqual(asked, []);
});
