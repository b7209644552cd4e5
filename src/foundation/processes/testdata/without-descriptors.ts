/** A process without a free descriptor: it starts a child, measures itself, and reports both results. */
import { openSync, writeSync } from 'node:fs';
import { createLog } from '#base';
import { ChildProcess } from '../child-process.ts';
import { describeEnd } from '../end-reason.ts';
import { measureMemory } from '../measured/measure-memory.ts';

const bytes = measureMemory();
try {
  for (;;) openSync(import.meta.filename, 'r');
} catch (error) {
  writeSync(1, `${(error as NodeJS.ErrnoException).code}\n`);
}
const child = new ChildProcess({
  name: 'test 1',
  module: new URL('child.ts', import.meta.url),
  setup: {},
  log: createLog({ level: 'error', format: 'json', write: () => {} }),
});
writeSync(1, `${describeEnd(await child.ended)}\n`);
child.kill({ kind: 'stopped' });
writeSync(1, measureMemory() === bytes ? 'measured before\n' : 'measured\n');
