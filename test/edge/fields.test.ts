/** The fields of a connection, and the client's address: over TLS, and behind a proxy. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { ZoneCertificates } from '../../src/program/server/edge/certificates/zone-certificates.ts';
import { LocalAuthority } from '#certificates';
import { ServedEdge } from './served-edge.ts';
import { RawClient } from './wire/raw-client.ts';

let served: ServedEdge;
let directory: string;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-edge-tls-'));
  const authority = LocalAuthority.open(directory, Date.now());
  const certificates = new ZoneCertificates({ authority, directory: undefined, onError: () => {} });
  served = await ServedEdge.open({
    listeners: [{ port: 0 }, { port: 0, isSecure: true }],
    certificateOf: certificates.of,
    trustedProxies: ['127.0.0.0/8'],
  });
  await served.serve('enterprise');
});
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

/** Creates one rule that logs; a request triggers it if the expression is true. */
async function withRule(expression: string, isTrueOf: () => Promise<string | undefined>): Promise<boolean> {
  const entryPoint = `/zones/${served.control.zone('enterprise')}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  await served.do(`PUT ${entryPoint}`, { rules: [{ action: 'log', expression }] });
  const ray = await isTrueOf();
  return (await served.events()).some(({ rayName }) => rayName === ray);
}

async function secureClient(servername: string): Promise<RawClient> {
  const socket: TLSSocket = connect({
    port: served.edge.addresses[1]!.port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  return RawClient.over(socket);
}

async function overTls(
  host: string,
  servername = host,
): Promise<{ status: number; ray: string | undefined }> {
  using client = await secureClient(servername);
  client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const answer = await client.response();
  return { status: answer!.status, ray: answer!.headers.get('cf-ray') };
}

const connectionFields: readonly (readonly [expression: () => string, isTrue: boolean])[] = [
  [() => 'cf.tls_version eq "TLSv1.3"', true],
  [() => 'cf.tls_cipher contains "TLS_"', true],
  [() => 'ssl', true],
  [() => `cf.edge.server_port eq ${served.edge.addresses[1]!.port}`, true],
  [() => 'cf.edge.client_port gt 1023', true],
  [() => 'cf.edge.server_ip eq 127.0.0.1', true],
  [() => 'cf.zone.name eq "enterprise.example"', true],
  [() => 'cf.colo.name eq "LOCAL"', true],
  [() => 'len(cf.random_seed) eq 32', true],
  [() => 'http.request.headers.truncated', false],
  [() => 'http.host eq "www.enterprise.example"', true],
];

test('rules see the facts of a TLS connection', async () => {
  for (const [expression, isTrue] of connectionFields) {
    const found = await withRule(expression(), async () => (await overTls('www.enterprise.example')).ray);
    equal(found, isTrue, expression());
  }
});

test('rules see that there is no TLS', async () => {
  const ray = async (): Promise<string> => String((await served.send('/')).headers['cf-ray']);
  equal(await withRule('cf.tls_version eq "" and cf.tls_cipher eq "" and not ssl', ray), true);
  equal(await withRule(`cf.edge.server_port eq ${served.port}`, ray), true);
});

test('a connection serves the names that its certificate is for, and no others', async () => {
  equal((await overTls('enterprise.example')).status, 200);
  equal((await overTls('www.enterprise.example', 'enterprise.example')).status, 200);
  equal((await overTls('a.b.enterprise.example', 'enterprise.example')).status, 421);
  equal((await overTls('free.example', 'enterprise.example')).status, 421);
});

test('there is no certificate for a name without a zone', async () => {
  const refused = secureClient('nobody.example').then(
    () => 'connected',
    () => 'refused',
  );
  equal(await refused, 'refused');
});

test('the client is whom trusted proxies name, in rules and in events', async () => {
  const ray = async (forwardedFor: string): Promise<string> =>
    String((await served.send('/', { headers: { 'x-forwarded-for': forwardedFor } })).headers['cf-ray']);
  equal(await withRule('ip.src eq 192.0.2.7', () => ray('198.51.100.1, 192.0.2.7, 127.0.0.2')), true);
  deepEqual((await served.events()).at(-1)?.clientIP, '192.0.2.7');
  equal(await withRule('ip.src eq 198.51.100.1', () => ray('198.51.100.1, 192.0.2.7')), false);
});

test('lists of the account are in force, and a change of one as well', async () => {
  const lists = `/accounts/${served.control.control.directory.accountId}/rules/lists`;
  const { result: list } = await served.do(`POST ${lists}`, { name: 'office', kind: 'ip' });
  const ray = async (): Promise<string> =>
    String((await served.send('/', { headers: { 'x-forwarded-for': '192.0.2.7' } })).headers['cf-ray']);
  equal(await withRule('ip.src in $office', ray), false);
  await served.do(`POST ${lists}/${list.id}/items`, [{ ip: '192.0.2.0/24' }]);
  await served.control.clock.advance(1_000);
  await served.inForce();
  const id = await ray();
  equal((await served.events()).at(-1)?.rayName, id);
});
