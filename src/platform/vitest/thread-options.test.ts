import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type PoolOptions, startVitest, type VitestPluginContext } from 'vitest/node';
import { foreseeOptions, isSame, type ThreadOptions } from './thread-options.ts';

/** As in the plugin. */
const conditions = ['workerd', 'worker', 'development|production', 'production'];

test('foreseeOptions knows what Vitest is going to make threads with', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-thread-options-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'a.test.ts'), '');
  let foreseen: ThreadOptions | undefined;
  let given: PoolOptions | undefined;
  const plugin = {
    name: 'no threads',
    configureVitest({ project }: VitestPluginContext) {
      foreseen = foreseeOptions(project);
      project.config.pool = 'none';
      project.config.poolRunner = {
        name: 'none',
        createPoolWorker(options) {
          given = options;
          throw new Error('this test needs no thread');
        },
      };
    },
  };
  const vitest = await startVitest(
    'test',
    [],
    { root, config: false, watch: false, reporters: [{}], env: { OWN: 'yes' }, execArgv: ['--no-warnings'] },
    { plugins: [plugin], ssr: { resolve: { conditions } } },
  );
  await vitest.close();
  // Vitest reported that tests could not run.
  process.exitCode = 0;
  const { distPath, env, execArgv } = given!;
  deepEqual(foreseen, { distPath, env, execArgv });
  equal(isSame(foreseen, given!), true);
  equal(isSame(foreseen, { ...given!, env: { ...env, OWN: 'no' } }), false);
});
