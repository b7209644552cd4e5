/**
 * Runs test files like `node --test`, each in a process of its own, but not in the order of their names: long files
 * start early, so that no core idles at the end, and files of one kind, such as those with a browser, do not all run
 * concurrently.
 *
 *     node --import ./tools/before-tests.ts tools/run-tests.ts 'src/foundation/base/*.test.ts' test/control/audit.test.ts
 */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { orderTests } from './order-tests.ts';
import { refuseOptions } from './read-options.ts';

/** Fewer would leave two cores idle while tests wait. */
const filesAtOnce = 8;
/** The timeout of a file, and of each of its tests. */
const timeout = 600_000;

const patterns = process.argv.slice(2);
const files = new Set<string>();
for (const pattern of patterns) {
  const found = globSync(pattern);
  // A misspelt name must not count as passed tests.
  if (found.length === 0)
    refuseOptions('usage: npm run test:files FILE …', `there is no test file ${pattern}`);
  for (const file of found) files.add(file);
}

// Until a summary of all files reports success.
process.exitCode = 1;
run({ files: orderTests([...files]), concurrency: filesAtOnce, timeout })
  .on('test:summary', ({ file, success }) => {
    if (file === undefined && success) process.exitCode = 0;
  })
  .compose(new spec())
  .pipe(process.stdout);
