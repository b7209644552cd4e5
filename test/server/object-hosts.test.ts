/** `gatehouse serve` with its objects in two hosts: which effects the end of each of its processes has. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import Cloudflare from 'cloudflare';
import { eventually } from '../eventually.ts';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly body: any;
}

class Client {
  readonly #ready: ReadyFacts;

  constructor(ready: ReadyFacts) {
    this.#ready = ready;
  }

  async call(route: string, body?: unknown): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(`${this.#ready.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#ready.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async createZone(name: string): Promise<string> {
    const { body } = await this.call('POST /zones', { name, account: { id: this.#ready.account_id } });
    return body.result.id as string;
  }

  async createFilter(zoneId: string, number: number): Promise<boolean> {
    const filter = { expression: `http.request.uri.path eq "/${number}"` };
    const { status, body } = await this.call(`POST /zones/${zoneId}/filters`, [filter]);
    if (status === 200) return true;
    // Its process had ended, and it is unknown whether it was done.
    deepEqual([status, body.errors[0].code], [503, 10503]);
    return false;
  }

  async listFilters(zoneId: string): Promise<Set<string>> {
    const { status, body } = await this.call(`GET /zones/${zoneId}/filters?per_page=100`);
    equal(status, 200);
    return new Set((body.result as { expression: string }[]).map(({ expression }) => expression));
  }
}

/** The children of the program whose command has this prefix. */
function findChildren({ process: { pid } }: Gatehouse, command: string): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)/.exec(line))
    .filter((found) => found !== null && Number(found[2]) === pid && found[3]!.startsWith(command))
    .map((found) => Number(found![1]));
}

const filtersPerZone = 12;
const start = {
  args: ['--object-hosts', '2', '--edge-workers', '1', '--rate-limit', 'false', '--admin-port', '0'],
};

test('gatehouse serve loses nothing it has acknowledged, whichever of its processes is killed', async (t) => {
  const directory = temporary(t);
  const first = await Gatehouse.start(t, { directory, ...start });
  let client = new Client(first.ready);
  const zones: string[] = [];
  for (const number of [1, 2, 3, 4]) zones.push(await client.createZone(`hosts${number}.example`));
  const acknowledged = new Map(zones.map((zoneId) => [zoneId, new Set<string>()]));
  const write = async (zoneId: string, from: number): Promise<void> => {
    for (let number = from; number < from + filtersPerZone; number++) {
      if (await client.createFilter(zoneId, number))
        acknowledged.get(zoneId)!.add(`http.request.uri.path eq "/${number}"`);
    }
  };
  const check = async (): Promise<void> => {
    for (const [zoneId, expected] of acknowledged) {
      const present = await client.listFilters(zoneId);
      for (const expression of expected) ok(present.has(expression), `${expression} is lost`);
    }
  };

  const hosts = findChildren(first.server, 'gatehouse: object host');
  equal(hosts.length, 2);
  for (const [index, host] of hosts.entries()) {
    const writing = Promise.all(zones.map((zoneId) => write(zoneId, (index + 1) * 100)));
    await client.createFilter(zones[0]!, index);
    process.kill(host, 'SIGKILL');
    await writing;
    await check();
    await first.server.said(new RegExp(`object host ${index}.*has ended|has ended.*object host ${index}`));
  }
  // A host may happen to have none of the zones, so nothing has waited for it.
  await eventually(
    () =>
      findChildren(first.server, 'gatehouse: object host').filter((each) => !hosts.includes(each)).length ===
      2,
  );

  const [worker] = findChildren(first.server, 'gatehouse: edge worker');
  process.kill(worker!, 'SIGKILL');
  await check();
  await first.server.said(/edge worker 1.*has ended|has ended.*edge worker 1/);
  await eventually(() =>
    findChildren(first.server, 'gatehouse: edge worker').some((each) => each !== worker),
  );

  let metrics = '';
  await eventually(async () => {
    metrics = await (await fetch(`${first.ready.admin}/metrics`)).text();
    return /^gatehouse_object_hosts 2$/m.test(metrics);
  });
  match(metrics, /^gatehouse_object_host_ends_total\{reason="signal"\} 2$/m);
  equal((await fetch(`${first.ready.admin}/readyz`)).status, 200);

  const writing = Promise.allSettled(zones.map((zoneId) => write(zoneId, 400)));
  await client.createFilter(zones[0]!, 2);
  await first.server.end('SIGKILL');
  await writing;
  const second = await Gatehouse.start(t, { directory, ...start });
  client = new Client(second.ready);
  await check();

  const sdk = new Cloudflare({ apiToken: second.ready.token!, baseURL: second.ready.api, logLevel: 'off' });
  const zone_id = zones[0]!;
  const [created] = await Array.fromAsync(
    await sdk.filters.create({ zone_id, body: [{ expression: 'ip.src eq 192.0.2.9' }] as never }),
  );
  const { id } = created as { id: string };
  equal((await sdk.filters.get(id, { zone_id })).expression, 'ip.src eq 192.0.2.9');
  await sdk.filters.delete(id, { zone_id });
  const names = await Array.fromAsync(sdk.zones.list(), ({ name }) => name);
  ok(names.includes('hosts4.example'));

  const listed = await runCaptured('objects', 'list', 'Zone', '--data', join(directory, 'data'));
  for (const zoneId of zones) ok(listed.stdout.includes(zoneId), listed.stderr);

  // A backup of both hosts, brought up to date by the next one.
  const backup = join(directory, 'backup');
  for (const number of [500, 501]) {
    const { code, stderr } = await runCaptured('backup', backup, '--data', join(directory, 'data'));
    equal(code, 0, stderr);
    if (number === 500) await write(zones[1]!, number);
  }
  equal(await second.server.end('SIGTERM'), 0);

  // Another number of hosts moves everything.
  const third = await Gatehouse.start(t, {
    directory,
    args: ['--object-hosts', '1', '--rate-limit', 'false'],
  });
  client = new Client({ ...third.ready, token: first.ready.token! });
  await check();
  deepEqual(findChildren(third.server, 'gatehouse: object host'), []);
  equal(await third.server.end('SIGTERM'), 0);
});
