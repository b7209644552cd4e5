/** The process of one host. */
import { createLog, realClock } from '#base';
import { runChild } from '#processes';
import type { HostSetup } from './host.ts';
import { statsMs } from './limits.ts';

runChild(async (parent, setup) => {
  const { Host } = await import('./host.ts');
  // The parent process adds these lines to its own log.
  const entries = createLog({ level: 'info', format: 'json', write: (line) => process.stdout.write(line) });
  const log = (message: string, error?: unknown): void => entries.warn(message, { error });
  const host = await Host.open({ ...(setup as Omit<HostSetup, 'log'>), log });
  const report = (): void => {
    void parent.send({ stats: host.stats() });
    realClock.setTimer(realClock.now() + statsMs, report, 'housekeeping');
  };
  report();
  return { value: { classes: host.classes, stats: host.stats() }, stop: () => host.close() };
});
