/** The executable as users start it: from a clone, through a link, and installed under `node_modules`. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from './version.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const { dependencies: versions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
/** Also what our dependencies need themselves: npm puts it beside them. */
const dependencies = [...Object.keys(versions), 'mmdb-lib', 'tiny-lru'];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs without any `node` on the path, so that nothing but the pinned one can be found. */
function run(file: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(file, args, { env: { PATH: '/usr/bin:/bin' } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bin-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('gatehouse follows links to itself, passes its arguments on and the exit code back', async (t) => {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'first'));
  symlinkSync('first', join(directory, 'second'));
  assert.deepEqual(await run(join(directory, 'second'), 'serve', '--prot', '1 2'), {
    code: 2,
    stdout: '',
    stderr: 'gatehouse: gatehouse serve has no option --prot: did you mean --port?\n',
  });
});

/** A project with this package installed: answers the project's `node_modules`. */
function installed(t: TestContext): string {
  const modules = join(temporary(t), 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const part of ['package.json', 'gatehouse', 'package', 'src', 'examples']) {
    cpSync(join(root, part), join(modules, 'gatehouse', part), { recursive: true });
  }
  for (const name of dependencies) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync('../gatehouse/gatehouse', join(modules, '.bin', 'gatehouse'));
  return modules;
}

test('gatehouse runs when it is installed under node_modules', async (t) => {
  const outcome = await run(join(installed(t), '.bin', 'gatehouse'), '--version');
  assert.deepEqual(outcome, { code: 0, stdout: `${version()}\n`, stderr: '' });
});

test('gatehouse/edge, gatehouse/objects and gatehouse/rules can be imported whole when installed under node_modules', async (t) => {
  const program = join(installed(t), '..', 'program.mjs');
  const list = (door: string): string => `console.log(Object.keys(await import('${door}')).sort().join());`;
  writeFileSync(program, ['edge', 'objects', 'rules'].map((door) => list(`gatehouse/${door}`)).join(''));
  const { code, stdout, stderr } = await run(process.execPath, program);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const doors = [await import('#edge'), await import('#objects'), await import('#expressions')];
  assert.deepEqual(
    stdout.trim().split('\n'),
    doors.map((door) => Object.keys(door).sort().join()),
  );
});

test('gatehouse says what to do when its Node is not installed', async (t) => {
  const directory = temporary(t);
  cpSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  const outcome = await run(join(directory, 'gatehouse'), '--version');
  assert.equal(outcome.code, 1);
  assert.match(outcome.stderr, /^gatehouse: the package 'node'.* is not installed: run npm ci in /);
});
