/** A parent for the tests that is killed itself: prints the process ids of its children when they are ready. */
import { createLog } from '#base';
import { ChildProcess } from '../child-process.ts';

const log = createLog({ level: 'error', format: 'json', write: () => {} });
const children = ['idle', 'loop'].map(
  (name) =>
    new ChildProcess({
      name,
      module: new URL('./child.ts', import.meta.url),
      setup: {},
      log,
      // The end of its parent must end the looping child, not this limit.
      stuckMs: 60_000,
    }),
);
await Promise.all(children.map(({ ready }) => ready));
await children[1]!.send('loop');
process.stdout.write(`${JSON.stringify(children.map(({ pid }) => pid))}\n`);
