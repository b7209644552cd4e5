/** Commands that run Workers, and change which version of one runs. */
import { equal, ok } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connectOperator } from '#operator';
import { Gatehouse } from '../../server/gatehouse.ts';
import { type Attempt, copyOf, type KilledCommand } from '../attempt.ts';

/** A Worker that returns its version. */
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

/** The response of a Worker that is started after the kill. */
async function askWorker(t: TestContext, folder: string, ...args: string[]): Promise<string> {
  const { server, ready } = await Gatehouse.start(t, { command: 'run', directory: folder, args });
  try {
    const { url } = ready as unknown as { readonly url: string };
    return await (await fetch(url)).text();
  } finally {
    await server.end('SIGTERM');
  }
}

/** The command is killed while it serves, or before. */
function runServing(folder: string, ...args: string[]): Pick<Attempt, 'args' | 'doneFile'> {
  return {
    args: ['run', ...args, '--data', 'data', '--port', '0', '--ready-file', 'ready.json'],
    doneFile: join(folder, 'ready.json'),
  };
}

const firstRun: KilledCommand = {
  decisive: /^rename data\/versions\/state\.json/,
  isOnlyInSweep: true,
  async prepare({ t }, folder) {
    writeWorker(folder, 'one');
    return {
      ...runServing(folder, 'project'),
      checkKilled: async () => false,
      checkDone: async () => equal(await askWorker(t, folder), 'one'),
    };
  },
};

/** One version runs, and the project that it was deployed from has changed since. */
const copyOfOne = copyOf(async ({ t }, folder) => {
  writeWorker(folder, 'one');
  equal(await askWorker(t, folder, 'project'), 'one');
  writeWorker(folder, 'two');
});

const copyOfTwo = copyOf(async ({ t }, folder) => {
  for (const version of ['one', 'two']) {
    writeWorker(folder, version);
    equal(await askWorker(t, folder, 'project'), version);
  }
});

/** Either version runs after it was killed. */
function checkVersions(
  t: TestContext,
  folder: string,
  wanted: string,
): Pick<Attempt, 'checkKilled' | 'checkDone'> {
  return {
    async checkKilled() {
      ok(['one', 'two'].includes(await askWorker(t, folder)));
      return false;
    },
    checkDone: async () => equal(await askWorker(t, folder), wanted),
  };
}

const deploy: KilledCommand = {
  decisive: /^rename data\/versions\/state\.json/,
  async prepare(parts, folder) {
    await copyOfOne(parts, folder);
    return {
      ...runServing(folder),
      whenReady: async () => (await connectOperator(join(folder, 'data')))?.post('/deployments'),
      ...checkVersions(parts.t, folder, 'two'),
    };
  },
};

const rollback: KilledCommand = {
  decisive: /^rename data\/versions\/state\.json/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    await copyOfTwo(parts, folder);
    return {
      ...runServing(folder),
      whenReady: async () =>
        (await connectOperator(join(folder, 'data')))?.post('/deployments/rollback', {
          body: { version: 1 },
        }),
      ...checkVersions(parts.t, folder, 'one'),
    };
  },
};

export const workerCommands = { run: firstRun, deploy, rollback };
