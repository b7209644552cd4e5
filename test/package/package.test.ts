/**
 * What users get: the files of `npm pack` as a project that installs them sees them, and the container file and the systemd unit,
 * as far as they can be run without a container engine and without systemd. Both are made from one build.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { settingFlags } from '#server';
import { readVersion } from '../../src/cli/version.ts';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { eventually } from '../eventually.ts';
import { BuiltStages, listOf, parseContainerfile } from './containerfile.ts';
import { environment, PackedProject, root } from './packed-project.ts';

const stages = parseContainerfile(readFileSync(join(root, 'Containerfile'), 'utf8'));
const image = stages.at(-1)!;
await buildDashboard({ ifStale: true });
const built = new BuiltStages(root, stages);
after(() => built[Symbol.dispose]());
const build = join(built.root('build'), 'build');
// As `gatehouse dev examples` leaves it.
mkdirSync(join(build, 'examples/.gatehouse/state'), { recursive: true });
writeFileSync(join(build, 'examples/.gatehouse/state/journal.log'), 'objects of the one who packs');
execFileSync('npm', ['run', '--silent', 'build'], { cwd: build, env: environment, stdio: 'inherit' });
const project = PackedProject.install(build);
after(() => project[Symbol.dispose]());
const unit = readFileSync(join(root, 'examples/systemd/gatehouse.service'), 'utf8');

function readEnvironment(): Record<string, string> {
  return Object.fromEntries(listOf(image, 'ENV').map(({ text }) => text.split(/=(.*)/s).slice(0, 2)));
}

/** Each `GATEHOUSE_` variable is a setting, and so has a flag. */
function checkSettings(names: readonly string[]): void {
  const known = new Set(
    Object.keys(settingFlags).map((flag) => `GATEHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`),
  );
  for (const name of names) ok(!name.startsWith('GATEHOUSE_') || known.has(name), name);
}

function listCommand(instruction: string): string[] {
  return JSON.parse(listOf(image, instruction)[0]!.text.replace(/^CMD /, '')) as string[];
}

test('Containerfile builds from npm and tagged base images, and its image runs without privileges', () => {
  match(stages[0]!.image, /^docker\.io\/library\/node:[\w.-]*bookworm$/);
  equal(image.image, 'scratch');
  for (const stage of stages) {
    for (const { text } of listOf(stage, 'RUN')) match(text, /^npm (?:ci|run) /);
    deepEqual(listOf(stage, 'ADD'), []);
  }
  deepEqual(listOf(image, 'RUN'), []);
  match(listOf(image, 'USER')[0]!.text, /^[1-9]\d+:[1-9]\d+$/);
  deepEqual(JSON.parse(listOf(image, 'VOLUME')[0]!.text), ['/var/lib/gatehouse', '/tmp']);
  checkSettings(Object.keys(readEnvironment()));
});

/** With nothing but what is in the image, `/proc` and `/dev`; only root may do that. */
const canEnter =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

/** A command of the image, where its own files are all that there is; elsewhere it sees the files of the machine as well. */
function enter(container: string, command: readonly string[]): readonly [string, readonly string[]] {
  if (!canEnter) return [join(container, command[0]!), command.slice(1)];
  const user = listOf(image, 'USER')[0]!.text;
  const script = `mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot --userspec=${user} "$0" "$@"`;
  return [
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script, container, ...command],
  ];
}

test('Containerfile makes an image of one program, which serves, tells its health, and keeps its state in the volume', async (t) => {
  const container = built.root(image.name);
  deepEqual(readdirSync(join(container, 'usr/bin')), ['gatehouse']);
  equal(statSync(join(container, 'var/lib/gatehouse')).mode & 0o777, 0o700);
  for (const name of ['proc', 'dev']) mkdirSync(join(container, name));
  const [uid, gid] = listOf(image, 'USER')[0]!.text.split(':').map(Number);
  if (canEnter) for (const name of ['var/lib/gatehouse', 'tmp']) chownSync(join(container, name), uid!, gid!);
  const environment = Object.fromEntries(
    Object.entries(readEnvironment()).map(([name, value]) => [
      name,
      value.startsWith('/var/') && !canEnter ? join(container, value) : value,
    ]),
  );
  Object.assign(environment, {
    PATH: '/usr/sbin:/usr/bin:/bin',
    GATEHOUSE_ADMIN_PORT: '0',
    GATEHOUSE_HOST: '127.0.0.1',
    GATEHOUSE_EDGE_HOST: '127.0.0.1',
    GATEHOUSE_PORT: '0',
    GATEHOUSE_EDGE_PORT: '0',
  });
  const checkHealth = (port: string): Promise<number> =>
    new Promise((resolve) => {
      const env = { ...environment, GATEHOUSE_ADMIN_PORT: port };
      execFile(...enter(container, listCommand('HEALTHCHECK')), { env }, (error) =>
        resolve(error === null ? 0 : Number(error.code)),
      );
    });
  equal(await checkHealth('1'), 1);
  const command = [...listCommand('ENTRYPOINT'), ...listCommand('CMD')];
  const [file, args] = enter(container, command);
  const server = spawn(file, args, { cwd: tmpdir(), env: environment, stdio: 'ignore', detached: true });
  t.after(() => server.exitCode ?? process.kill(-server.pid!, 'SIGKILL'));
  const readyFile = join(container, 'var/lib/gatehouse/ready.json');
  await eventually(() => existsSync(readyFile));
  const { token, admin, api } = JSON.parse(readFileSync(readyFile, 'utf8'));
  equal(typeof token, 'string');
  await eventually(async () => (await checkHealth(new URL(admin).port)) === 0);
  ok(existsSync(join(container, 'var/lib/gatehouse/data/events')));
  // The page is inside of the file.
  const page = await fetch(new URL('/', api), { headers: { accept: 'text/html' } });
  match(await page.text(), /<script type="module"/);
  process.kill(-server.pid!, 'SIGTERM');
  const [code] = await once(server, 'exit');
  equal(code, 0);
});

