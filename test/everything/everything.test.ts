/**
 * One of everything that can be stored is backed up while a server runs under load, and again while none runs, restored
 * and compared value by value. The first test fails if an operation of the contract can store data that is not created
 * here.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '#contract';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { testRulesDirectory } from '../../src/rules/seclang/crs/testing.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { changes, storesNothing } from './coverage.ts';
import { readDatabases } from './databases.ts';
import { Everything, serveFlags, type ServedFacts } from './everything.ts';
import { writeFlow } from './flow.ts';
import { compareReadings } from './read-everything.ts';
import { startLoad } from './load.ts';

test('one of everything is the same after a backup under load, and after one of a stopped server', async (t) => {
  const directory = temporary(t);
  const flow = writeFlow(directory);
  const start = async (folder: string, token?: string) => {
    const { server, ready } = await Gatehouse.start(t, { directory: folder, args: [...serveFlags, ...flow] });
    return {
      server,
      facts: { ...ready, ...(token === undefined ? {} : { token }) } as ServedFacts & typeof ready,
    };
  };
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCaptured(...args);
    equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const data = join(directory, 'data');
  const { server, facts } = await start(directory);
  await run('crs', 'install', testRulesDirectory, '--data', data);
  const made = await Everything.make(facts, { hasFlow: true });
  checkComplete(made.maker.made);
  const load = await startLoad(made.maker);
  const before = await made.read();
  await load.rounds(3);
  await run('backup', join(directory, 'backup'), '--data', data);
  await load.rounds(3);
  await run('backup', join(directory, 'backup'), '--data', data);
  await load.stop();
  equal(await server.end('SIGTERM'), 0);

  const running = join(directory, 'running');
  writeFlow(running);
  await run('restore', join(directory, 'backup'), '--to', join(running, 'data'));
  const again = await start(running, facts.token);
  const restored = made.at(again.facts);
  compareReadings(await restored.read(), before);
  match(await run('crs', 'list', '--data', join(running, 'data')), /\* /);
  // Certificates are served, so their keys can be opened.
  ok(!again.server.stderr.includes('"level":"error"'), again.server.stderr);
  // Work in progress continues.
  match(String(await restored.finishWorkflow()), /is paid by card$/);
  equal(await again.server.end('SIGTERM'), 0);

  await run('backup', join(directory, 'cold'), '--data', join(running, 'data'));
  await run('restore', join(directory, 'cold'), '--to', join(directory, 'stopped'));
  deepEqual(await readDatabases(join(directory, 'stopped')), await readDatabases(join(running, 'data')));
});

/** Every writing operation is called, or changes created resources, or has a reason why it stores nothing. */
function checkComplete(made: ReadonlySet<string>): void {
  const writing = Object.entries(operations).filter(([, { method }]) =>
    ['POST', 'PUT', 'PATCH'].includes(method),
  );
  for (const [id] of writing) {
    const other = changes[id];
    const said = [made.has(id), other !== undefined, storesNothing[id] !== undefined];
    equal(
      said.filter(Boolean).length,
      1,
      `${id}: make one in make-*.ts, or say in coverage.ts what it changes or why it stores nothing (${said.join()})`,
    );
    ok(other === undefined || made.has(other), `${id} changes what ${other} makes, which is not made`);
  }
  const known = new Set(writing.map(([id]) => id));
  for (const id of [...Object.keys(changes), ...Object.keys(storesNothing)])
    ok(known.has(id), `${id} in coverage.ts is not an operation that writes`);
}
