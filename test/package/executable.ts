/**
 * The single file, the image built from it and the Debian package, as users run them: `npm run verify -- executable`.
 * The contents of the image are used as a root directory, where that is allowed; there is no container engine.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
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
import { readVersion } from '../../src/program/cli/version.ts';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { eventually } from '../eventually.ts';
import { BuiltStages, listOf } from './containerfile.ts';
import { checkSettings, image, listCommand, readEnvironment, stages } from './image.ts';
import { environment, root } from './packed-project.ts';

await buildDashboard({ ifStale: true });
const built = new BuiltStages(root, stages);
after(() => built[Symbol.dispose]());
const build = join(built.root('build'), 'build');

/** With only the contents of the image, `/proc` and `/dev`; this needs root. */
const canEnter =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

/**
 * A command of the image, with only the image's files if possible; otherwise it sees the files of the machine as well.
 */
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
