/** `gatehouse serve --cluster`: several programs on one database, which are one firewall. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { call, type Outcome, PlainGatehouse, runCaptured } from '../../src/program/cli/testing.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { PostgresServer } from './postgres-server.ts';
import { type Answer, ServeHost, blockPath } from './serve-host.ts';

const password = 'not-to-be-shown';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

/** The server trusts every user, so any password does. */
async function createDatabase(): Promise<string> {
  const url = new URL(await postgres.createDatabase());
  url.password = password;
  return url.href;
}

/** The host that has the object of a zone. */
async function findOwner(url: string, zoneId: string): Promise<string> {
  const { pathname } = new URL(url);
  const [row] = await postgres.execute(
    `SELECT h.host FROM gatehouse.head h JOIN gatehouse.fact f USING (object) JOIN gatehouse.class c ON c.name = 'Zone'
      WHERE f.name = '${zoneId}'::bytea AND get_byte(h.object, 0) = c.number`,
    pathname.slice(1),
  );
  return String(row?.['host']);
}

test('gatehouse serve --cluster hands over without an error, and an edge is fed through the death of the host that fed it', async (t) => {
  await using origin = await TestOrigin.listen();
  const url = await createDatabase();
  const { host: first, program, said, data } = await ServeHost.start(t, url);
  const { token, zones } = first.ready;
  const { id, name } = zones.find(({ plan }) => plan === 'enterprise')!;
  await first.insist(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await first.insist(`POST /zones/${id}/firewall/rules`, blockPath('/one'));
  const owners = [await findOwner(url, id)];
  // Objects of a cluster are inspected through the host that has them, and restored there.
  const listed = await runCaptured('objects', 'list', 'Zone', '--json', '--data', data);
  deepEqual(
    listed.stdout.trim().split('\n').map((line) => (JSON.parse(line) as { name: string }).name),
    [id],
    listed.stderr,
  ); // prettier-ignore
  const [newest] = (await runCaptured('objects', 'history', 'Zone', id, '--data', data)).stdout.split(' ');
  const restored = await runCaptured('objects', 'restore', 'Zone', id, newest!, '--data', data);
  equal(restored.code, 0, restored.stderr);

  const { host: second, server } = await ServeHost.run(t, url, token);
  equal(second.ready.token, undefined);
  deepEqual(second.ready.zones, zones);
  await eventually(async () => (await second.visit(name)) === 200);
  equal(await second.visit(name, '/one'), 403);
  // Written through one host, in force at the edge of the other.
  await second.insist(`POST /zones/${id}/firewall/rules`, blockPath('/two'));
  for (const host of [first, second]) await eventually(async () => (await host.visit(name, '/two')) === 403);
  // Every host returns the events that one edge has recorded.
  const listRays = async (host: ServeHost): Promise<string[]> => {
    const events = await host.insist(`GET /zones/${id}/security/events?per_page=100`);
    return (events as { rayName: string }[]).map(({ rayName }) => rayName);
  };
  await eventually(async () => (await listRays(first)).length >= 3);
  deepEqual(await listRays(second), await listRays(first));

  // Whichever host is asked, the access logs of both edges are searched for what a rule would have matched; the same
  // holds for the effects of rules.
  equal(await first.visit(name, '/of-first'), 200);
  equal(await second.visit(name, '/of-second'), 200);
  for (const host of [first, second]) {
    const question = { expression: 'starts_with(http.request.uri.path, "/of-")' };
    await eventually(async () => {
      const preview = await host.insist(`POST /zones/${id}/security/rules/preview`, question);
      return preview.source === 'access log' && preview.matched === 2 && preview.newest.length === 2;
    });
    await eventually(async () => {
      const { rules } = await host.insist(`GET /zones/${id}/security/rules/effects`);
      const hits = rules.reduce((sum: number, rule: { hits: number }) => sum + rule.hits, 0);
      return hits >= 3 && hits === (await listRays(host)).length;
    });
  }

  // The host that has the zone leaves while it is written to through the other.
  const answers: Answer[] = [];
  const leaving = new AbortController();
  const write = (number: number): Promise<Answer> => {
    const filter = { expression: `http.request.uri.path eq "/${number}"` };
    return second.call(`POST /zones/${id}/filters`, [filter]);
  };
  const writing = (async () => {
    for (let number = 0; !leaving.signal.aborted; number++) answers.push(await write(number));
  })();
  await eventually(() => answers.length >= 3);
  await program.stop();
  leaving.abort();
  await writing;
  for (const { status, body } of answers) equal(status, 200, JSON.stringify(body));
  owners.push(await findOwner(url, id));

  const { host: third, said: saidLater } = await ServeHost.start(t, url, token);
  await eventually(async () => (await third.visit(name, '/two')) === 403);
  await server.end('SIGKILL');
  equal(await third.visit(name, '/two'), 403);
  equal(await third.visit(name), 200);
  await third.insist(`POST /zones/${id}/firewall/rules`, blockPath('/three'));
  await eventually(async () => (await third.visit(name, '/three')) === 403);
  equal(await third.visit(name, '/one'), 403);
  owners.push(await findOwner(url, id));
  equal(new Set(owners).size, 3);
  for (const text of [...said, ...saidLater, server.stdout, server.stderr])
    ok(!text.includes(password), text);
});

/** Runs a command in this process. */
async function run(command: string, ...args: string[]): Promise<Outcome> {
  const outcome = await runCaptured(...command.split(' '), ...args);
  ok(!`${outcome.stdout}${outcome.stderr}`.includes(password), command);
  return outcome;
}

/**
 * Starts a command and kills it when it requests an object that another holder keeps: the account, which comes last.
 */
async function killCommand(url: string, command: string, ...args: string[]): Promise<void> {
  const keeper = new pg.Client({ connectionString: url });
  await keeper.connect();
  await keeper.query(`BEGIN; SELECT 1 FROM gatehouse.head h JOIN gatehouse.class c ON c.number = get_byte(h.object, 0)
    WHERE c.name = 'Account' FOR UPDATE OF h`);
  const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...command.split(' '), ...args]);
  const exited = once(child, 'exit');
  await eventually(async () => {
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    return (await postgres.execute(waiting)).length > 0;
  }, 'the command waits for the account');
  child.kill('SIGKILL');
  deepEqual(await exited, [null, 'SIGKILL']);
  await keeper.end();
}

