/**
 * Where the objects of Workers live: in this process, or in hosts beside it, each of which loads the code of the Workers for
 * itself.
 */
import { join } from 'node:path';
import type { VirtualClock } from '#base';
import { createBindingClasses, createConsumerStub, type QueueConsumer } from '#bindings';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions } from '#objects';
import type { WorkerOptions } from './options.ts';
import type { Plan } from './planned-worker.ts';
import type { BuiltProject } from './project.ts';
import type { WorkerSet } from './worker-set.ts';

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

/** What the hosts of the objects of Workers are given. */
export interface ObjectProcessData {
  readonly projects: readonly BuiltProject[];
  readonly directory: string;
}

/** The name by which queues in hosts reach the consumers, which are in the process of the Worker. */
export const consumerService = 'queue-consumer';

/** Where the contents of buckets are, in the directory of the objects. */
export function bucketDirectory(directory: string): string {
  return join(directory, 'buckets');
}

export async function openObjects(
  options: WorkerOptions,
  version: Version,
  { directory, ...code }: { readonly directory: string } & CodePorts,
): Promise<WorkerObjects> {
  const { durability = 'disk', retentionMs } = options;
  const storage = { directory, durability, ...(retentionMs === undefined ? {} : { retentionMs }) };
  return options.hosts === undefined
    ? await openHere(options, version, { ...storage, ...code })
    : await openInHosts(options, version, { ...storage, ...code });
}

/** The code of Workers that runs in this process for objects of ours. */
interface CodePorts {
  readonly consumer: QueueConsumer;
  /** The code of workflows runs where their objects are. */
  readonly workers: WorkerSet;
}

type Storage = Pick<RuntimeOptions, 'directory' | 'durability' | 'retentionMs'> & CodePorts;

async function openHere(
  { log, clock, joinCluster, paused }: WorkerOptions,
  { plan: first }: Version,
  { consumer, workers, ...storage }: Storage,
): Promise<WorkerObjects> {
  const stub = createConsumerStub(consumer);
  const allClasses = ({ classes, declared }: Plan) => ({
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
      : // What a cluster needs here is not kept, and must not take the place of what is.
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
  { projects, plan }: Version,
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
    // What objects print is for the user at the terminal.
    output: 'inherit',
  });
  return {
    runtime: hosts,
    adopt: (version) => hosts.reload(describe(version.projects), { hasClasses: hasClasses(version.plan) }),
  };
}

/** Of its own, or of bindings on objects of ours. */
function hasClasses({ classes, declared }: Plan): boolean {
  return [classes, ...Object.values(declared)].some((each) => Object.keys(each ?? {}).length > 0);
}
