/**
 * A server is killed while objects move from one Worker to another and back, and while those of a directory are taken
 * over. After each restart every object belongs to one Worker, complete, with all acknowledged data.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connectOperator } from '#operator';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { KilledSite, kills } from './kill-settings.ts';
import { domain } from './upload-site.ts';

const names = Array.from({ length: 40 }, (_, index) => `object ${index}`);
const keys = 20;

/** Each object of either class is filled at once, and reports how much of its data it has: all or nothing. */
const code = `import { DurableObject } from 'cloudflare:workers';
  const keys = Array.from({ length: ${keys} }, (_, index) => 'key ' + index);
  export class Room extends DurableObject {
    fill(round) {
      this.ctx.storage.transactionSync(() => {
        this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (name TEXT PRIMARY KEY, round INTEGER)');
        for (const key of keys) this.ctx.storage.sql.exec('INSERT OR REPLACE INTO rows VALUES (?, ?)', key, round);
      });
    }
    told() {
      const { sql } = this.ctx.storage;
      if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length === 0) return [0, null, null];
      const { n, low, high } = sql.exec('SELECT count(*) AS n, min(round) AS low, max(round) AS high FROM rows').one();
      return [n, low, high];
    }
  }
  export class Note extends DurableObject {
    fill(round) { return this.ctx.storage.put(Object.fromEntries(keys.map((key) => [key, round]))); }
    async told() {
      const rounds = [...(await this.ctx.storage.list()).values()];
      return rounds.length === 0 ? [0, null, null] : [rounds.length, Math.min(...rounds), Math.max(...rounds)];
    }
  }
  const names = ${JSON.stringify(names)};
  export default {
    async fetch(request, env) {
      const { searchParams } = new URL(request.url);
      const objects = names.flatMap((name) => [env.ROOMS.getByName(name), env.NOTES.getByName(name)]);
      const round = searchParams.get('round');
      if (round !== null) await Promise.all(objects.map((object) => object.fill(Number(round))));
      return Response.json(await Promise.all(objects.map((object) => object.told())));
    },
  };`;
