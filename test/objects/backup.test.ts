/** A copy of a whole directory, made while objects write, and its restore. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backUp, createDirectoryHandlers, openAccess, openDoor, restoreBackup } from '#operator';
import { type BackupPart, createRuntime } from '#objects';
import { type House, openHouse, Probe, run, temporaryDirectory } from './harness.ts';

const classes = { kv: { class: Probe, storage: 'kv' }, sql: { class: Probe, storage: 'sql' } } as const;

async function listen(t: TestContext, house: House, parts: readonly BackupPart[] = []): Promise<void> {
  const { directory, runtime, clock } = house;
  const door = await openDoor({
    directory,
    handlers: createDirectoryHandlers({ directory, runtime, parts, clock }),
    onError: (error) => ok(false, String(error)),
    warn: (message) => ok(false, message),
  });
  t.after(() => door!.close());
}

async function backUpTo({ directory }: House, to: string) {
  await using access = await openAccess({ directory, mode: 'look' });
  return await backUp(access, { to });
}

/** The contents of a directory's objects, read by their own code. */
async function contents(directory: string, names: readonly string[]): Promise<unknown[]> {
  await using runtime = await createRuntime({ directory, classes, log: () => {} });
  const found: unknown[] = [];
  for (const name of names) {
    const [className] = name.split(' ');
    const stub = runtime.namespace(className!).getByName(name);
    found.push(await run(stub, async ({ storage }) => [...(await storage.list<number>()).values()]));
  }
  for await (const damage of runtime.scrub()) throw new Error(JSON.stringify(damage));
  return found;
}

/** By now, retention has removed the oldest file of the log. */
function requireLostBeginning({ directory }: House): void {
  const [oldest] = readdirSync(join(directory, 'journal')).sort();
  ok(oldest! > '0000000000000008.log', String(oldest));
}

const names = ['sql a', 'sql b', 'kv a'];

async function put(house: House, value: number): Promise<void> {
  for (const name of names) {
    const stub = house.stub(name, name.split(' ')[0]);
    await run(stub, ({ storage }) => storage.put(`key ${value}`, value));
  }
}

test('backUp copies a directory as of one position, while objects go on writing', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  writeFileSync(join(house.directory, 'gatehouse.json'), '{}\n');
  mkdirSync(join(house.directory, 'tls'));
  writeFileSync(join(house.directory, 'tls/ca.crt'), 'certificate');
  for (let value = 1; value <= 3; value++) await put(house, value);
  const copy = { isDone: false };
  const counter = house.stub('sql counter', 'sql');
  const log = house.stub('kv counter', 'kv');
  const writing = (async () => {
    for (let value = 1; !copy.isDone; value++) {
      await run(counter, ({ storage }) => storage.put('value', value));
      await run(log, ({ storage }) => storage.put('value', value));
    }
  })();
  const { files, copied } = await backUpTo(house, join(folder, 'backup'));
  copy.isDone = true;
  await writing;
  ok(files >= 4 && copied > 0, `${files} files, ${copied} bytes`);
  const to = join(folder, 'restored');
  const { lost } = await restoreBackup({ backup: join(folder, 'backup'), to });
  deepEqual(lost, []);
  equal(readFileSync(join(to, 'tls/ca.crt'), 'utf8'), 'certificate');
  equal(statSync(join(to, 'tls/ca.crt')).mode & 0o777, 0o600);
  equal(existsSync(join(to, 'operator.sock')), false);
  const [a, b, c, first, second] = await contents(to, [...names, 'sql counter', 'kv counter']);
  deepEqual(
    [a, b, c],
    [
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ],
  );
  // One moment: the second is written after the first, so it is never ahead and at most one behind.
  const behind = Number((first as number[])[0] ?? 0) - Number((second as number[])[0] ?? 0);
  ok(behind === 0 || behind === 1, String(behind));
});

