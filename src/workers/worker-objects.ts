/**
 * Where the objects of a Worker live: in this process, or in hosts beside it, each of which loads the code of the Worker for
 * itself.
 */
import { join } from 'node:path';
import type { VirtualClock } from '#base';
import { createBindingClasses, createConsumerStub, type QueueConsumer } from '#bindings';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions } from '#objects';
import type { ConfigSource } from './config/config-file.ts';
import type { WorkerOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { platform } from './platform.ts';

export interface WorkerObjects {
  readonly runtime: ObjectRuntime;
  /** Goes on with the newest code, which is that of the plan; all objects are reset. */
  adopt(plan: Plan): Promise<void>;
}

/** What the hosts of a Worker's objects are given. */
export interface HostedWorkerData extends ConfigSource {
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
  plan: Plan,
  { directory, consumer }: { readonly directory: string; readonly consumer: QueueConsumer },
): Promise<WorkerObjects> {
  const { durability = 'disk', retentionMs } = options;
  const storage = {
    directory,
    durability,
    consumer,
    ...(retentionMs === undefined ? {} : { retentionMs }),
  };
  return options.hosts === undefined
    ? await openHere(options, plan, storage)
    : await openInHosts(options, options.hosts, storage);
}

type Storage = Pick<RuntimeOptions, 'directory' | 'durability' | 'retentionMs'> & {
  readonly consumer: QueueConsumer;
};

async function openHere(
  { log, clock }: WorkerOptions,
  plan: Plan,
  { consumer, ...storage }: Storage,
): Promise<WorkerObjects> {
  const warn = (message: string): void => log.warn(message);
  const { directory } = storage;
  await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
  const stub = createConsumerStub(consumer);
  const allClasses = ({ classes, config }: Plan) => ({
    ...classes,
    ...createBindingClasses(config.declared, {
      namespaceOf: (className) => runtime.namespace(className),
      consumer: () => stub,
      bucketDirectory: bucketDirectory(directory),
      log: warn,
    }),
  });
  const runtime = await createRuntime({
    ...storage,
    classes: allClasses(plan),
    env: platform.env,
    exports: platform.exports,
    ...(clock === undefined ? {} : { clock }),
    log: (message, error) => (error === undefined ? log.error(message) : log.error(error, message)),
  });
  return { runtime, adopt: (next) => runtime.replaceClasses(allClasses(next)) };
}

async function openInHosts(
  { path, environment, clock }: WorkerOptions,
  { count, data, ...settings }: NonNullable<WorkerOptions['hosts']>,
  { consumer, ...storage }: Storage,
): Promise<WorkerObjects> {
  const all: HostedWorkerData = { ...data, path, environment, directory: storage.directory };
  const hosts = await createHosts({
    ...storage,
    ...settings,
    ...(clock === undefined ? {} : { clock: clock as VirtualClock }),
    hosts: count,
    data: all,
    services: { [consumerService]: consumer },
    // What objects print is for whoever looks at the terminal.
    output: 'inherit',
  });
  return { runtime: hosts, adopt: () => hosts.reload(all) };
}
