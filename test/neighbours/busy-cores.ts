import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** One process for each core that never pauses. */
export function keepCoresBusy(): Disposable {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return { [Symbol.dispose]: () => busy.forEach((each) => each.kill('SIGKILL')) };
}
