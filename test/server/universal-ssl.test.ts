/** From a zone to its certificate at the edge, with an authority that checks the proof there. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIssuer } from '../certificates/read-issuer.ts';
import { readTlsProof } from '../certificates/read-tls-proof.ts';
import { TestAuthority } from '../certificates/test-authority.ts';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

test('gatehouse serve gets the certificate of a zone by itself, and its edge serves it', async (t) => {
  const directory = temporary(t);
  let edge = { host: '127.0.0.1', port: 0 };
  await using authority = await TestAuthority.listen({ findsAt: () => edge });
  writeFileSync(join(directory, 'trusted.pem'), authority.trusted);
  const args = [
    '--edge-https-port',
    '0',
    '--acme-directories',
    authority.directory,
    '--acme-trust',
    'trusted.pem',
  ];
  const { ready } = await Gatehouse.start(t, { directory, args });
  const { edge: plain, edge_https: secure } = ready as unknown as { edge: string; edge_https: string };
  edge = { host: '127.0.0.1', port: Number(new URL(plain).port) };
  const { id, name } = ready.zones[0]!;
  const call = async (path: string, init: RequestInit = {}): Promise<never> => {
    const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${ready.api}/zones/${id}/ssl/${path}`, { ...init, headers });
    return ((await answer.json()) as { result: never }).result;
  };
  const outside = await fetch(`${plain}/.well-known/acme-challenge/token`, { headers: { host: name } });
  equal(outside.status === 200, false, 'nothing is proven for a zone that does not want it');
  await call('universal/settings', { method: 'PATCH', body: JSON.stringify({ enabled: true }) });
  await eventually(async () => {
    const [pack] = (await call('certificate_packs?status=all')) as { status: string }[];
    return pack?.status === 'active';
  });
  await eventually(async () => (await readIssuer(secure, name)) === 'Test authority');
  // A connection with a name that is not a zone does not make the edge order anything.
  for (const other of ['stranger.example', `www.${name}.stranger.example`]) {
    await readIssuer(secure, other).catch(() => {});
    await fetch(`${plain}/.well-known/acme-challenge/token`, { headers: { host: other } });
  }
  deepEqual(
    authority.orders.map(({ names }) => names),
    [[name]],
  );
});

test('gatehouse serve proves names to an authority in TLS handshakes, by any of its processes, where port 80 is closed', async (t) => {
  const directory = temporary(t);
  let port = 0;
  await using authority = await TestAuthority.listen({
    findsAt: () => ({ host: '127.0.0.1', port: 9 }),
    findsTlsAt: () => ({ host: '127.0.0.1', port }),
  });
  writeFileSync(join(directory, 'trusted.pem'), authority.trusted);
  const { ready } = await Gatehouse.start(t, {
    directory,
    args: [
      ...['--acme-directories', authority.directory, '--acme-trust', 'trusted.pem'],
      ...['--edge-https-port', '0', '--allow-private-origins', 'true'],
    ],
    environment: { GATEHOUSE_EDGE_WORKERS: '2' },
  });
  const { edge_https: secure } = ready as unknown as { edge_https: string };
  port = Number(new URL(secure).port);
  // Both processes have the zone without a proof, and none is wanted.
  const where = { host: '127.0.0.1', port };
  const early = Array.from({ length: 4 }, () => readTlsProof(where, 'shop.test'));
  const { stdout, stderr } = await runCaptured(
    ...['protect', 'shop.test', '--origin', 'http://127.0.0.1:9', '--acme', 'you@example.com'],
    ...['--api', ready.api, '--token', ready.token!],
  );
  match(stdout, /^The certificate of shop\.test is in force, by Test authority until 20/m, stdout + stderr);
  // One order by HTTP, which failed, and one by TLS.
  deepEqual(
    authority.asked.filter((path) => path.startsWith('/challenge/')).map((path) => path.split('/').at(-1)),
    ['http', 'tls-alpn'],
  );
  await Promise.all(early);
  match(await readTlsProof(where, 'unknown.test'), /closed|disconnected|alert|ECONNRESET/);
  await eventually(async () => (await readIssuer(secure, 'shop.test')) === 'Test authority');
});

test('gatehouse serve tells operators, and nobody else, that an authority refuses a certificate', async (t) => {
  const directory = temporary(t);
  await using authority = await TestAuthority.listen({ findsAt: () => ({ host: '127.0.0.1', port: 9 }) });
  authority.faults.order = { type: 'rejectedIdentifier', detail: 'on a list of ours' };
  writeFileSync(join(directory, 'trusted.pem'), authority.trusted);
  const args = [
    '--admin-port',
    '0',
    '--acme-directories',
    authority.directory,
    '--acme-trust',
    'trusted.pem',
  ];
  const { ready } = await Gatehouse.start(t, { directory, args });
  const { admin } = ready as unknown as { admin: string };
  const { id, name } = ready.zones[0]!;
  const read = async (url: string): Promise<string> => (await fetch(url)).text();
  equal(await read(`${admin}/readyz`), 'ok\n');
  await fetch(`${ready.api}/zones/${id}/ssl/universal/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  });
  const warning = `warning: the certificate of ${name} has not been issued yet:`;
  await eventually(async () => (await read(`${admin}/readyz`)).startsWith(`ok\n${warning}`));
  match(await read(`${admin}/readyz`), /on a list of ours\n$/);
  match(await read(`${admin}/metrics`), /^gatehouse_certificates\{state="failing"\} 1$/m);
  equal(await read(new URL('/readyz', ready.api).href), 'ok\n');
});

test('gatehouse protect --acme waits for the certificate, or says what the authority has against it', async (t) => {
  const directory = temporary(t);
  let port = 0;
  await using authority = await TestAuthority.listen({ findsAt: () => ({ host: '127.0.0.1', port }) });
  writeFileSync(join(directory, 'trusted.pem'), authority.trusted);
  const { ready } = await Gatehouse.start(t, {
    directory,
    args: [
      ...['--acme-directories', authority.directory, '--acme-trust', 'trusted.pem'],
      ...['--edge-https-port', '0', '--allow-private-origins', 'true'],
    ],
  });
  port = Number(new URL((ready as unknown as { edge: string }).edge).port);
  const protect = (host: string) =>
    runCaptured(
      ...['protect', host, '--origin', 'http://127.0.0.1:9', '--acme', 'you@example.com'],
      ...['--api', ready.api, '--token', ready.token!],
    );
  const { code, stdout } = await protect('shop.test');
  equal(code, 0);
  match(stdout, /^\+ ordered a certificate for shop\.test\n/m);
  match(stdout, /^The certificate of shop\.test is in force, by Test authority until 20/m);
  const again = await protect('shop.test');
  match(again.stdout, /^= shop\.test already gets its certificate automatically\n/m);
  match(again.stdout, /^The certificate of shop\.test is in force/m);
  authority.faults.order = { type: 'rejectedIdentifier', detail: 'on a list of ours' };
  const refused = await protect('other.test');
  match(
    refused.stdout,
    /^There is no certificate for other\.test yet: .*on a list of ours\nThe next attempt is on 20/m,
  );
});
