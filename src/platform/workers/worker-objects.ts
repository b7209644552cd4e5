/**
 * The objects of Workers: in this process, or in hosts beside it, each of which loads the code of the Workers itself.
 */
import { join } from 'node:path';
import type { VirtualClock } from '#base';
import { createBindingClasses, createConsumerStub, type QueueConsumer } from '#bindings';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions } from '#objects';
import type { WorkerOptions } from './options.ts';
import type { WorkerPlan } from './planned-worker.ts';
import type { BuiltProject } from './project.ts';
import type { WorkerSet } from './worker-set.ts';

/** One version of the code: as data, and loaded in this process. */
export interface LoadedProjects {
  readonly projects: readonly BuiltProject[];
  readonly plan: WorkerPlan;
}

export interface WorkerObjects {
  readonly runtime: ObjectRuntime;
  /** Switches to this version; all objects are reset. */
  adopt(version: LoadedProjects): Promise<void>;
}

/** The data for the hosts of Workers' objects. */
export interface ObjectProcessData {
  readonly projects: readonly BuiltProject[];
  readonly directory: string;
}

/** The name under which queues in hosts find their consumers, which are in the process of the Worker. */
export const consumerService = 'queue-consumer';

/** The folder with the contents of buckets, in the directory of the objects. */
export function bucketDirectory(directory: string): string {
  return join(directory, 'buckets');
}

export async function openObjects(
  options: WorkerOptions,
  version: LoadedProjects,
  { directory, ...code }: { readonly directory: string } & CodePorts,
): Promise<WorkerObjects> {
  const { durability = 'disk', retentionMs } = options;
  const storage = { directory, durability, ...(retentionMs === undefined ? {} : { retentionMs }) };
  return options.hosts === undefined
    ? await openHere(options, version, { ...storage, ...code })
    : await openInHosts(options, version, { ...storage, ...code });
}

/** The code of Workers in this process that objects of this program call. */
interface CodePorts {
  readonly consumer: QueueConsumer;
  /** The code of workflows runs in the process of their objects. */
  readonly workers: WorkerSet;
}

type Storage = Pick<RuntimeOptions, 'directory' | 'durability' | 'retentionMs'> & CodePorts;

async function openHere(
  { log, clock, joinCluster, paused }: WorkerOptions,
  { plan: first }: LoadedProjects,
  { consumer, workers, ...storage }: Storage,
): Promise<WorkerObjects> {
  const stub = createConsumerStub(consumer);
  const allClasses = ({ classes, declared }: WorkerPlan) => ({
    ...classes,
    ...createBindingClasses(declared, {
      namespaceOf: (className) => runtime.namespace(className),
      consumer: () => stub,
      bucketDirectory: joinCluster === undefined ? bucketDirectory(storage.directory) : undefined,
      workflowOf: (name) => workers.workflowOf(name),
      log: (message) => log.warn(message),
    }),
  });
  const runtime = await createRuntime({
    ...(joinCluster === undefined
      ? await prepareDirectory(storage, log)
      : // Temporary files of a cluster, which must not replace permanent ones.
        { directory: join(storage.directory, 'cluster'), cluster: await joinCluster() }),
    classes: allClasses(first),
    ...(clock === undefined ? {} : { clock }),
    ...(paused === undefined ? {} : { paused }),
    log: (message, error) => (error === undefined ? log.error(message) : log.error(error, message)),
  });
  return { runtime, adopt: ({ plan }) => runtime.replaceClasses(allClasses(plan)) };
}

async function prepareDirectory<S extends Pick<Storage, 'directory'>>(
  storage: S,
  log: WorkerOptions['log'],
): Promise<S> {
  const warn = (message: string): void => log.warn(message);
  const { directory } = storage;
  await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
  return storage;
}

async function openInHosts(
  { clock, hosts: hostOptions }: WorkerOptions,
  { projects, plan }: LoadedProjects,
  { consumer, workers: _workers, ...storage }: Storage,
): Promise<WorkerObjects> {
  const { count, data, ...settings } = hostOptions!;
  const describe = (each: readonly BuiltProject[]): object =>
    ({ ...data, projects: each, directory: storage.directory }) satisfies ObjectProcessData;
  const hosts = await createHosts({
    ...storage,
    ...settings,
    ...(clock === undefined ? {} : { clock: clock as VirtualClock }),
    hosts: count,
    data: describe(projects),
    hasClasses: hasClasses(plan),
    services: { [consumerService]: consumer },
    // The output of objects is for the user at the terminal.
    output: 'inherit',
  });
  return {
    runtime: hosts,
    adopt: (version) => hosts.reload(describe(version.projects), { hasClasses: hasClasses(version.plan) }),
  };
}

/** Its own classes, or bindings to objects of this program. */
function hasClasses({ classes, declared }: WorkerPlan): boolean {
  return [classes, ...Object.values(declared)].some((each) => Object.keys(each ?? {}).length > 0);
}
