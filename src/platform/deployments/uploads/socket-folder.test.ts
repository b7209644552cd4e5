import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { createSocketFolder, SocketFolder } from './socket-folder.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-folders-')));
const before = process.env['TMPDIR'];
process.env['TMPDIR'] = root;
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(root, { recursive: true, force: true });
});

interface Owner {
  readonly folder: string;
  kill(): Promise<void>;
}

/** Another program with the folder of a data directory. */
async function start(data: string): Promise<Owner> {
  mkdirSync(data, { recursive: true });
  const file = JSON.stringify(new URL('./socket-folder.ts', import.meta.url).href);
  const code = `const { SocketFolder } = await import(${file});
    console.log(SocketFolder.open(${JSON.stringify(data)}).path);
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    folder: line.toString().trim(),
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('SocketFolder of a killed program is removed by the next one, and that of a living one is not', async () => {
  const [killed, living, served] = await Promise.all([
    start(join(root, 'killed')),
    start(join(root, 'living')),
    start(join(root, 'served')),
  ]);
  const listFolders = (): string[] =>
    readdirSync(root)
      .filter((name) => name.startsWith('gatehouse-workers-'))
      .toSorted();
  const namesOf = (...folders: readonly string[]): string[] =>
    folders.map((each) => basename(each)).toSorted();

  // Their owners are unknown: one that was just created, and one that others can write to.
  mkdirSync(join(root, 'gatehouse-workers-fresh'), { mode: 0o700 });
  mkdirSync(join(root, 'gatehouse-workers-open'));
  writeFileSync(join(root, 'gatehouse-workers-open', 'owner'), '1\n');
  const foreign = namesOf('gatehouse-workers-fresh', 'gatehouse-workers-open');

  // A process of the edge continues to use the folder of its program.
  writeFileSync(join(served.folder, `edge-${process.pid}.sock`), '');
  writeFileSync(join(served.folder, 'worker.sock'), '');
  await killed.kill();
  await served.kill();
  const own = createSocketFolder();
  deepEqual(listFolders(), [...foreign, ...namesOf(living.folder, served.folder, own)].toSorted());

  // The next program on the same data directory has the same folder, without the sockets of ended processes.
  const again = await start(join(root, 'served'));
  equal(again.folder, served.folder);
  deepEqual(readdirSync(again.folder).toSorted(), [`edge-${process.pid}.sock`, 'owner']);
  const other = await start(join(root, 'killed'));
  notEqual(other.folder, killed.folder);

  // It now belongs to the process that has taken it over.
  rmSync(join(again.folder, `edge-${process.pid}.sock`));
  rmSync(createSocketFolder(), { recursive: true });
  deepEqual(
    listFolders(),
    [...foreign, ...namesOf(living.folder, again.folder, other.folder, own)].toSorted(),
  );

  // A program that ends by itself leaves nothing behind.
  mkdirSync(join(root, 'ended'));
  const ended = SocketFolder.open(join(root, 'ended'));
  equal(listFolders().includes(basename(ended.path)), true);
  ended[Symbol.dispose]();
  equal(listFolders().includes(basename(ended.path)), false);
  deepEqual(readdirSync(join(root, 'ended')), []);
});
