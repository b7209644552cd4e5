/**
 * One of everything in a cluster: its database is backed up under load as PostgreSQL does it, hosts start on the copy, and
 * every value is compared. `gatehouse backup` refuses a host, and says what to back up.
 */
import { equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { PostgresServer } from '../cluster/postgres-server.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { Everything, type ServedFacts, serveFlags } from './everything.ts';
import { startLoad } from './load.ts';
import { compareReadings } from './read-everything.ts';

let postgres: PostgresServer;
let copy: PostgresServer | undefined;
before(async () => {
  postgres = await PostgresServer.start();
});
after(async () => {
  await copy?.stop();
  await postgres.stop();
});

test('one of everything in a cluster is the same on a copy of its database', async (t) => {
  const url = await postgres.createDatabase();
  const start = async (cluster: string, token?: string) => {
    const directory = temporary(t);
    const environment = { GATEHOUSE_CLUSTER: cluster };
    const { server, ready } = await Gatehouse.start(t, { directory, args: serveFlags, environment });
    const facts = { ...ready, ...(token === undefined ? {} : { token }) } as ServedFacts & typeof ready;
    return { server, directory, facts };
  };
  const first = await start(url);
  const made = await Everything.make(first.facts, { hasFlow: false });
  const load = await startLoad(made.maker);
  const expected = await made.read();
  await load.rounds(3);
  const data = join(first.directory, 'data');
  const refused = await runCaptured('backup', join(first.directory, 'backup'), '--data', data);
  equal(refused.code, 1);
  match(refused.stderr, /cluster/);
  copy = await postgres.startFromBackup();
  await load.stop();
  equal(await first.server.end('SIGTERM'), 0);
  const second = await start(copy.urlOf(new URL(url).pathname.slice(1)), first.facts.token);
  compareReadings(await made.at(second.facts).read(), expected);
  equal(await second.server.end('SIGTERM'), 0);
});
