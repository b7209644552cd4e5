/** The process of one host. */
import { createLog } from '#base';
import { runChild } from '#processes';
import type { HostSetup } from './host.ts';

runChild(async (_parent, setup) => {
  const { Host } = await import('./host.ts');
  // Its parent takes these lines into its own log.
  const entries = createLog({ level: 'info', format: 'json', write: (line) => process.stdout.write(line) });
  const log = (message: string, error?: unknown): void => entries.warn(message, { error });
  const host = await Host.open({ ...(setup as Omit<HostSetup, 'log'>), log });
  return { value: host.classes, stop: () => host.close() };
});