test('backUp brings an earlier backup up to date by copying only what is new', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  const large = 'x'.repeat(100_000);
  for (let value = 0; value < 20; value++) {
    await run(house.stub('sql large'), ({ storage }) => storage.put(`key ${value}`, large));
  }
  await put(house, 1);
  const first = await backUpTo(house, join(folder, 'backup'));
  ok(first.copied > 2_000_000, String(first.copied));
  await put(house, 2);
  const second = await backUpTo(house, join(folder, 'backup'));
  ok(second.position > first.position);
  ok(second.copied < 100_000, String(second.copied));
  await restoreBackup({ backup: join(folder, 'backup'), to: join(folder, 'restored') });
  deepEqual(await contents(join(folder, 'restored'), names), [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  const third = await backUpTo(house, join(folder, 'backup'));
  equal(third.files, second.files);
});

test('backUp leaves the earlier backup valid until the next one is complete', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  await put(house, 1);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  await put(house, 2);
  const list = readFileSync(join(backup, 'backup.jsonl'));
  await backUpTo(house, backup);
  // As if the process had been killed just before it replaced the list.
  writeFileSync(join(backup, 'backup.jsonl'), list);
  await restoreBackup({ backup, to: join(folder, 'restored') });
  deepEqual(await contents(join(folder, 'restored'), names), [[1], [1], [1]]);
});

test('restoreBackup goes back to a moment, and the directory goes on from there', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  const times: number[] = [];
  for (let value = 1; value <= 4; value++) {
    await put(house, value);
    times.push(house.clock.now());
    await house.clock.advance(60_000);
  }
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  for (const [index, time] of times.entries()) {
    const to = join(folder, `restored-${index}`);
    const { time: last, lost } = await restoreBackup({ backup, to, time: time + 30_000 });
    deepEqual([last, lost], [time, []]);
    const expected = [1, 2, 3, 4].slice(0, index + 1);
    deepEqual(await contents(to, names), [expected, expected, expected]);
  }
  await rejects(
    restoreBackup({ backup, to: join(folder, 'too-early'), time: times[0]! - 1_000_000 }),
    /the log starts later/,
  );
  equal(existsSync(join(folder, 'too-early')), false);
  await rejects(
    restoreBackup({ backup, to: join(folder, 'too-late'), time: house.clock.now() + 60_000 }),
    /the backup ends at .*, before/,
  );
});

test('restoreBackup goes back along the history of SQL objects when the log has lost its beginning', async (t) => {
  const day = 86_400_000;
  const house = await openHouse(t, { retentionMs: 2 * day, segmentBytes: 32 * 1024 });
  const folder = temporaryDirectory(t);
  await listen(t, house);
  const object = house.stub('sql a');
  const times: number[] = [];
  for (let value = 1; value <= 8; value++) {
    await run(object, async ({ storage }) => {
      await storage.put('filler', `${value}`.repeat(20_000));
      await storage.put('value', value);
      await storage.setAlarm(house.clock.now() + 100 * day + value);
    });
    if (value === 6) await run(house.stub('sql late'), ({ storage }) => storage.put('value', value));
    times.push(house.clock.now());
    await house.clock.advance(day / 2);
  }
  requireLostBeginning(house);
  await house.reopen();
  await listen(t, house);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  for (const value of [5, 6, 7, 8]) {
    const to = join(folder, `restored-${value}`);
    const { lost } = await restoreBackup({ backup, to, time: times[value - 1]! + 1_000 });
    deepEqual(lost, []);
    await using runtime = await createRuntime({ directory: to, classes, log: () => {} });
    const read = async (name: string): Promise<unknown> =>
      await run(runtime.namespace('sql').getByName(name), async ({ storage }) => [
        await storage.get('value'),
        await storage.getAlarm(),
      ]);
    deepEqual(await read('sql a'), [value, times[value - 1]! + 100 * day + value]);
    deepEqual(await read('sql late'), [value < 6 ? undefined : 6, null]);
    for await (const damage of runtime.scrub()) throw new Error(JSON.stringify(damage));
  }
});

test('restoreBackup says so when key-value data cannot go back', async (t) => {
  const day = 86_400_000;
  const house = await openHouse(t, { retentionMs: 2 * day, segmentBytes: 32 * 1024 });
  const folder = temporaryDirectory(t);
  await listen(t, house);
  for (let value = 1; value <= 12; value++) {
    await run(house.stub('kv a', 'kv'), ({ storage }) => storage.put('filler', `${value}`.repeat(20_000)));
    await house.clock.advance(day / 2);
  }
  requireLostBeginning(house);
  await house.reopen();
  await listen(t, house);
  await backUpTo(house, join(folder, 'backup'));
  await rejects(
    restoreBackup({
      backup: join(folder, 'backup'),
      to: join(folder, 'to'),
      time: house.clock.now() - day / 2 - 1,
    }),
    /objects of class kv have key-value storage, which keeps no history/,
  );
});

