/** The commands that write, each with what has to be true after it was killed, and after it was repeated. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connectOperator, restoreBackup } from '#operator';
import { runCaptured } from '../../src/cli/testing.ts';
import { testRulesDirectory } from '../../src/seclang/crs/testing.ts';
import type { PostgresServer } from '../cluster/postgres-server.ts';
import { Gatehouse } from '../server/gatehouse.ts';
import { expressions, type RunOptions, runCommand, type State, type Template } from './rig.ts';

export interface Parts {
  readonly t: TestContext;
  readonly template: Template;
  readonly postgres: PostgresServer;
}

/** One attempt in a folder of its own. */
export interface Attempt extends Pick<RunOptions, 'args' | 'doneFile' | 'environment' | 'whenReady'> {
  /** Whatever it had done: nothing is mixed up, empty or lost. Answers whether a server shows that it had done everything. */
  checkKilled(): Promise<boolean>;
  checkDone(): Promise<void>;
}

export type Prepare = (parts: Parts, folder: string) => Promise<Attempt>;

const [old, later] = expressions;

/** Answers whether the server runs on what was made. */
function checkState(state: State, allowed: readonly (readonly string[])[], mayRefuse: boolean): boolean {
  if ('refused' in state) {
    ok(mayRefuse, `a server starts: ${state.refused}`);
    return false;
  }
  ok(
    allowed.some((each) => JSON.stringify(each) === JSON.stringify(state)),
    `the server shows ${JSON.stringify(state)}`,
  );
  return true;
}

const importIntoCluster: Prepare = async ({ postgres, t, template }, folder) => {
  template.copyTo(folder);
  const url = await postgres.createDatabase();
  const database = new URL(url).pathname.slice(1);
  return {
    args: ['cluster', 'import', '--data', 'data'],
    environment: { GATEHOUSE_CLUSTER: url },
    async checkKilled() {
      const [row] = await postgres.execute(
        "SELECT to_regclass('gatehouse.cluster')::text AS there",
        database,
      );
      // Nothing has been written yet: whoever starts a server there starts another cluster.
      if (row!['there'] === null) return false;
      return checkState(await template.look(t, { url }), [[old]], true);
    },
    checkDone: async () => void checkState(await template.look(t, { url }), [[old]], false),
  };
};

let filled: Promise<string> | undefined;

