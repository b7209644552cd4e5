/** `gatehouse demo`, with a separate folder for temporary files. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openGeoDatabase } from '#edge';
import { describeDashboard } from '../../src/program/cli/commands/demo.ts';
import { Demo } from '../../src/program/cli/demo/demo.ts';
import { historyDays } from '../../src/program/cli/demo/history.ts';
import { findNetwork, writeCountries, writeSystems } from '../../src/program/cli/demo/networks.ts';
import { eventually } from '../eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demos-'));
const before = process.env['TMPDIR'];
process.env['TMPDIR'] = folder;
after(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true });
});

test('writeMmdb writes databases that the edge reads as MaxMind’s', async () => {
  writeFileSync(join(folder, 'countries.mmdb'), writeCountries());
  writeFileSync(join(folder, 'systems.mmdb'), writeSystems());
  const geo = await openGeoDatabase({
    city: join(folder, 'countries.mmdb'),
    asn: join(folder, 'systems.mmdb'),
  });
  for (const address of ['192.0.2.31', '192.0.2.33', '198.51.100.70', '203.0.113.9']) {
    const { country, asn, asnDescription } = geo.find(address);
    const { country: inCountry, asn: number, name } = findNetwork(address);
    deepEqual([country, asn, asnDescription], [inCountry, number, name]);
  }
  equal(geo.find('203.0.113.200').country, '');
  for (const name of ['countries', 'systems']) rmSync(join(folder, `${name}.mmdb`));
});

test('Demo has sites, weeks of events that can be explained, traffic that goes on, and leaves nothing', async () => {
  // Like the folder of a killed demo, and like that of a running one.
  const { pid: ended } = spawnSync('true');
  for (const [name, pid] of [
    ['killed', ended],
    ['running', process.pid],
  ] as const) {
    mkdirSync(join(folder, `gatehouse-demo-${name}`), { mode: 0o700 });
    const owner = `${pid}\n${readlinkSync('/proc/self/ns/pid')}\n`;
    writeFileSync(join(folder, `gatehouse-demo-${name}`, 'owner'), owner);
  }
  {
    await using demo = await Demo.start({ port: '0', edgePort: '0', onStep: () => {} });
    const { api, token } = demo.program.ready;
    const get = async (path: string): Promise<any> => {
      const answer = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const { success, result, errors } = (await answer.json()) as any;
      ok(success, JSON.stringify(errors));
      return result;
    };
    const zones = await get('/zones');
    deepEqual(zones.map(({ name }: { name: string }) => name).sort(), [
      'api.example',
      'blog.example',
      'shop.example',
    ]);
    const shop = zones.find(({ name }: { name: string }) => name === 'shop.example').id;
    const list = (query: string): Promise<any[]> => get(`/zones/${shop}/security/events?${query}`);
    const [oldest] = await list(`since=${historyDays}d&until=14d&limit=1`);
    const [newest] = await list('since=1d&limit=1');
    match(oldest.clientCountryName, /^[A-Z]{2}$/);
    const { sentence } = await get(`/zones/${shop}/security/events/${oldest.id}/explain`);
    match(sentence, /^[A-Z].+: /);
    const { totals } = await get(`/zones/${shop}/traffic?since=${historyDays}d`);
    ok(totals.requests > 100_000, String(totals.requests));
    // Attackers keep coming.
    await eventually(async () => (await list('since=1d&limit=1'))[0].id !== newest.id);
    match(demo.program.signInUrl ?? 'sign-in#', /sign-in#/);
  }
  deepEqual(readdirSync(folder), ['gatehouse-demo-running']);
});

test('gatehouse demo says how to build a page that is not built, and names no link to it', () => {
  const ready = { api: 'http://127.0.0.1:8443/client/v4' };
  const signInUrl = 'http://127.0.0.1:8443/sign-in#x';
  match(
    describeDashboard({ hasDashboard: true, signInUrl, ready }),
    /signs in once.*\n {2}http:.*sign-in#x$/,
  );
  const missing = describeDashboard({ hasDashboard: false, signInUrl: undefined, ready });
  match(missing, /^The dashboard is not built\..*\n {2}npm run demo$/);
  equal(missing.includes('http'), false);
});
