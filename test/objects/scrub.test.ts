/** A scrub reads bounded pieces, and objects are served between them. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type FileSystem, type OpenFile, realFileSystem } from '#files';
import { openHouse, run, turn } from './harness.ts';

const megabyte = 1024 * 1024;

/** Counts the bytes that are read, synchronously or not. */
class CountingDisk {
  bytes = 0;
  readonly fs: FileSystem = new Proxy(realFileSystem, {
    get: (target, name, receiver) => {
      if (name === 'open') {
        return async (...args: Parameters<FileSystem['open']>) => this.#count(await target.open(...args));
      }
      if (name === 'openSync') {
        return (...args: Parameters<FileSystem['openSync']>) => this.#count(target.openSync(...args));
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });

  #count(file: OpenFile): OpenFile {
    return new Proxy(file, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: [Uint8Array]) => {
          if (name === 'read' || name === 'readSync') this.bytes += args[0].length;
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  }
}

test('runtime.scrub reads at most a few megabytes in a turn, and objects answer meanwhile', async (t) => {
  const disk = new CountingDisk();
  const house = await openHouse(t, { fs: disk.fs, segmentBytes: 8 * megabyte });
  const noise = Buffer.alloc(100_000, 'abcdefg');
  for (let value = 0; value < 300; value++) {
    await run(house.stub('sql large'), ({ storage }) => storage.put(`key ${value}`, noise));
  }
  const file = `${house.directory}/large.sqlite`;
  await house.runtime.history(house.stub('sql large')).exportTo(file);
  await house.runtime.history(house.stub('sql imported')).importFrom(file);

  const before = disk.bytes;
  const work = { isDone: false };
  let most = 0;
  let answers = 0;
  const watching = (async () => {
    for (let seen = disk.bytes; !work.isDone; seen = disk.bytes) {
      await turn();
      most = Math.max(most, disk.bytes - seen);
    }
  })();
  // Without writes, whose duration depends on the disk.
  const serving = (async () => {
    for (; !work.isDone; answers++) await run(house.stub('sql small'), ({ storage }) => storage.get('count'));
  })();
  deepEqual(await Array.fromAsync(house.runtime.scrub()), []);
  work.isDone = true;
  await Promise.all([watching, serving]);
  const total = disk.bytes - before;
  ok(total > 60 * megabyte, `${total} bytes in all`);
  ok(most <= 4 * megabyte, `${most} bytes in one turn`);
  ok(answers > 20, `${answers} answers`);
});

test('runtime.scrub tells how far it is', async (t) => {
  const house = await openHouse(t);
  await run(house.stub('sql a'), ({ storage }) => storage.put('key', 'x'.repeat(100_000)));
  await house.reopen();
  const steps = new Map<string, number>();
  const onProgress = ({
    step,
    done,
    total,
  }: {
    step: string;
    done: number;
    total: number | undefined;
  }): void => {
    ok(total === undefined || done <= total);
    steps.set(step, done);
  };
  deepEqual(await Array.fromAsync(house.runtime.scrub({ onProgress })), []);
  deepEqual(
    [...steps.keys()],
    ['checking the log', 'checking the tables', 'checking the histories of objects'],
  );
});
