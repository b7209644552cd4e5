/**
 * Where the objects of a Worker live: in this process, or in hosts beside it, each of which loads the code of the Worker for
 * itself.
 */
import { join } from 'node:path';
import type { VirtualClock } from '#base';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions } from '#objects';
import type { WorkerOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { platform } from './platform.ts';

export interface WorkerObjects {
  readonly runtime: ObjectRuntime;
  /** Goes on with the newest code, which is that of the plan; all objects are reset. */
  adopt(plan: Plan): Promise<void>;
}

export async function openObjects(
  options: WorkerOptions,
  plan: Plan,
  directory: string,
): Promise<WorkerObjects> {
  const { durability = 'disk', retentionMs } = options;
  const storage = { directory, durability, ...(retentionMs === undefined ? {} : { retentionMs }) };
  return options.hosts === undefined
    ? await openHere(options, plan, storage)
    : await openInHosts(options, options.hosts, storage);
}

type Storage = Pick<RuntimeOptions, 'directory' | 'durability' | 'retentionMs'>;

async function openHere(
  { log, clock, joinCluster }: WorkerOptions,
  { classes }: Plan,
  storage: Storage,
): Promise<WorkerObjects> {
  const runtime = await createRuntime({
    ...(joinCluster === undefined
      ? await prepareDirectory(storage, log)
      : // What a cluster needs here is not kept, and must not take the place of what is.
        { directory: join(storage.directory, 'cluster'), cluster: await joinCluster() }),
    classes,
    env: platform.env,
    exports: platform.exports,
    ...(clock === undefined ? {} : { clock }),
    log: (message, error) => (error === undefined ? log.error(message) : log.error(error, message)),
  });
  return { runtime, adopt: (plan) => runtime.replaceClasses(plan.classes) };
}

async function prepareDirectory(storage: Storage, log: WorkerOptions['log']): Promise<Storage> {
  const warn = (message: string): void => log.warn(message);
  const { directory } = storage;
  await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
  return storage;
}

async function openInHosts(
  { path, environment, clock }: WorkerOptions,
  { count, data, ...settings }: NonNullable<WorkerOptions['hosts']>,
  storage: Storage,
): Promise<WorkerObjects> {
  const all = { ...data, path, environment };
  const hosts = await createHosts({
    ...storage,
    ...settings,
    ...(clock === undefined ? {} : { clock: clock as VirtualClock }),
    hosts: count,
    data: all,
    // What objects print is for whoever looks at the terminal.
    output: 'inherit',
  });
  return { runtime: hosts, adopt: () => hosts.reload(all) };
}
