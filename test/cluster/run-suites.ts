/** Runs tests of objects with their objects in a cluster, on a server that is started for them: `npm run test:cluster`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PostgresServer } from './postgres-server.ts';

/** What is about a data directory (its files, backups, damage) is not about objects in a cluster. */
const suites = [
  'alarms',
  'critical-sections',
  'input-gate',
  'kv-model',
  'lifecycle',
  'limits',
  'operator',
  'output-gate',
  'parking',
  'recovery',
  'recovery-model',
  'stubs',
  'transactions',
  'turns',
  'undo-model',
];

const server = await PostgresServer.start();
try {
  const [chosen = suites.join()] = process.argv.slice(2);
  const files = chosen.split(',').map((name) => `test/objects/${name}.test.ts`);
  const child = spawn(process.execPath, ['--test', '--test-timeout=600000', ...files], {
    stdio: 'inherit',
    env: { ...process.env, GATEHOUSE_TEST_DATABASE: server.urlOf('postgres') },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await server.stop();
}
