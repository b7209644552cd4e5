/**
 * Where the objects of Workers live: in this process, or in hosts beside it, each of which loads the code of the Workers for
 * itself.
 */
import type { VirtualClock } from '#base';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions } from '#objects';
import type { HostedWorkerData } from './hosted-worker.ts';
import type { WorkerOptions } from './options.ts';
import type { Plan } from './plan.ts';
import type { BuiltProject } from './project.ts';

/** One version of the code: as data, and loaded in this process. */
export interface Version {
  readonly projects: readonly BuiltProject[];
  readonly plan: Plan;
}

export interface WorkerObjects {
  readonly runtime: ObjectRuntime;
  /** Goes on with this version; all objects are reset. */
  adopt(version: Version): Promise<void>;
}

export async function openObjects(
  options: WorkerOptions,
  version: Version,
  directory: string,
): Promise<WorkerObjects> {
  const { durability = 'disk', retentionMs } = options;
  const storage = { directory, durability, ...(retentionMs === undefined ? {} : { retentionMs }) };
  return options.hosts === undefined
    ? await openHere(options, version, storage)
    : await openInHosts(options, version, storage);
}

type Storage = Pick<RuntimeOptions, 'directory' | 'durability' | 'retentionMs'>;

async function openHere(
  { log, clock }: WorkerOptions,
  { plan }: Version,
  storage: Storage,
): Promise<WorkerObjects> {
  const warn = (message: string): void => log.warn(message);
  const { directory } = storage;
  await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
  const runtime = await createRuntime({
    ...storage,
    classes: plan.classes,
    ...(clock === undefined ? {} : { clock }),
    log: (message, error) => (error === undefined ? log.error(message) : log.error(error, message)),
  });
  return { runtime, adopt: (version) => runtime.replaceClasses(version.plan.classes) };
}

async function openInHosts(
  { clock, hosts: hostOptions }: WorkerOptions,
  { projects }: Version,
  storage: Storage,
): Promise<WorkerObjects> {
  const { count, data, ...settings } = hostOptions!;
  const describe = (each: readonly BuiltProject[]): object =>
    ({ ...data, projects: each }) satisfies HostedWorkerData;
  const hosts = await createHosts({
    ...storage,
    ...settings,
    ...(clock === undefined ? {} : { clock: clock as VirtualClock }),
    hosts: count,
    data: describe(projects),
    // What objects print is for whoever looks at the terminal.
    output: 'inherit',
  });
  return { runtime: hosts, adopt: (version) => hosts.reload(describe(version.projects)) };
}