const exportFromCluster: Prepare = async (parts, folder) => {
  const { postgres, t, template } = parts;
  filled ??= (async () => {
    const url = await postgres.createDatabase();
    template.copyTo(folder, 'source');
    const environment = { GATEHOUSE_CLUSTER: url };
    const { code, said } = await runCommand(folder, {
      args: ['cluster', 'import', '--data', 'source'],
      environment,
    });
    equal(code, 0, said);
    return url;
  })();
  return {
    args: ['cluster', 'export', '--data', 'data'],
    environment: { GATEHOUSE_CLUSTER: await filled },
    async checkKilled() {
      if (!existsSync(join(folder, 'data')) || readdirSync(join(folder, 'data')).length === 0) return false;
      return checkState(await template.look(t, { folder }), [[old]], true);
    },
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

const backup: Prepare = async ({ t, template }, folder) => {
  template.copyTo(folder);
  const to = join(folder, 'backup');
  let restored = 0;
  const restore = async (): Promise<State> => {
    const place = join(folder, `restored-${++restored}`);
    try {
      await restoreBackup({ backup: to, to: join(place, 'data'), time: undefined, onProgress: () => {} });
    } catch (error) {
      return { refused: (error as Error).message };
    }
    return await template.look(t, { folder: place });
  };
  return {
    args: ['backup', 'backup', '--data', 'data'],
    async checkKilled() {
      checkState(await restore(), [[old]], true);
      checkState(await template.look(t, { folder }), [[old]], false);
      return false;
    },
    checkDone: async () => void checkState(await restore(), [[old]], false),
  };
};

const restore: Prepare = async ({ t, template }, folder) => {
  template.copyTo(folder, 'source');
  const made = await runCommand(folder, { args: ['backup', 'backup', '--data', 'source'] });
  equal(made.code, 0, made.said);
  return {
    args: ['restore', 'backup', '--to', 'data'],
    async checkKilled() {
      if (!existsSync(join(folder, 'data')) || readdirSync(join(folder, 'data')).length === 0) return false;
      return checkState(await template.look(t, { folder }), [[old]], true);
    },
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

/** An object goes back to a file that was exported before it was changed. */
const importObject: Prepare = async ({ t, template }, folder) => {
  template.copyTo(folder);
  const place = ['Zone', template.zone];
  const file = join(folder, 'zone.sqlite');
  const exported = await runCaptured('objects', 'export', ...place, file, '--data', join(folder, 'data'));
  equal(exported.code, 0, exported.stderr);
  deepEqual(await template.look(t, { folder, add: later }), [old, later]);
  return {
    args: ['objects', 'import', ...place, file, '--data', 'data'],
    checkKilled: async () => !checkState(await template.look(t, { folder }), [[old], [old, later]], false),
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

const restoreObject: Prepare = async ({ t, template }, folder) => {
  const data = template.copyTo(folder);
  const place = ['Zone', template.zone];
  const history = await runCaptured('objects', 'history', ...place, '--json', '--data', data);
  const { bookmark } = JSON.parse(history.stdout.split('\n')[0]!) as { bookmark: string };
  deepEqual(await template.look(t, { folder, add: later }), [old, later]);
  return {
    args: ['objects', 'restore', ...place, bookmark, '--data', 'data'],
    checkKilled: async () => !checkState(await template.look(t, { folder }), [[old], [old, later]], false),
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

const repair: Prepare = async ({ t, template }, folder) => {
  template.copyTo(folder);
  return {
    args: ['objects', 'repair', '--data', 'data'],
    checkKilled: async () => !checkState(await template.look(t, { folder }), [[old]], false),
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

const installRules: Prepare = async ({ t, template }, folder) => {
  const data = template.copyTo(folder);
  return {
    args: ['crs', 'install', testRulesDirectory, '--data', 'data'],
    checkKilled: async () => !checkState(await template.look(t, { folder }), [[old]], false),
    async checkDone() {
      const { stdout } = await runCaptured('crs', 'list', '--data', data);
      ok(stdout.startsWith('* 1.0.0 '), stdout);
      checkState(await template.look(t, { folder }), [[old]], false);
    },
  };
};

/** The objects are moved: the template has another number of hosts. */
const serveOnMoreHosts: Prepare = async ({ t, template }, folder) => {
  template.copyTo(folder);
  return {
    args: ['serve', '--data', 'data', '--port', '0', '--ready-file', 'ready.json'],
    environment: { GATEHOUSE_OBJECT_HOSTS: '3', GATEHOUSE_EDGE_PORT: '0' },
    doneFile: join(folder, 'ready.json'),
    checkKilled: async () => !checkState(await template.look(t, { folder }), [[old]], false),
    checkDone: async () => void checkState(await template.look(t, { folder }), [[old]], false),
  };
};

/** A Worker that says its version. */
function writeWorker(folder: string, version: string): void {
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  const config = { name: 'worker', main: 'index.js', compatibility_date: '2026-11-01' };
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(config));
  writeFileSync(
    join(project, 'index.js'),
    `export default { fetch: () => new Response(${JSON.stringify(version)}) };`,
  );
}

/** What a Worker says that is started as it was left. */
async function askWorker(t: TestContext, folder: string, ...args: string[]): Promise<string> {
  const { server, ready } = await Gatehouse.start(t, { command: 'run', directory: folder, args });
  try {
    const { url } = ready as unknown as { readonly url: string };
    return await (await fetch(url)).text();
  } finally {
    await server.end('SIGTERM');
  }
}

const runWorker = {
  args: ['run', '--data', 'data', '--port', '0', '--ready-file', 'ready.json'],
  environment: { GATEHOUSE_OBJECT_HOSTS: '1' },
};

const deploy: Prepare = async ({ t }, folder) => {
  writeWorker(folder, 'one');
  equal(await askWorker(t, folder, 'project'), 'one');
  writeWorker(folder, 'two');
  return {
    ...runWorker,
    doneFile: join(folder, 'ready.json'),
    whenReady: async () => (await connectOperator(join(folder, 'data')))?.post('/deployments'),
    async checkKilled() {
      ok(['one', 'two'].includes(await askWorker(t, folder)));
      return false;
    },
    checkDone: async () => equal(await askWorker(t, folder), 'two'),
  };
};

const rollBack: Prepare = async ({ t }, folder) => {
  for (const version of ['one', 'two']) {
    writeWorker(folder, version);
    equal(await askWorker(t, folder, 'project'), version);
  }
  return {
    ...runWorker,
    doneFile: join(folder, 'ready.json'),
    whenReady: async () =>
      (await connectOperator(join(folder, 'data')))?.post('/deployments/rollback', { body: { version: 1 } }),
    async checkKilled() {
      ok(['one', 'two'].includes(await askWorker(t, folder)));
      return false;
    },
    checkDone: async () => equal(await askWorker(t, folder), 'one'),
  };
};

export const commands: Readonly<Record<string, Prepare>> = {
  'cluster import': importIntoCluster,
  'cluster export': exportFromCluster,
  backup,
  restore,
  'objects import': importObject,
  'objects restore': restoreObject,
  'objects repair': repair,
  'crs install': installRules,
  deploy,
  rollback: rollBack,
  'serve on another number of object hosts': serveOnMoreHosts,
};