const bindings = [
  { type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' },
  { type: 'durable_object_namespace', name: 'NOTES', class_name: 'Note' },
];
const created = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Room'], new_classes: ['Note'] }] };
const classNames = ['Room', 'Note'];

const whole = (round: number): unknown[] => names.flatMap(() => [0, 1]).map(() => [keys, round, round]);

/** Queries a Worker about all of its objects; filled ones have the number of the round. */
async function tell({ site }: KilledSite, worker: string, path = '/'): Promise<unknown[]> {
  await eventually(
    async () => (await site.ask(`${worker}.${domain}`, path)).status === 200,
    `${worker} answers`,
  );
  return JSON.parse(await site.read(worker, path)) as unknown[];
}

async function deploy({ site }: KilledSite, worker: string, migrations: object): Promise<boolean> {
  return (await site.deploy(worker, { code, metadata: { bindings, migrations } })).success;
}

async function findOwners({ site }: KilledSite): Promise<string[]> {
  const { result } = await site.call('GET A/workers/durable_objects/namespaces?per_page=1000');
  const found = result as readonly { readonly script: string; readonly class: string }[];
  return classNames.map((each) => {
    const owners = found.filter(({ class: name }) => name === each);
    equal(owners.length, 1, `${each}: ${JSON.stringify(owners)}`);
    return owners[0]!.script;
  });
}

/** Starts the work, kills the server at a random moment of it, and restarts it. */
async function killDuring(killed: KilledSite, begin: () => Promise<unknown>, msMax: number): Promise<void> {
  const work = begin().catch(() => {});
  await Promise.race([work, delay(Math.random() * msMax)]);
  await killed.kill();
  await work;
  await killed.restart();
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

test(`objects that go to another Worker survive ${kills} kills: one of the two has all of them`, async (t) => {
  const killed = await KilledSite.start(t);
  const tags: Record<string, string | undefined> = {};
  let [owner, other] = ['a', 'b'];
  ok(await deploy(killed, owner, created));
  deepEqual(await tell(killed, owner, '/?round=0'), whole(0));
  const readTag = async (worker: string): Promise<string | undefined> => {
    const { result } = await killed.site.call(`GET A/workers/services/${worker}`);
    return result?.default_environment.script.migration_tag as string | undefined;
  };
  const take = async (round: number): Promise<boolean> => {
    const transferred = classNames.map((each) => ({ from: each, from_script: owner, to: each }));
    const tag = tags[other];
    const steps = [{ transferred_classes: transferred }];
    return await deploy(killed, other, {
      ...(tag === undefined ? {} : { old_tag: tag }),
      new_tag: `t${round}`,
      steps,
    });
  };
  tags[owner] = await readTag(owner);
  const msMax = (await measure(async () => ok(await take(0)))) * 1.2;
  [owner, other] = [other, owner];
  let moved = 0;
  for (let round = 1; round <= kills; round++) {
    for (const each of [owner, other]) tags[each] = await readTag(each);
    deepEqual(await tell(killed, owner, `/?round=${round}`), whole(round));
    await killDuring(killed, () => take(round), msMax);
    const owners = new Set(await findOwners(killed));
    equal(owners.size, 1, 'both classes go, or none');
    if (owners.has(other)) {
      [owner, other] = [other, owner];
      moved++;
    }
    deepEqual(await tell(killed, owner), whole(round), `round ${round}`);
  }
  t.diagnostic(
    `${moved} of ${kills} transfers were done when the server was killed, within ${Math.round(msMax)} ms`,
  );
});

/** The directory of a Worker that was run by itself. */
async function fillDirectory(t: TestContext): Promise<string> {
  const directory = temporary(t);
  mkdirSync(join(directory, 'project'));
  const config = {
    ...{ name: 'shop', main: 'index.js', compatibility_date: '2026-08-01' },
    durable_objects: { bindings: bindings.map(({ name, class_name }) => ({ name, class_name })) },
    migrations: [{ tag: 'v1', ...created.steps[0] }],
  };
  writeFileSync(join(directory, 'project', 'wrangler.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'project', 'index.js'), code);
  const { server, ready } = await Gatehouse.start(t, { command: 'run', directory, args: ['project'] });
  const answer = await fetch(`${(ready as unknown as { readonly url: string }).url}/?round=7`);
  deepEqual(await answer.json(), whole(7));
  await server.end('SIGTERM');
  return join(directory, 'data');
}

test(`objects of a directory are taken over by a server that is killed ${kills} times`, async (t) => {
  const source = await fillDirectory(t);
  const killed = await KilledSite.start(t);
  const moveIn = async (name: string): Promise<void> => {
    const client = (await connectOperator(join(killed.directory, 'data')))!;
    const input = { name, body: { directory: source } };
    for await (const { problem } of client.lines('POST', '/workers/{name}/objects', input))
      equal(problem, undefined);
  };
  ok(await deploy(killed, 'first', created));
  const msMax = (await measure(() => moveIn('first'))) * 1.2;
  deepEqual(await tell(killed, 'first'), whole(7));
  let [workers, worker, taken] = [1, 'first', whole(7).length];
  const partly: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    if (taken === whole(7).length) {
      worker = `worker-${++workers}`;
      taken = 0;
      ok(await deploy(killed, worker, created));
    }
    await killDuring(killed, () => moveIn(worker), msMax);
    const objects = (await tell(killed, worker)) as [number, number | null, number | null][];
    const filled = objects.filter(([count]) => count > 0);
    for (const each of filled) deepEqual(each, [keys, 7, 7], 'an object is there whole, or not at all');
    ok(filled.length >= taken, 'what was taken over stays');
    taken = filled.length;
    partly.push(taken);
  }
  await moveIn(worker);
  deepEqual(await tell(killed, worker), whole(7), 'the rest comes with the next run');
  t.diagnostic(`objects there after each kill, of ${whole(7).length}: ${partly.join(', ')}`);
});
