/**
 * Records the names that a process creates, and the folders that it syncs, so that a test can remove what a power cut
 * may remove: the names that were not synced in their folder. It is imported before the program:
 * `NODE_OPTIONS='--import ./test/faults/record-names.ts' NAMES_FILE=/tmp/names gatehouse serve …`, also by the
 * processes that the program starts. `strict-power-cut.ts` reads the file.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

const file = process.env['NAMES_FILE']!;
const { appendFileSync, existsSync, readlinkSync } = fs;
let syncs = 0;

function note(...words: readonly string[]): void {
  appendFileSync(file, `${JSON.stringify(words)}\n`);
}

type Calls = Record<string, (...args: unknown[]) => unknown>;
/** Called before the work; the function that it returns is called when the work is done. */
type Watch = (args: readonly unknown[]) => (() => void) | undefined;

function toPath(what: unknown): string {
  return resolve(what instanceof URL ? what.pathname : String(what));
}

function watchMade(position: number): Watch {
  return (args) => {
    if (typeof args[position] === 'number') return undefined;
    const path = toPath(args[position]);
    if (existsSync(path)) return undefined;
    return () => {
      if (existsSync(path)) note('made', path);
    };
  };
}

const watchRename: Watch = ([from, to]) => {
  return () => note('renamed', toPath(from), toPath(to));
};

/** Names created after the call are not covered, although they may exist when the call returns. */
const watchSync: Watch = ([descriptor]) => {
  const id = `${process.pid}-${++syncs}`;
  const path = readlinkSync(`/proc/self/fd/${String(descriptor)}`);
  note('syncing', id, path);
  return () => note('synced', id);
};

async function noteAfter(result: Promise<unknown>, note: () => void): Promise<unknown> {
  const value = await result;
  note();
  return value;
}

function wrap(calls: Calls, name: string, watch: Watch): void {
  const before = calls[name]!;
  calls[name] = function watched(this: unknown, ...args: unknown[]) {
    const done = watch(args);
    if (done === undefined) return before.apply(this, args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      args[args.length - 1] = (error: unknown, ...rest: unknown[]) => {
        if (error === null || error === undefined) done();
        (callback as (...all: unknown[]) => void)(error, ...rest);
      };
    const result = before.apply(this, args);
    if (result instanceof Promise) return noteAfter(result, done);
    if (typeof callback !== 'function') done();
    return result;
  };
}

const made: Readonly<Record<string, number>> = { mkdir: 0, open: 0, writeFile: 0, copyFile: 1, link: 1 };
const watches: Readonly<Record<string, Watch>> = {
  ...Object.fromEntries(Object.entries(made).map(([name, position]) => [name, watchMade(position)])),
  rename: watchRename,
};
for (const [name, watch] of Object.entries(watches)) {
  for (const [calls, each] of [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name],
  ] as const)
    wrap(calls as unknown as Calls, each, watch);
}
wrap(fs as unknown as Calls, 'fsync', watchSync);
wrap(fs as unknown as Calls, 'fsyncSync', watchSync);

const handle = await fs.promises.open('/dev/null');
const handles = Object.getPrototypeOf(handle) as Calls;
await handle.close();
const { sync } = handles;
handles['sync'] = async function watched(this: unknown) {
  const done = watchSync([(this as { readonly fd: number }).fd])!;
  await sync!.call(this);
  done();
};
syncBuiltinESMExports();
