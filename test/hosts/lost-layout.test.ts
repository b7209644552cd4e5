/**
 * A start never removes folders with objects because the file that names them is missing, damaged or outdated: the file
 * is restored from its copy, or the directory is not opened, with a message that says what to do.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLog } from '#base';
import { createHosts, openRecorded } from '#hosts';
import { createRuntime } from '#objects';
import { classes } from './objects.ts';
import './quick-start.ts';

const module = new URL('./objects.ts', import.meta.url);
const names = ['a', 'b', 'c', 'd', 'e'];

interface Opened {
  readonly directory: string;
  readonly lines: string[];
  /** Starts hosts and returns the contents of each object. */
  read(hosts?: number): Promise<unknown[]>;
}

async function fill(t: TestContext): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-lost-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const lines: string[] = [];
  const log = createLog({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  await using hosts = await createHosts({ directory, hosts: 2, module, log });
  for (const name of names) await hosts.namespace('Probe').getByName(name).put('key', name);
  return {
    directory,
    lines,
    async read(count = 2) {
      await using again = await createHosts({ directory, hosts: count, module, log });
      return await Promise.all(names.map((name) => again.namespace('Probe').getByName(name).get('key')));
    },
  };
}

test('createHosts remakes hosts.json from its copy, and says so', async (t) => {
  const { directory, lines, read } = await fill(t);
  const path = join(directory, 'hosts.json');
  for (const damage of [
    () => rmSync(path),
    () => writeFileSync(path, ''),
    () => writeFileSync(path, readFileSync(path, 'utf8').replace('"first":0', '"first":4')),
    () => writeFileSync(path, readFileSync(path, 'utf8').replace('"first":0', '"first":1')),
    () => rmSync(`${path}.copy`),
  ]) {
    damage();
    lines.length = 0;
    assert.deepEqual(await read(), names, String(damage));
    assert.match(
      lines.join(''),
      /hosts\.json(?:\.copy)? is (?:missing|damaged): written again/,
      String(damage),
    );
  }
  lines.length = 0;
  assert.deepEqual(await read(), names);
  assert.deepEqual(lines, [], 'once');
});

test('createHosts refuses a directory whose hosts.json and its copy are lost, and changes nothing in it', async (t) => {
  const { directory, read } = await fill(t);
  const path = join(directory, 'hosts.json');
  const content = readFileSync(path, 'utf8');
  for (const damage of [
    () => [path, `${path}.copy`].forEach((file) => rmSync(file, { force: true })),
    () =>
      [path, `${path}.copy`].forEach((file) =>
        writeFileSync(file, content.replace('"first":0', '"first":4')),
      ),
  ]) {
    damage();
    const before = readdirSync(directory, { recursive: true }).toSorted();
    for (const hosts of [2, 1, 3])
      await assert.rejects(read(hosts), {
        code: 'HOSTS_FILE_DAMAGED',
        message: /found: host-0, host-1\).*Put back/s,
      });
    await assert.rejects(openRecorded({ directory }), { code: 'HOSTS_FILE_DAMAGED' });
    await assert.rejects(createRuntime({ directory, classes }), { code: 'HOSTS_MISMATCH' });
    assert.deepEqual(readdirSync(directory, { recursive: true }).toSorted(), before);
  }
  // Following the message helps.
  rmSync(`${path}.copy`);
  writeFileSync(path, '{"hosts": 2, "first": 0}\n');
  assert.deepEqual(await read(), names);
});

test('createHosts opens a directory of version 0.1.0, and sets aside what an interrupted move of it has left', async (t) => {
  const { directory, lines, read } = await fill(t);
  rmSync(join(directory, 'hosts.json.copy'));
  writeFileSync(join(directory, 'hosts.json'), '{"hosts":2,"first":0}\n');
  cpSync(join(directory, 'host-1'), join(directory, 'host-2'), { recursive: true });
  assert.deepEqual(await read(), names);
  assert.match(
    lines.join(''),
    /host-2 does not count as a folder of objects: set aside as host-2\.set-aside-\d+/,
  );
  assert.equal(readdirSync(directory).filter((name) => /^host-2\.set-aside-\d+$/.test(name)).length, 1);
  assert.equal(existsSync(join(directory, 'host-2')), false);
});

test('createHosts removes nothing for a hosts.json of yesterday that names other folders', async (t) => {
  const { directory, read } = await fill(t);
  const yesterday = readFileSync(join(directory, 'hosts.json'));
  assert.deepEqual(await read(3), names);
  for (const name of ['hosts.json', 'hosts.json.copy']) writeFileSync(join(directory, name), yesterday);
  await assert.rejects(read(3), { code: 'HOST_FOLDER_MISSING', message: /host-0 is missing or has no log/ });
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('host-')),
    ['host-2', 'host-3', 'host-4'],
  );
});

test('createHosts and openRecorded miss the folder of a host, and do not begin an empty one', async (t) => {
  const { directory, read } = await fill(t);
  for (const lost of ['host-1', 'host-1/journal']) {
    const aside = join(directory, 'aside');
    renameSync(join(directory, lost), aside);
    await assert.rejects(read(), { code: 'HOST_FOLDER_MISSING' }, lost);
    await assert.rejects(openRecorded({ directory }), { code: 'HOST_FOLDER_MISSING' }, lost);
    assert.equal(existsSync(join(directory, lost)), false);
    renameSync(aside, join(directory, lost));
  }
  assert.deepEqual(await read(), names);
});

test('createRuntime refuses a directory all of whose log is gone', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-lost-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await (await createRuntime({ directory, classes, log: () => {} })).close();
  for (const name of readdirSync(join(directory, 'journal'))) rmSync(join(directory, 'journal', name));
  for (let attempt = 0; attempt < 2; attempt++)
    await assert.rejects(createRuntime({ directory, classes, log: () => {} }), {
      code: 'JOURNAL_DAMAGED',
      message: /all files of the log are missing/,
    });
});
