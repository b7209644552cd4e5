/**
 * Runs tests of objects, of the official SDK and of migrations with their objects in a cluster, on a server that is started
 * for them: `npm run test:cluster`, or `npm run test:cluster -- recovery,sdk` for some of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { PostgresServer } from './postgres-server.ts';

/**
 * What is about a data directory (its files, backups, damage) is not about objects in a cluster. The model of recovery takes too
 * long here: each of its hundreds of restores reads the whole log of the object.
 */
const objectSuites = [
  'alarms',
  'critical-sections',
  'kv-model',
  'lifecycle',
  'limits',
  'operator',
  'parking',
  'recovery',
  'stubs',
  'transactions',
  'undo-model',
];

/** What runs `gatehouse serve`, or its control plane: each is then a host of a cluster of its own. */
const serveSuites: Readonly<Record<string, string>> = {
  sdk: 'test/sdk/*.test.ts',
  migration: 'test/control/migration*.test.ts',
};

/** Tests in them that hold up the disk of a directory, or look at its files. */
const aboutDirectories = [
  'set again right after the last retry failed',
  'waits for a disk that is slow to read',
  'a snapshot that could not be written',
  'pages that were free when a snapshot was taken',
];

const server = await PostgresServer.start();
try {
  const all = [...objectSuites, ...Object.keys(serveSuites)];
  const [chosen = all.join()] = process.argv.slice(2);
  const files = chosen
    .split(',')
    .flatMap((name) => globSync(serveSuites[name] ?? `test/objects/${name}.test.ts`));
  const skipped = aboutDirectories.map((title) => `--test-skip-pattern=${title}`);
  const child = spawn(process.execPath, ['--test', '--test-timeout=600000', ...skipped, ...files], {
    stdio: 'inherit',
    env: { ...process.env, GATEHOUSE_TEST_DATABASE: server.urlOf('postgres') },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await server.stop();
}