test('backUp asks the parts that keep other files what belongs to this moment', async (t) => {
  const house = await openHouse(t);
  const { directory } = house;
  const folder = temporaryDirectory(t);
  mkdirSync(join(directory, 'log'));
  writeFileSync(join(directory, 'log/lines'), 'whole line\nhalf a li');
  writeFileSync(join(directory, 'log/passing'), 'not needed');
  writeFileSync(join(directory, 'note'), 'claimed by nobody');
  const held: string[] = [];
  const part: BackupPart = {
    names: ['log'],
    async hold() {
      held.push('held');
      const file = { path: 'log/lines', bytes: 'whole line\n'.length, stamp: 'log 1' };
      return { files: [file], bytes: file.bytes, [Symbol.dispose]: () => void held.push('released') };
    },
  };
  await listen(t, house, [part]);
  await put(house, 1);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  deepEqual(held, ['held', 'released']);
  await restoreBackup({ backup, to: join(folder, 'to') });
  const read = (path: string): string => readFileSync(join(folder, 'to', path), 'utf8');
  deepEqual([read('log/lines'), read('note')], ['whole line\n', 'claimed by nobody']);
  equal(existsSync(join(folder, 'to/log/passing')), false);
});

test('backUp keeps out of the directory that it copies, and leaves alone what others put into its folder', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  await put(house, 1);
  await rejects(backUpTo(house, join(house.directory, 'backup')), /inside the directory to be copied/);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  writeFileSync(join(backup, 'letter.txt'), 'mine');
  writeFileSync(join(backup, 'journal/00000000.tmp'), 'left by a backup that was interrupted');
  await backUpTo(house, backup);
  equal(readFileSync(join(backup, 'letter.txt'), 'utf8'), 'mine');
  equal(existsSync(join(backup, 'journal/00000000.tmp')), false);
});

test('backUp refuses a folder with a backup of another history', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  await put(house, 1);
  const moment = house.clock.now();
  await house.clock.advance(60_000);
  await put(house, 2);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  const restored = join(folder, 'restored');
  await restoreBackup({ backup, to: restored, time: moment + 1 });
  await using access = await openAccess({ directory: restored, mode: 'look' });
  await rejects(backUp(access, { to: backup }), { code: 'BACKUP_OF_ANOTHER_HISTORY' });
  // The earlier contents can still be restored.
  await restoreBackup({ backup, to: join(folder, 'again') });
  deepEqual(await contents(join(folder, 'again'), names), [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/letter.txt'), '');
  await rejects(backUp(access, { to: join(folder, 'other') }), /has other content \(letter.txt/);
});

test('restoreBackup refuses a damaged backup and a directory that is not empty, and leaves nothing half done', async (t) => {
  const house = await openHouse(t);
  const folder = temporaryDirectory(t);
  await listen(t, house);
  await put(house, 1);
  const backup = join(folder, 'backup');
  await backUpTo(house, backup);
  await rejects(restoreBackup({ backup, to: folder }), /is not empty/);
  await rejects(restoreBackup({ backup: folder, to: join(folder, 'to') }), /there is no backup in/);
  const [segment] = readdirSync(join(backup, 'journal'));
  const damage = async (change: (copy: string) => void, message: RegExp): Promise<void> => {
    const copy = join(folder, 'copy');
    cpSync(backup, copy, { recursive: true });
    change(copy);
    await rejects(restoreBackup({ backup: copy, to: join(folder, 'to') }), message);
    equal(existsSync(join(folder, 'to')), false);
    rmSync(copy, { recursive: true });
  };
  const file = join('journal', segment!);
  await damage((copy) => rmSync(join(copy, file)), /it is missing: .*journal/);
  await damage((copy) => {
    const bytes = readFileSync(join(copy, file));
    bytes[100]! ^= 1;
    writeFileSync(join(copy, file), bytes);
  }, /its checksum does not match/);
  await damage((copy) => writeFileSync(join(copy, file), 'short'), /it has 5 bytes instead of/);
  await damage((copy) => {
    const list = join(copy, 'backup.jsonl');
    writeFileSync(list, readFileSync(list, 'utf8').replace('journal/', '../journal/'));
  }, /a line is not valid/);
  match(readFileSync(join(backup, 'backup.jsonl'), 'utf8'), /^\{"gatehouse_backup":1,/);
});
