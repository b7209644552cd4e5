import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { CrashReplay } from './crash-replay.ts';
import { DiskImage, sectorBytes } from './disk-image.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { Random } from './random.ts';
import { SimulatedDisk } from './simulated-disk.ts';

function emptyDisk(): SimulatedDisk {
  return new SimulatedDisk({ image: DiskImage.empty('/disk') });
}

/** The states after 200 power cuts at the end of the log, each as text, without duplicates. */
function afterPowerCuts(disk: SimulatedDisk, look: (after: SimulatedDisk) => string): string[] {
  const replay = new CrashReplay(disk);
  replay.playTo(disk.log.length);
  const seen = Array.from({ length: 200 }, (_, number) =>
    look(new SimulatedDisk(replay.powerCut(Random.of(1, number)))),
  );
  return [...new Set(seen)].sort();
}

const names = (disk: SimulatedDisk): string => disk.readdirSync('/disk').join(' ');

test('SimulatedDisk behaves like a file system', async () => {
  const disk = emptyDisk();
  throws(() => disk.openSync('/disk/a', 'read'), { code: 'ENOENT' });
  throws(() => disk.openSync('/disk/no/a', 'create'), { code: 'ENOENT' });
  equal(disk.mkdirSync('/disk/d'), true);
  equal(disk.mkdirSync('/disk/d/../d'), false);
  const file = await disk.open('/disk/d/a', 'create');
  await rejects(disk.open('/disk/d/a', 'create'), { code: 'EEXIST' });
  file.writeSync(Buffer.from('world'), 5000);
  await file.write(Buffer.from('hello'), 4094);
  const target = Buffer.alloc(20);
  equal(await file.read(target, 4093), target.length);
  equal(target.toString('latin1', 0, 7), '\0hello\0');
  equal(await file.read(target, 5003), 2);
  file.truncateSync(4096);
  file.truncateSync(4100);
  equal(disk.readFile('/disk/d/a').toString('latin1', 4093), '\0he\0\0\0\0');
  disk.renameSync('/disk/d/a', '/disk/d/b');
  deepEqual(disk.readdirSync('/disk/d'), ['b']);
  equal(disk.openFiles, 1);
  file.closeSync();
  throws(() => file.sizeSync(), { code: 'EBADF' });
  throws(() => disk.openSync('/disk/d/b', 'read').writeSync(target, 0), { code: 'EBADF' });
});

test('SimulatedDisk loses and tears what was not synced, sector by sector, and keeps what was', async () => {
  const disk = emptyDisk();
  const file = disk.openSync('/disk/a', 'create');
  file.writeSync(Buffer.alloc(2 * sectorBytes, '0'), 0);
  await file.fdatasync();
  disk.fsyncDirectorySync('/disk');
  file.writeSync(Buffer.alloc(2 * sectorBytes, '1'), 0);
  const seen = afterPowerCuts(disk, (after) => {
    const bytes = after.readFile('/disk/a');
    return `${String.fromCharCode(bytes[0]!, bytes[sectorBytes - 1]!, bytes[sectorBytes]!, bytes.at(-1)!)}`;
  });
  deepEqual(seen, ['0000', '0011', '1100', '1111']);
});

test('SimulatedDisk keeps the length of a file apart from its bytes', () => {
  const disk = emptyDisk();
  disk.openSync('/disk/a', 'create').writeSync(Buffer.from('x'), 0);
  disk.fsyncDirectorySync('/disk');
  const seen = afterPowerCuts(disk, (after) => JSON.stringify(after.readFile('/disk/a').toString()));
  deepEqual(seen, ['""', '"\\u0000"', '"x"']);
});

test('SimulatedDisk counts a sync from when it returns, for what was done before it was called', async () => {
  const disk = emptyDisk();
  const file = disk.openSync('/disk/a', 'create');
  disk.fsyncDirectorySync('/disk');
  file.writeSync(Buffer.from('a'), 0);
  const synced = file.fdatasync();
  file.writeSync(Buffer.from('b'), 0);
  const look = (after: SimulatedDisk): string => after.readFile('/disk/a').toString();
  deepEqual(afterPowerCuts(disk, look), ['', '\0', 'a', 'b']);
  await synced;
  deepEqual(afterPowerCuts(disk, look), ['a', 'b']);
});

test('SimulatedDisk may lose names until their directory is synced, and renames all or nothing', async () => {
  const disk = emptyDisk();
  disk.openSync('/disk/old', 'create').closeSync();
  deepEqual(afterPowerCuts(disk, names), ['', 'old']);
  await disk.fsyncDirectory('/disk');
  deepEqual(afterPowerCuts(disk, names), ['old']);
  disk.renameSync('/disk/old', '/disk/new');
  deepEqual(afterPowerCuts(disk, names), ['new', 'old']);
  await disk.fsyncDirectory('/disk');
  disk.mkdirSync('/disk/d');
  disk.openSync('/disk/d/inside', 'create').closeSync();
  disk.fsyncDirectorySync('/disk/d');
  await disk.unlink('/disk/new');
  deepEqual(afterPowerCuts(disk, names), ['', 'd', 'd new', 'new']);
});

test('CrashReplay.kill leaves everything visible and nothing that was unsynced safe', () => {
  const disk = emptyDisk();
  disk.openSync('/disk/a', 'create').closeSync();
  const replay = new CrashReplay(disk);
  replay.playTo(disk.log.length);
  const after = new SimulatedDisk(replay.kill());
  equal(names(after), 'a');
  deepEqual(afterPowerCuts(after, names), ['', 'a']);
  after.fsyncDirectorySync('/disk');
  deepEqual(afterPowerCuts(after, names), ['a']);
});

test('FaultyFileSystem runs out of space in the middle of a write, and has it again after an unlink', async () => {
  const disk = emptyDisk();
  const fs = new FaultyFileSystem(disk);
  fs.freeBytes = 10;
  fs.openSync('/disk/a', 'create').writeSync(Buffer.alloc(8), 0);
  const file = fs.openSync('/disk/b', 'create');
  await rejects(file.write(Buffer.from('hello'), 0), { code: 'ENOSPC' });
  equal(disk.readFile('/disk/b').toString(), 'he');
  await fs.unlink('/disk/a');
  await file.write(Buffer.from('hello'), 0);
  equal(disk.readFile('/disk/b').toString(), 'hello');
  equal(fs.freeBytes, 5);
});

test('FaultyFileSystem fails the chosen operation on the chosen path, as often as told', async () => {
  const fs = new FaultyFileSystem(emptyDisk());
  const [a, b] = [fs.openSync('/disk/a', 'create'), fs.openSync('/disk/b', 'create')];
  fs.fail('sync', { code: 'EIO', path: '/b', after: 1, times: 2 });
  await a.fdatasync();
  await b.fdatasync();
  await rejects(b.fdatasync(), { code: 'EIO' });
  throws(() => b.fsyncSync(), { code: 'EIO' });
  b.fsyncSync();
  equal(fs.failures, 2);
});

test('Random repeats itself for the same seed and differs for another', () => {
  const draw = (random: Random): string => random.bytes(32).toString('hex');
  equal(draw(new Random(7)), draw(new Random(7)));
  ok(draw(Random.of(7, 1)) !== draw(Random.of(7, 2)));
  ok(draw(Random.of(7, 1)) !== draw(Random.of(8, 1)));
});