test('gatehouse of one file runs a Worker: the bundler, the processes and the threads are inside of it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-one-file-'));
  t.after(() => rmSync(directory, { recursive: true }));
  cpSync(join(root, 'examples'), join(directory, 'examples'), {
    recursive: true,
    filter: (path) => !path.endsWith('.gatehouse'),
  });
  const worker = spawn(join(build, 'out/gatehouse'), ['run', 'examples', '--port', '0'], {
    cwd: directory,
    env: { TMPDIR: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => worker.kill('SIGKILL'));
  let said = '';
  worker.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually(() => said.includes('"ready"') || worker.exitCode !== null);
  const [, url] = /"url":"([^"]+)"/.exec(said) ?? [];
  ok(url !== undefined, said);
  const answer = await fetch(`${url}/counter/visits/increment`, { method: 'POST' });
  match(await answer.text(), /"value":1/);
  worker.kill('SIGTERM');
  deepEqual(await once(worker, 'exit'), [0, null]);
  deepEqual(readdirSync(directory).toSorted(), ['data', 'examples']);
});

test('npm run build:debian makes a package that dpkg installs, with the unit and the configuration', async (t) => {
  // Not on every machine.
  if (!existsSync('/usr/bin/dpkg-deb')) return;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-debian-root-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const name of ['info', 'updates'])
    mkdirSync(join(directory, 'var/lib/dpkg', name), { recursive: true });
  writeFileSync(join(directory, 'var/lib/dpkg/status'), '');
  const run = promisify(execFile);
  const npmRun = ['run', '--silent', 'build:debian', '--', '--compression', 'none'];
  await run('npm', npmRun, { cwd: build, env: environment });
  const file = globSync(join(build, 'out/*.deb'))[0]!;
  match(file, new RegExp(`/gatehouse_${RegExp.escape(readVersion())}_\\w+\\.deb$`));
  const force = ['--force-not-root', '--force-depends', '--force-script-chrootless'];
  const log = `--log=${join(directory, 'log')}`;
  await run('dpkg', [`--root=${directory}`, ...force, log, '--install', file]);
  const { stdout } = await run(join(directory, 'usr/bin/gatehouse'), ['--version'], { env: {} });
  equal(stdout, `${readVersion()}\n`);
  const unitFile = join(directory, 'usr/lib/systemd/system/gatehouse.service');
  match(
    readFileSync(unitFile, 'utf8'),
    /^ExecStart=\/usr\/bin\/gatehouse serve --config \/etc\/gatehouse\/gatehouse\.toml$/m,
  );
  const settings = Object.keys(
    parseToml(readFileSync(join(directory, 'etc/gatehouse/gatehouse.toml'), 'utf8')),
  );
  checkSettings(settings.map((name) => `GATEHOUSE_${name.toUpperCase()}`));
  await run('dpkg', [`--root=${directory}`, ...force, log, '--remove', 'gatehouse']);
  equal(existsSync(join(directory, 'usr/bin/gatehouse')), false);
  // The administrator may have changed it.
  equal(existsSync(join(directory, 'etc/gatehouse/gatehouse.toml')), true);
});

test('gatehouse.service names only settings that exist, and systemd finds nothing wrong with it', async (t) => {
  checkSettings([...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!));
  for (const line of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'StateDirectory=gatehouse',
  ])
    match(unit, new RegExp(`^${line}$`, 'm'));
  const [, ...words] = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(' ');
  deepEqual(words, ['serve', '--config', '/etc/gatehouse/gatehouse.toml']);
  // Not on every machine.
  if (!existsSync('/usr/bin/systemd-analyze')) return;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'gatehouse.service');
  writeFileSync(file, unit.replace('/usr/local/bin/gatehouse', join(root, 'gatehouse')));
  const analyze = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile('/usr/bin/systemd-analyze', [...args, file], (error, stdout, stderr) =>
        resolve(error === null ? '' : `${stdout}${stderr}`),
      );
    });
  equal(await analyze('verify', '--man=no'), '');
  equal(await analyze('security', '--offline=yes', '--threshold=20', '--no-pager'), '');
});

