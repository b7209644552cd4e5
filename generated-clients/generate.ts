/**
 * What people do with the OpenAPI document of a running server: lint it (spectral, redocly), generate a TypeScript and a
 * Python client, compile them strictly and use them. Run by operators and before a release: `npm test` holds the document
 * to the same rules with checks of its own, and needs neither Python nor a second compiler of TypeScript.
 *
 *     npm run verify -- openapi                      all of it
 *     npm run verify -- openapi typescript        only one: lint, typescript, python
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const here = import.meta.dirname;
const work = join(here, 'work');
const document = join(work, 'openapi.json');

interface Ready {
  readonly api: string;
  readonly token: string;
}

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): void {
  const { cwd = here, env = {} } = options;
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/** Scripts of packages are run with this very Node. */
function runPackage(path: string, args: readonly string[]): void {
  run(process.execPath, [join(here, 'node_modules', path), ...args]);
}

async function serve(directory: string): Promise<{ readonly server: ChildProcess; readonly ready: Ready }> {
  const main = join(here, '..', 'src', 'program', 'cli', 'main.ts');
  const file = join(directory, 'ready.json');
  const args = ['serve', '--data', 'data', '--port', '0', '--edge-port', 'off', '--ready-file', file];
  const server = spawn(process.execPath, [main, ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!existsSync(file)) {
    if (server.exitCode !== null) throw new Error(`gatehouse serve ended with ${server.exitCode}`);
    await delay(20);
  }
  return { server, ready: JSON.parse(readFileSync(file, 'utf8')) as Ready };
}

function lint(): void {
  runPackage('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    '--ruleset',
    'spectral.yaml',
    '--fail-severity',
    'hint',
    document,
  ]);
  runPackage('@redocly/cli/bin/cli.js', ['lint', '--config', 'redocly.yaml', document]);
}

function tryTypescript({ api, token }: Ready): void {
  const schema = join(here, 'typescript', 'schema.ts');
  runPackage('openapi-typescript/bin/cli.js', [document, '--output', schema]);
  runPackage('typescript/bin/tsc', ['--project', 'typescript']);
  run(process.execPath, [join(here, 'typescript', 'smoke.ts')], { env: { API: api, TOKEN: token } });
}

function tryPython({ api, token }: Ready): void {
  const environment = join(work, 'venv');
  const python = join(environment, 'bin', 'python');
  const requirements = join(here, 'python', 'requirements.txt');
  const installed = join(environment, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    run('python3', ['-m', 'venv', '--clear', environment]);
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
    writeFileSync(installed, wanted);
  }
  const client = join(work, 'python-client');
  const config = join(here, 'python', 'config.yaml');
  const PATH = `${join(environment, 'bin')}:${process.env['PATH']}`;
  run(
    join(environment, 'bin', 'openapi-python-client'),
    [
      'generate',
      '--path',
      document,
      '--output-path',
      client,
      '--overwrite',
      '--fail-on-warning',
      '--config',
      config,
    ],
    { env: { PATH } },
  );
  const smoke = join(here, 'python', 'smoke.py');
  run(python, ['-m', 'compileall', '-q', client]);
  run(python, ['-m', 'mypy', '--no-incremental', '-p', 'gatehouse_client'], { cwd: client });
  // Only what a user writes is checked strictly: generated files may have a cast too many.
  run(python, ['-m', 'mypy', '--no-incremental', '--strict', '--follow-imports=silent', smoke], {
    cwd: client,
    env: { MYPYPATH: client },
  });
  run(python, [smoke], { env: { API: api, TOKEN: token, PYTHONPATH: client } });
}

const steps: Readonly<Record<string, (ready: Ready) => void>> = {
  lint,
  typescript: tryTypescript,
  python: tryPython,
};
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(steps);
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  console.error(`there is no step ${unknown.join(', ')}: use ${Object.keys(steps).join(', ')}`);
  process.exit(2);
}

mkdirSync(work, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-generated-clients-'));
const { server, ready } = await serve(directory);
try {
  const answer = await fetch(new URL('/openapi.json', ready.api));
  writeFileSync(document, JSON.stringify(await answer.json(), null, 2));
  for (const name of wanted) {
    steps[name]!(ready);
    console.log(`${name}: all is well`);
  }
} finally {
  server.kill('SIGTERM');
  await once(server, 'close');
  rmSync(directory, { recursive: true, force: true });
}
