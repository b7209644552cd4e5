/**
 * The KV namespaces, D1 databases, queues and R2 buckets of the account: objects in a separate process, which uploaded
 * Workers and the API call. It starts when one of them has, or is to have, content. Acknowledged writes are on disk.
 */
import { extname, join } from 'node:path';
import type { Log } from '#base';
import type { PrivateListener } from '#listeners';
import {
  bindingClassNames,
  type DeliveredMessage,
  findStoreModule,
  queueDelivery,
  type QueueMetrics,
  type QueueSettings,
  type StoreProcessData,
} from '#bindings';
import { type Fault, fault, workerCodes } from '#contract';
import { type StoreHost, StoreTransfers } from '#control';
import { type ClusterPlaces, type QueueBatch, type QueueOutcome, storesFolder } from '#deployments';
import { createHosts, type HostsPlace, type ObjectHosts } from '#hosts';
import { RpcTarget } from '#objects';
import { createDirectoryHandlers, openDoor } from '#operator';
import type { Config } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import type { OutOfService } from '../out-of-service.ts';
import type { ClusteredStoresData } from './store-process.ts';

const dayMs = 86_400_000;

/** The delay before stores that failed to open are retried: each attempt costs a process. */
const retryMs = 10_000;

/** Calls the Worker that consumes a queue; undefined if it is not running. */
type Deliver = (script: string, batch: QueueBatch) => Promise<QueueOutcome | undefined>;

export interface AccountStoresOptions {
  readonly config: Config;
  readonly log: Log;
  readonly deliver: Deliver;
  /** Receives the reason why they do not open. */
  readonly outOfService: OutOfService;
  /** Present on a host of a cluster. */
  readonly places: ClusterPlaces | undefined;
}

/** A queue in the account. */
interface KnownQueue {
  readonly name: string;
  readonly script: string | undefined;
  readonly settings: QueueSettings;
}

export class AccountStores implements StoreHost {
  readonly transfers = new StoreTransfers();
  readonly #options: AccountStoresOptions;
  readonly #consumers = new Map<string, string>();
  #opening: Promise<ObjectHosts> | undefined;
  #hosts: ObjectHosts | undefined;
  #door: PrivateListener | undefined;
  #isStopping = false;
  #failed: { readonly fault: Fault; readonly atMs: number } | undefined;

  constructor(options: AccountStoresOptions) {
    this.#options = options;
  }

  get obstacle(): string | undefined {
    return this.#isStopping ? 'the program is stopping' : undefined;
  }

  /** The place at which Workers reach them; undefined until they are open. */
  get place(): HostsPlace | undefined {
    return this.#hosts?.place;
  }

  /** Rejects with the fault while data in their folder is damaged; the next attempt is made after a while. */
  open(): Promise<ObjectHosts> {
    const { outOfService } = this.#options;
    if (this.#failed !== undefined && performance.now() - this.#failed.atMs < retryMs)
      return Promise.reject(this.#failed.fault);
    this.#opening ??= this.#open().then(
      (hosts) => {
        this.#failed = undefined;
        outOfService.clear(storesFolder);
        return hosts;
      },
      (error: unknown) => {
        this.#opening = undefined;
        outOfService.note(storesFolder, error);
        const reason = (error as Error).message;
        const refusal = fault(workerCodes.outOfService, { fill: { part: storesFolder, reason } });
        this.#failed = { fault: refusal, atMs: performance.now() };
        throw refusal;
      },
    );
    return this.#opening;
  }

  setConsumer(queue: string, script: string | undefined): void {
    if (script === undefined) this.#consumers.delete(queue);
    else this.#consumers.set(queue, script);
  }

  /** Sets the consumers of all queues, from the account. */
  useConsumers(queues: readonly Pick<KnownQueue, 'name' | 'script'>[]): void {
    this.#consumers.clear();
    for (const { name, script } of queues) this.setConsumer(name, script);
  }

  /** Continues pending work: alarms of expiring values, and queues. Undefined if the account has no stores. */
  async resume(queues: readonly KnownQueue[] | undefined): Promise<void> {
    if (queues === undefined || this.obstacle !== undefined) return;
    this.useConsumers(queues);
    const runtime = await this.open().catch(() => undefined);
    // Reported: callers that need them get the reason, and everything else runs.
    if (runtime === undefined) return;
    // A change just before the program ended may not have arrived.
    await Promise.all(
      queues.map(({ name, settings }) =>
        runtime
          .namespace(bindingClassNames.queues)
          .getByName(name)
          .configure(settings)
          .catch((error: unknown) =>
            this.#options.log.error('cannot open a queue; the others continue', { queue: name, error }),
          ),
      ),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#door?.close();
    await (await this.#opening?.catch(() => undefined))?.close();
  }

  async #open(): Promise<ObjectHosts> {
    const { config, log, deliver } = this.#options;
    const { settings } = config;
    const directory = join(settings.data, storesFolder);
    claimDataDirectory(directory, 'Worker', log.warn);
    const cluster = this.#options.places?.stores;
    const data: StoreProcessData | ClusteredStoresData =
      cluster === undefined ? { bucketDirectory: join(directory, 'buckets') } : { cluster };
    this.#hosts = await createHosts({
      directory,
      hosts: 1,
      module: cluster === undefined ? findStoreModule() : clusteredModule(),
      data,
      durability: settings.durability,
      retentionMs: settings.historyDays * dayMs,
      cpuMsMax: settings.objectHostStuck,
      statementMsMax: settings.objectStatementStuck,
      heapBytesMax: settings.objectHostBytes,
      services: { [queueDelivery]: new QueueDelivery(this.#consumers, deliver) },
      log,
    });
    this.#door = await openDoor({
      directory,
      handlers: createDirectoryHandlers({ directory, runtime: this.#hosts }),
      onError: (error) => log.error('a request of an operator failed', { error }),
      warn: (message) => log.warn(message),
    });
    return this.#hosts;
  }
}

/** The module of their process on a host of a cluster. */
function clusteredModule(): URL {
  return new URL(`./store-process${extname(import.meta.filename)}`, import.meta.url);
}

/** Called by queues, from their process. */
class QueueDelivery extends RpcTarget {
  readonly #consumers: ReadonlyMap<string, string>;
  readonly #deliver: Deliver;

  constructor(consumers: ReadonlyMap<string, string>, deliver: Deliver) {
    super();
    this.#consumers = consumers;
    this.#deliver = deliver;
  }

  /** Rejects if the Worker cannot be reached: the messages stay, without counting as an attempt. */
  async consume(
    queue: string,
    messages: readonly DeliveredMessage[],
    metrics: QueueMetrics,
  ): Promise<QueueOutcome> {
    const script = this.#consumers.get(queue);
    const outcome =
      script === undefined ? undefined : await this.#deliver(script, [queue, messages, metrics]);
    if (outcome === undefined) throw new Error(`the Worker that consumes ${queue} is not running`);
    return outcome;
  }
}
