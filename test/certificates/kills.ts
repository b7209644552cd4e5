/**
 * Kills a server (kill -9) while it orders a certificate, once at each kind of request that the authority gets, and
 * starts it again: `npm run verify -- kills:certificates`. It gets its certificate each time, from the same order if
 * there was one.
 */
import { equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { readIssuer } from './read-issuer.ts';
import { TestAuthority } from './test-authority.ts';

const ways = ['http', 'tls-alpn'] as const;
/** The first segments of an authority's paths, in the sequence in which an order requests them. */
const steps = [
  ...['directory', 'account', 'new-order', 'authorization', 'challenge'],
  ...['order', 'finalize', 'certificate', 'renewal'],
];

describe('kill -9 while a certificate is ordered', { concurrency: 4 }, () => {
  for (const way of ways)
    for (const step of steps)
      test(`${way}-01, at the first request for ${step}`, async (t) => await killAt(t, way, step));
});

async function killAt(t: TestContext, way: (typeof ways)[number], step: string): Promise<void> {
  const directory = temporary(t);
  const ports = { edge: 0, edge_https: 0 };
  await using authority = await TestAuthority.listen({
    findsAt: () => ({ host: '127.0.0.1', port: ports.edge }),
    findsTlsAt: () => ({ host: '127.0.0.1', port: ports.edge_https }),
  });
  authority.faults.way = way;
  writeFileSync(join(directory, 'trusted.pem'), authority.trusted);
  const serve = async (): Promise<Awaited<ReturnType<typeof Gatehouse.start>>> => {
    const started = await Gatehouse.start(t, {
      directory,
      args: [
        ...['--edge-https-port', '0', '--acme-directories', authority.directory],
        ...['--acme-trust', 'trusted.pem'],
      ],
    });
    const urls = started.ready as unknown as Record<keyof typeof ports, string>;
    for (const door of ['edge', 'edge_https'] as const) ports[door] = Number(new URL(urls[door]).port);
    return started;
  };
  const { server, ready } = await serve();
  let wasKilled = false;
  authority.faults.onRequest = (path) => {
    if (wasKilled || path.split('/')[1] !== step) return;
    wasKilled = true;
    server.process.kill('SIGKILL');
  };
  const { id, name } = ready.zones[0]!;
  await fetch(`${ready.api}/zones/${id}/ssl/universal/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  });
  await server.exited;
  ok(wasKilled);
  await serve();
  // An interrupted order is continued after a minute.
  const url = `https://127.0.0.1:${ports.edge_https}`;
  await eventually(async () => (await readIssuer(url, name)) === 'Test authority', step);
  // An order is placed again only if its address never arrived, or if it failed because the name was not proven.
  const isLost = step === 'new-order' || step === 'challenge';
  equal(authority.orders.length, isLost ? 2 : 1);
}
