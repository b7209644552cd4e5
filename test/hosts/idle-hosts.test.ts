/** Hosts that are not needed yet: a program without objects does not wait for them, and has none. */
import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { createLog } from '#base';
import { createHosts, type ObjectHosts } from '#hosts';
import './quick-start.ts';

const module = new URL('./objects.ts', import.meta.url);

async function open(t: TestContext, directory: string): Promise<ObjectHosts> {
  const log = createLog({ level: 'warn', format: 'text', write: (line) => t.diagnostic(line) });
  const hosts = await createHosts({ directory, hosts: 2, module, log, hasClasses: false });
  t.after(() => hosts.close());
  return hosts;
}

const directories: string[] = [];

after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-idle-'));
  directories.push(directory);
  return directory;
}

test('createHosts starts no process for a module without classes until it is asked something', async (t) => {
  const directory = createDirectory();
  const hosts = await open(t, directory);
  deepEqual([hosts.pids, hosts.classNames, hosts.stats().journalBytes], [[], [], 0]);
  const alarms: unknown[] = [];
  for await (const each of hosts.alarms()) alarms.push(each);
  deepEqual(alarms, []);
  equal(hosts.pids.length, 2);
});

test('createHosts starts the processes for the first version that has classes', async (t) => {
  const directory = createDirectory();
  const hosts = await open(t, directory);
  await hosts.reload(undefined, { hasClasses: false });
  deepEqual(hosts.pids, []);
  await hosts.reload(undefined);
  equal(await hosts.namespace<{ increment(): Promise<number> }>('Probe').getByName('a').increment(), 1);
  await hosts.close();
  // There are objects now, whose alarms and history need processing.
  const again = await open(t, directory);
  equal(again.pids.length, 2);
  equal(existsSync(join(directory, 'host-0', 'journal')), true);
});
