/** The container file and the systemd unit, as far as they can be run without a container engine and without systemd. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingFlags } from '#server';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { eventually } from '../eventually.ts';
import { BuiltStages, listOf, parseContainerfile } from './containerfile.ts';
import { root } from './packed-project.ts';

const stages = parseContainerfile(readFileSync(join(root, 'Containerfile'), 'utf8'));
const image = stages.at(-1)!;
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

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

test('Containerfile builds from npm and tagged base images, and its image runs without privileges', () => {
  for (const { image: base } of stages)
    match(base, /^docker\.io\/library\/(?:node|debian):[\w.-]*bookworm-slim$/);
  for (const stage of stages) {
    for (const { text } of listOf(stage, 'RUN')) match(text, /^(?:npm (?:ci|run) |mkdir )/);
    deepEqual(listOf(stage, 'ADD'), []);
  }
  deepEqual(listOf(image, 'RUN'), []);
  match(listOf(image, 'USER')[0]!.text, /^[1-9]\d+:[1-9]\d+$/);
  deepEqual(JSON.parse(listOf(image, 'VOLUME')[0]!.text), ['/var/lib/gatehouse']);
  checkSettings(Object.keys(readEnvironment()));
});

test('Containerfile makes an image that serves, tells its health, and keeps its state in the volume', async (t) => {
  await buildDashboard({ ifStale: true });
  using built = new BuiltStages(root, stages);
  const container = built.root(image.name);
  for (const left of ['src', 'test', '.git', 'dist/test'])
    ok(!existsSync(join(container, 'opt/gatehouse', left)), left);
  equal(statSync(join(container, 'var/lib/gatehouse')).mode & 0o777, 0o700);
  const environment = Object.fromEntries(
    Object.entries(readEnvironment()).map(([name, value]) => [
      name,
      value.startsWith('/var/') ? join(container, value) : value,
    ]),
  );
  Object.assign(environment, {
    GATEHOUSE_ADMIN_PORT: await findFreePort(),
    GATEHOUSE_HOST: '127.0.0.1',
    GATEHOUSE_EDGE_HOST: '127.0.0.1',
    GATEHOUSE_PORT: '0',
    GATEHOUSE_EDGE_PORT: '0',
  });
  const [health, ...healthArguments] = listCommand('HEALTHCHECK');
  const checkHealth = (): Promise<number> =>
    new Promise((resolve) => {
      execFile(join(container, health!), healthArguments, { env: environment }, (error) =>
        resolve(error === null ? 0 : Number(error.code)),
      );
    });
  equal(await checkHealth(), 1);
  const [entry] = listCommand('ENTRYPOINT');
  const server = spawn(join(container, entry!), listCommand('CMD'), {
    cwd: tmpdir(),
    env: environment,
    stdio: 'ignore',
  });
  t.after(() => server.kill('SIGKILL'));
  await eventually(async () => (await checkHealth()) === 0);
  ok(existsSync(join(container, 'var/lib/gatehouse/data/journal')));
  ok(
    'token' in (JSON.parse(readFileSync(join(container, 'var/lib/gatehouse/ready.json'), 'utf8')) as object),
  );
  server.kill('SIGTERM');
  deepEqual(await once(server, 'exit'), [0, null]);
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
