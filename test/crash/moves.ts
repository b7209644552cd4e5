/**
 * Crashes of a move of objects to other numbers of hosts, on a simulated disk. After each, the directory is moved once
 * more, to a number of hosts that depends on the seed, and every book must be unchanged, and in one place.
 */
import { deepEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '#base';
import { arrangeDirectory, placeObject } from '#hosts';
import { CrashReplay } from '../faults/crash-replay.ts';
import { exploreCrashes } from '../faults/crash-explorer.ts';
import { DiskImage } from '../faults/disk-image.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import { Random } from '../faults/random.ts';
import { SimulatedDisk } from '../faults/simulated-disk.ts';
import type { Pages } from './book.ts';
import { bookClasses, bookNames, bookOf } from './library.ts';
import { removeFiles } from './remove-files.ts';
import { RuntimeLife } from './runtime-life.ts';
import { RuntimeSet } from './runtime-set.ts';

/** Small, so that the logs of a move have several files. */
const segmentBytes = 64 * 1024;

/** The numbers of hosts that the objects are moved through; 0 is one process. */
const counts = [2, 3, 0];

export async function exploreMoves({ seed, states }: { seed: number; states: number }): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-move-'));
  const directory = join(parent, 'data');
  try {
    const first = new SimulatedDisk({ image: DiskImage.empty(parent) }, { seed });
    await new RuntimeLife({ disk: first, directory, random: new Random(seed) }).run({
      steps: 80,
      faults: false,
    });
    const books = await readBooks(directory, first, 0);
    const recorded = continueOn(first, seed);
    for (const hosts of counts) await arrange(directory, recorded, hosts);
    deepEqual(await readBooks(directory, recorded, 0), books);
    await exploreCrashes({
      recorded,
      states,
      seed,
      check: async ({ disk, random }) => {
        const hosts = random.below(4);
        await arrange(directory, disk, hosts);
        deepEqual(await readBooks(directory, disk, hosts), books);
      },
    });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Moves on a disk that refuses one write: the objects stay where they are, and no files of the move remain. */
export async function refuseMoves({ seed, moves }: { seed: number; moves: number }): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-move-'));
  const directory = join(parent, 'data');
  try {
    const first = new SimulatedDisk({ image: DiskImage.empty(parent) }, { seed });
    await new RuntimeLife({ disk: first, directory, random: new Random(seed) }).run({
      steps: 40,
      faults: false,
    });
    const books = await readBooks(directory, first, 0);
    for (let after = 0; after < moves; after++) {
      const disk = continueOn(first, seed);
      const fs = new FaultyFileSystem(disk);
      fs.fail('write', { code: 'ENOSPC', path: '/host-', after });
      const removeFolder = (path: string): void => removeFiles(disk, path);
      await rejects(arrangeDirectory({ directory, hosts: 2, fs, segmentBytes, removeFolder }), /ENOSPC/);
      deepEqual(
        listFiles(disk, directory).filter((path) => path.includes('host')),
        [],
      );
      deepEqual(await readBooks(directory, disk, 0), books);
    }
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function listFiles(fs: SimulatedDisk, folder: string): string[] {
  return fs.readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      return listFiles(fs, path);
    } catch {
      return [path];
    }
  });
}

/** A copy of another disk, which records only later operations. */
function continueOn(disk: SimulatedDisk, seed: number): SimulatedDisk {
  const replay = new CrashReplay(disk);
  replay.playTo(disk.log.length);
  return new SimulatedDisk(replay.kill(), { seed });
}

function arrange(directory: string, fs: SimulatedDisk, hosts: number): ReturnType<typeof arrangeDirectory> {
  return arrangeDirectory({
    directory,
    hosts,
    fs,
    segmentBytes,
    removeFolder: (path) => removeFiles(fs, path),
  });
}

/**
 * The contents of the books, read by the runtimes of this many hosts; each must be in exactly one of them, the one that
 * its id determines.
 */
async function readBooks(
  directory: string,
  fs: SimulatedDisk,
  hosts: number,
): Promise<ReadonlyMap<string, Pages>> {
  const options = { classes: bookClasses, fs, clock: new VirtualClock(), segmentBytes };
  await using opened = await RuntimeSet.open(directory, hosts, options);
  const { runtimes } = opened;
  const found = new Set<string>();
  for (const [place, runtime] of runtimes.entries()) {
    for (const className of runtime.classNames) {
      for await (const { id, name } of runtime.objects(className)) {
        deepEqual(
          [name, found.has(name!), placeObject(id.toString(), runtimes.length)],
          [name, false, place],
        );
        found.add(name!);
      }
    }
  }
  const books = new Map<string, Pages>();
  for (const name of bookNames) books.set(name, await bookOf(opened, name).look());
  return books;
}