const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** The example of docs/build/objects.md. */
function libraryExample(): string {
  const page = readFileSync(join(root, 'docs/build/objects.md'), 'utf8');
  return /```ts\n(import .*?'gatehouse\/objects';\n.*?)```/s.exec(page)![1]!;
}

test('npm pack builds what it packs', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  equal(scripts.prepack, 'npm run build');
});

test('npm pack contains JavaScript, declarations, the dashboard and the documentation, and no tests', () => {
  const isPage = (file: string): boolean => file.startsWith('dist/dashboard/');
  const code = project.files.filter((file) => file.startsWith('dist/') && !isPage(file));
  equal(project.files.includes('dist/dashboard/index.html'), true);
  deepEqual(
    code.filter((file) => !/\.(?:js|d\.ts|json)$/.test(file)),
    [],
  );
  // `gatehouse/testing` is for the tests of users.
  const isDoor = (file: string): boolean => file.startsWith('dist/package/testing.');
  deepEqual(
    project.files.filter((file) => /\.test\.|testing\.|testdata/.test(file) && !isDoor(file)),
    [],
  );
  deepEqual(
    project.files.filter((file) =>
      /^(?:src|test|tools|bench|conformance|out)\/|\.png$|(?:^|\/)\.gatehouse\//.test(file),
    ),
    [],
  );
  const doors = readFileSync(join(project.directory, 'node_modules/gatehouse/dist/src/objects.js'), 'utf8');
  equal(/['"]#/.test(doors), false);
});

for (const [resolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'preserve'],
] as const) {
  test(`the example of docs/build/objects.md passes the strict type check with the resolution ${resolution}`, async () => {
    writeFileSync(join(project.directory, 'app.ts'), libraryExample());
    writeFileSync(
      join(project.directory, 'doors.ts'),
      `export * as client from 'gatehouse/client';\nexport * as edge from 'gatehouse/edge';\nexport * as rules from 'gatehouse/rules';\nexport * as testing from 'gatehouse/testing';\n`,
    );
    writeFileSync(join(project.directory, 'package.json'), '{ "type": "module" }');
    const options = {
      compilerOptions: {
        target: 'esnext',
        lib: ['esnext'],
        module,
        moduleResolution: resolution,
        strict: true,
        noEmit: true,
        types: ['node'],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(project.directory, 'tsconfig.json'), JSON.stringify(options));
    deepEqual(await project.run(process.execPath, compiler), { code: 0, stdout: '', stderr: '' });
  });
}

test('the example of docs/build/objects.md runs', async () => {
  writeFileSync(join(project.directory, 'app.ts'), libraryExample());
  const [first, second] = [
    await project.run(process.execPath, 'app.ts'),
    await project.run(process.execPath, 'app.ts'),
  ];
  deepEqual(
    [first, second],
    [
      { code: 0, stdout: '1 2\n2\n', stderr: '' },
      { code: 0, stdout: '3 4\n4\n', stderr: '' },
    ],
  );
});

test('gatehouse/client, gatehouse/edge, gatehouse/objects, gatehouse/rules and gatehouse/testing export what their sources do', async () => {
  const list = (door: string): string => `console.log(Object.keys(await import('${door}')).sort().join());`;
  const program = ['client', 'edge', 'objects', 'rules', 'testing']
    .map((door) => list(`gatehouse/${door}`))
    .join('');
  writeFileSync(join(project.directory, 'doors.mjs'), program);
  const { code, stdout, stderr } = await project.run(process.execPath, 'doors.mjs');
  deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const doors = [
    await import('#client'),
    await import('#edge'),
    await import('#objects'),
    await import('../../package/rules.ts'),
    await import('../../package/testing.ts'),
  ];
  deepEqual(
    stdout.trim().split('\n'),
    doors.map((door) => Object.keys(door).sort().join()),
  );
});

test('gatehouse runs from node_modules/.bin', async () => {
  const outcome = await project.run('node_modules/.bin/gatehouse', '--version');
  deepEqual(outcome, { code: 0, stdout: `${readVersion()}\n`, stderr: '' });
});

test('gatehouse dev serves a copy of the examples that come along', async (t) => {
  const examples = join(project.directory, 'examples');
  cpSync(join(project.directory, 'node_modules/gatehouse/examples'), examples, { recursive: true });
  const args = ['dev', 'examples', '--port', '0'];
  const dev = spawn('node_modules/.bin/gatehouse', args, {
    cwd: project.directory,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => dev.kill('SIGKILL'));
  const ready = Promise.withResolvers<string>();
  let said = '';
  dev.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const [, found] = /on (http:\/\/\S+?)\.?\s/.exec(said) ?? [];
    if (found !== undefined) ready.resolve(found);
  });
  dev.on('exit', () => ready.reject(new Error(`it ended after saying:\n${said}`)));
  const url = await ready.promise;
  const answer = await fetch(`${url}/counter/visits/increment`, { method: 'POST' });
  match(await answer.text(), /"value":1/);
  const exited = once(dev, 'exit');
  dev.kill('SIGTERM');
  deepEqual(await exited, [0, null]);
});
