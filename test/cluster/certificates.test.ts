/** Certificates of a cluster: one order for a name, proven by any host, served by all. */
import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readIssuer } from '../certificates/read-issuer.ts';
import { TestAuthority } from '../certificates/test-authority.ts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { PostgresServer } from './postgres-server.ts';
import { ServeHost } from './serve-host.ts';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

test('three hosts of a cluster order one certificate, any of them answers the challenge, and all serve it', async (t) => {
  const hosts: ServeHost[] = [];
  let asked = 0;
  // Each name is looked for at another host.
  const find = (door: 'edge' | 'edge_https') => (): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: Number(new URL(hosts[asked++ % hosts.length]!.ready[door]).port),
  });
  await using authority = await TestAuthority.listen({
    findsAt: find('edge'),
    findsTlsAt: find('edge_https'),
  });
  const trusted = join(temporary(t), 'authority.pem');
  writeFileSync(trusted, authority.trusted);
  const flags = {
    'edge-https-port': '0',
    'acme-directories': authority.directory,
    'acme-trust': trusted,
  };
  const url = await postgres.createDatabase();
  for (let index = 0; index < 3; index++) {
    hosts.push((await ServeHost.start(t, url, hosts[0]?.ready.token, { flags })).host);
  }
  const { zones } = hosts[0]!.ready;
  for (const [index, way] of (['http', 'tls-alpn'] as const).entries()) {
    authority.faults.way = way;
    await getCertificate(hosts, zones[index]!);
    equal(authority.orders.length, index + 1, way);
  }
  equal(authority.accountCount, 1);
});

async function getCertificate(
  hosts: readonly ServeHost[],
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const names = [name, `www.${name}`, `shop.${name}`];
  const path = `/zones/${id}/ssl/universal/settings`;
  // Whichever host is asked, and however often, it is one order.
  await Promise.all(hosts.map((host) => host.insist(`PATCH ${path}`, { enabled: true, hosts: names })));
  for (const host of hosts) {
    for (const each of names) {
      await eventually(
        async () => (await readIssuer(host.ready.edge_https, each)) === 'Test authority',
        `${each} on a host`,
      );
    }
    const [pack] = await host.insist(`GET /zones/${id}/ssl/certificate_packs`);
    deepEqual([pack.status, pack.certificates[0].hosts], ['active', names]);
  }
}