test('gatehouse cluster and gatehouse owner reset refuse a cluster that is served, and go on after they were killed', async (t) => {
  const url = await createDatabase();
  const { host, program, data } = await ServeHost.start(t, url);
  const { zones } = host.ready;
  const { id } = zones[0]!;
  await host.insist(`POST /zones/${id}/filters`, [{ expression: 'ip.src eq 192.0.2.1' }]);
  // Waits for the lease of the killed command to expire.
  const environment = { GATEHOUSE_CLUSTER: url, GATEHOUSE_CLUSTER_LEASE: '5s' };
  Object.assign(process.env, environment);
  t.after(() => Object.keys(environment).forEach((name) => delete process.env[name]));
  const again = join(temporary(t), 'data');
  const states = async (): Promise<string[]> => {
    const { hosts } = JSON.parse((await run('cluster status', '--json')).stdout);
    return (hosts as { state: string }[]).map(({ state }) => state).filter((state) => state !== 'dead');
  };
  deepEqual(await states(), ['serving']);
  match(
    (await run('cluster status')).stdout,
    /^cluster gatehouse-serve, .*\n\w+ {2}127\.0\.0\.1:\d+ {2}serving /,
  );
  // The host on a data directory knows its cluster; a command that gets neither does not.
  delete process.env['GATEHOUSE_CLUSTER'];
  match((await run('cluster status', '--data', data)).stdout, /serving/);
  match((await run('cluster status', '--data', again)).stderr, /no cluster given/);
  Object.assign(process.env, environment);
  for (const command of ['cluster export', 'owner reset']) {
    const { code, stderr } = await run(command, '--data', again);
    deepEqual([code, stderr.includes('is being served by 1 host: stop gatehouse serve')], [1, true], stderr);
  }
  deepEqual(await host.insist('GET /zones').then((found: unknown[]) => found.length), zones.length);
  await program.stop();

  deepEqual(await states(), []);
  const { stdout } = await run('owner reset');
  const [, token] = /^ {2}token {4}(\S+)$/m.exec(stdout)!;
  await killCommand(url, 'cluster export', '--data', again);
  const done = await run('cluster export', '--data', again);
  match(
    done.stdout,
    /^copied and compared \d+ objects \([1-9]\d* already present\) and 0 events\n$/,
    done.stderr,
  );
  const { host: outside } = await ServeHost.start(t, undefined, token, { directory: join(again, '..') });
  deepEqual(outside.ready.zones, zones);
  equal((await outside.insist(`GET /zones/${id}/filters`)).length, 1);
});

test('gatehouse dev --cluster keeps the objects of a project in the database, whichever program asks them', async (t) => {
  const url = await createDatabase();
  const directory = temporary(t);
  writeFileSync(
    join(directory, 'index.js'),
    `import { DurableObject } from 'cloudflare:workers';
     export class Counter extends DurableObject {
       async add() {
         const count = ((await this.ctx.storage.get('count')) ?? 0) + 1;
         await this.ctx.storage.put('count', count);
         return count;
       }
     }
     export default { fetch: async (request, { Counter }) => Response.json(await Counter.getByName('one').add()) };`,
  );
  const start = (data: string): PlainGatehouse => {
    const args = [
      'dev',
      join(directory, 'index.js'),
      '--cluster',
      url,
      '--persist-to',
      join(directory, data),
    ];
    return new PlainGatehouse(t, ...args);
  };
  const programs = [start('first'), start('second')];
  const counts: unknown[] = [];
  for (const program of programs) counts.push(await call(await program.url()));
  deepEqual(counts, [1, 2]);
  for (const program of programs) await program.end('SIGKILL');
});
