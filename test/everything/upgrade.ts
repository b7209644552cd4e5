/**
 * One of everything, made by an older version of this program: `GATEHOUSE_FROM`, 60 commits back if it is not set. Its
 * directory is backed up before the upgrade and after it, under load, and the restored data equals the older version's.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { readDatabases } from './databases.ts';
import { Everything, type ServedFacts, serveFlags } from './everything.ts';
import { writeFlow } from './flow.ts';
import { startLoad } from './load.ts';
import { compareReadings } from './read-everything.ts';

const tree = resolve(import.meta.dirname, '../..');
const { GATEHOUSE_FROM: commit = 'HEAD~60' } = process.env;

function extractOlder(t: TestContext): string {
  const folder = join(temporary(t), 'older');
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit, 'src', 'package.json', 'tsconfig.json'], {
    cwd: tree,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(tree, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'src/program/cli/main.ts');
}

test('what an older version has made is the same after a backup before the upgrade, and after one after it', async (t) => {
  const directory = temporary(t);
  const program = extractOlder(t);
  const start = async (folder: string, { token, ...rest }: { token?: string; program?: string } = {}) => {
    const flow = writeFlow(folder);
    const args = [...serveFlags, ...flow];
    const { server, ready } = await Gatehouse.start(t, { directory: folder, args, ...rest });
    return {
      server,
      facts: { ...ready, ...(token === undefined ? {} : { token }) } as ServedFacts & typeof ready,
    };
  };
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await runCaptured(...args);
    equal(code, 0, `${args.join(' ')}: ${stderr}`);
  };
  const older = await start(directory, { program });
  const made = await Everything.make(older.facts, { hasFlow: true });
  await made.read();
  const { token } = older.facts;
  equal(await older.server.end('SIGTERM'), 0);

  // Before the upgrade, by the command of this version.
  const data = join(directory, 'data');
  const before = join(directory, 'before');
  await run('backup', before, '--data', data);
  await run('restore', before, '--to', join(directory, 'restored/data'));
  deepEqual(await readDatabases(join(directory, 'restored/data')), await readDatabases(data));
  const upgraded = join(directory, 'upgraded');
  mkdirSync(upgraded);
  cpSync(data, join(upgraded, 'data'), { recursive: true });

  const fresh = await start(join(directory, 'restored'), { token });
  const expected = await made.at(fresh.facts).read();
  equal(await fresh.server.end('SIGTERM'), 0);

  // After it, under load.
  const inPlace = await start(upgraded, { token });
  const now = made.at(inPlace.facts);
  compareReadings(await now.read(), expected);
  const load = await startLoad(now.maker);
  const withLoad = await now.read();
  await load.rounds(3);
  await run('backup', join(directory, 'after'), '--data', join(upgraded, 'data'));
  await load.stop();
  equal(await inPlace.server.end('SIGTERM'), 0);
  await run('restore', join(directory, 'after'), '--to', join(directory, 'again/data'));
  const again = await start(join(directory, 'again'), { token });
  compareReadings(await made.at(again.facts).read(), withLoad);
  equal(await again.server.end('SIGTERM'), 0);
});
