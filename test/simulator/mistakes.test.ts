/** `gatehouse simulate` finds the mistakes of `examples/mistakes`, and nothing in their fixes. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runSimulate(cwd: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const main = join(root, 'src/program/cli/main.ts');
    execFile(process.execPath, [main, 'simulate', ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function createProject(t: TestContext, files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-simulated-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

interface Result {
  readonly file: string;
  readonly name: string;
  readonly ok: boolean;
  readonly report?: { readonly lives: number; readonly told: readonly string[] };
  readonly failure?: { readonly message: string; readonly replay: string };
}

const found: Readonly<Record<string, RegExp>> = {
  'early-alarm': /an order was acknowledged and is never sent/,
  'lost-update': /deposits were acknowledged, and the balance is/,
  'repeated-effect': /the effect charge for january was brought about \d+ times/,
  'stale-cache': /at most \d+ was spent/,
  'unrepeatable-migration': /table prices already exists/,
};

test('gatehouse simulate finds each mistake of examples/mistakes, and nothing in what mends it', async () => {
  const { code, stdout, stderr } = await runSimulate(root, 'examples/mistakes', '--seeds', '150', '--json');
  const results = JSON.parse(stdout) as Result[];
  deepEqual(
    results.filter((each) => !each.ok),
    [],
  );
  deepEqual({ code, stderr }, { code: 0, stderr: '' });
  equal(readdirSync(join(root, 'examples/mistakes')).length, Object.keys(found).length);
  for (const [name, message] of Object.entries(found)) {
    const of = (which: string): Result =>
      results.find((each) => each.file === `examples/mistakes/${name}.simulation.ts` && each.name === which)!;
    match(of('mistake').failure!.message, message);
    deepEqual(of('mended').report!.told, []);
    equal(of('mended').report!.lives, 150);
  }
});

const counter = `
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';
enum Key { Value = 'value' }
class Counter extends DurableObject {
  async add() { await this.ctx.storage.put(Key.Value, ((await this.ctx.storage.get<number>(Key.Value)) ?? 0) + 1); }
}
export const fine = defineSimulation({ classes: { Counter } }, (world) => world.run({ add: (step) => step.object('Counter', 'a').add() }));
export const wrong = defineSimulation({ classes: { Counter } }, () => { throw new Error('never right'); });
`;

test('gatehouse simulate runs what a project exports, lives a failure again, and tells CI by its exit code', async (t) => {
  const project = createProject(t, { 'src/counter.simulation.ts': counter });
  const fine = await runSimulate(project, '--seeds', '20', '--only', 'fine');
  deepEqual({ code: fine.code, stderr: fine.stderr }, { code: 0, stderr: '' });
  match(fine.stdout, /^✓ src\/counter\.simulation\.ts fine\n {2}20 runs in [\d.]+ s: 400 operations/);
  const all = await runSimulate(project, '--seeds', '20');
  equal(all.code, 1);
  match(all.stdout, /✗ src\/counter\.simulation\.ts wrong\n {2}seed 1: never right/);
  const [, replay] = /--only wrong --replay (\S+)/.exec(all.stdout)!;
  const again = await runSimulate(project, '--only', 'wrong', '--replay', replay!);
  equal(again.code, 1);
  match(again.stdout, /seed 1: never right/);
});

/** Importing something that cannot be simulated is not an error, but using it is. */
const refusedModule = (name: string, used: string): string => `
import { DurableObject } from 'cloudflare:workers';
import { ${used} } from '${name}';
import { defineSimulation } from 'gatehouse/testing';
class Using extends DurableObject { async use() { new ${used}(''); } }
export const use = defineSimulation({ classes: { Using }, seeds: 3 }, (world) => world.object('Using', 'a').use());
`;

test('gatehouse simulate says what it cannot run, and why', async (t) => {
  const project = createProject(t, {
    'src/throws.simulation.ts': `throw new Error('not today'); export {};`,
    'src/nothing.simulation.ts': `export const nothing = 1;`,
    'src/broken.simulation.ts': `export const = 1;`,
    'src/sockets.simulation.ts': `import { connect } from 'cloudflare:sockets'; export const x = connect;`,
    'src/threads.simulation.ts': refusedModule('node:worker_threads', 'Worker'),
    'src/net.simulation.ts': refusedModule('net', 'connect'),
    'counter.simulation.ts': counter,
    'options.simulation.ts': counter.replace(/defineSimulation\(\{/g, `$&faults: ['meteor'], `),
  });
  const said = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await runSimulate(project, ...args);
    ok(code !== 0, stderr);
    return stderr;
  };
  match(await said('src/throws.simulation.ts'), /cannot load src\/throws\.simulation\.ts: not today/);
  match(await said('src/nothing.simulation.ts'), /src\/nothing\.simulation\.ts exports no simulation/);
  match(await said('src/broken.simulation.ts'), /broken\.simulation\.ts:1:14: Expected identifier/);
  match(await said('src/sockets.simulation.ts'), /cloudflare:sockets cannot be simulated/);
  match(
    (await runSimulate(project, 'src/net.simulation.ts')).stdout,
    /connect of node:net cannot be simulated: /,
  );
  match(
    (await runSimulate(project, 'src/threads.simulation.ts')).stdout,
    /Worker of node:worker_threads cannot be simulated: when a thread runs/,
  );
  match(
    await said('options.simulation.ts'),
    /^gatehouse: options\.simulation\.ts \w+: simulate\(\): faults must be of crash, [^\n]*: meteor\n$/,
  );
  match(await said('nowhere'), /there is no file or directory nowhere/);
  match(
    await said('counter.simulation.ts', '--only', 'best'),
    /there is no simulation best: choose one of fine, wrong/,
  );
  match(await said('counter.simulation.ts', '--replay', '7'), /name it with --only/);
});
