/**
 * Runs the test suites of objects, of the official SDK and of migrations with their objects in a cluster, on a server
 * started for this purpose: `npm run test:cluster`. Parts can be chosen: `npm run test:cluster -- alarms,sdk`, `--
 * history`, `-- conformance`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { PostgresServer } from './postgres-server.ts';

/** In tests of `gatehouse serve`, or of its control plane, each is a host of a separate cluster. */
const suites: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'alarms',
      'critical-sections',
      'directory',
      'faults',
      'input-gate',
      'kv-model',
      'large-objects',
      'lifecycle',
      'limits',
      'operator',
      'output-gate',
      'parking',
      'rebuilds',
      'recovery',
      'recovery-model',
      'retention',
      'stubs',
      'transactions',
      'turns',
      'undo-model',
    ].map((name) => [name, `test/objects/${name}.test.ts`]),
  ),
  'kill-loop': 'test/crash/{kill-loop,api-kill,workflows-kill}.test.ts',
  runtime: 'test/hosts/runtime.test.ts',
  sockets: 'test/sockets/!(hosts).test.ts',
  server: 'test/server/{drain,serve}.test.ts',
  sdk: 'test/sdk/*.test.ts',
  migration: 'test/control/migration*.test.ts',
  control: 'test/control/!(migration*).test.ts',
  edge: 'test/edge/*.test.ts',
  outbound: 'test/outbound/*.test.ts',
  'move-in': 'test/wrangler/move-in.test.ts',
};

/** Separate commands, which start the servers that they need. */
const commands: Readonly<Record<string, readonly string[]>> = {
  history: ['test/cluster/history/run.ts'],
  serializable: ['test/cluster/history/run.ts', '24', 'all', 'none', 'serializable'],
  serve: [
    '--test',
    '--test-timeout=1200000',
    'test/cluster/serve-databases.ts',
    'test/cluster/serve-refusals.ts',
  ],
  pooler: ['--test', '--test-timeout=1200000', 'test/cluster/pooler/through-pgbouncer.ts'],
  conformance: ['tools/run-in.ts', 'conformance', 'conformance.ts', '--cluster'],
};

/** Their tests that wait for the disk of a directory, inspect its files, or have their own hosts. */
const aboutDirectories = [
  'createRuntime refuses a directory',
  'createRuntime that fails lets the directory go',
  'while it waits for the disk',
  'waits for a disk that is slow to read',
  'scrub of a large object',
  'looks after the directory',
  'what to do about a directory or a port that is taken',
  'private keys are encrypted on disk',
  'lists of an account without a record of uses',
  'deleting a list takes one record of the log',
  'can be copied while it is in use',
  'a bookmark whose base image is gone is refused',
  'a restore that is requested while its target is removed',
  'a snapshot that could not be written',
  'ObjectHosts loses nothing acknowledged',
  'when one is started again, the edges look at every zone',
];

async function run(args: readonly string[], database?: string): Promise<void> {
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, ...(database === undefined ? {} : { GATEHOUSE_TEST_DATABASE: database }) },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

const all = [...Object.keys(suites), ...Object.keys(commands)];
const chosen = process.argv[2]?.split(',') ?? all;
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}: choose from ${all.join(', ')}`);
  process.exit(2);
}
const files = chosen.flatMap((name) => globSync(suites[name] ?? []));
if (files.length > 0) {
  const server = await PostgresServer.start();
  try {
    const skipped = aboutDirectories.map((title) => `--test-skip-pattern=${title}`);
    await run(['--test', '--test-timeout=1200000', ...skipped, ...files], server.urlOf('postgres'));
  } finally {
    await server.stop();
  }
}
for (const name of chosen) if (commands[name] !== undefined) await run(commands[name]);
