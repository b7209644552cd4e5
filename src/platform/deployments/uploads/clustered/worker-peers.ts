/**
 * The messages between the hosts of a cluster about uploaded Workers. The account holds the deployments, and the
 * database ensures that two versions never have the same objects; these messages make changes fast, and let a tail see
 * all hosts.
 */
import type { Cluster } from '#cluster';
import { RpcTarget } from '#objects';
import { askHostsMsMax, followedMs, pausedMsMax, followNoticeMs } from '../../limits.ts';

export interface WorkerPeersOptions {
  readonly cluster: Pick<Cluster, 'offer' | 'findOffer' | 'otherHosts' | 'hostId'>;
  /** Stops the process of a Worker; its requests wait. */
  readonly pause: (name: string) => Promise<void>;
  /** Applies the deployments in the account. */
  readonly follow: () => Promise<void>;
  /** Workers that are followed at this host. */
  readonly listFollowed: () => readonly string[];
  /** This host has become the first, or no longer is. */
  readonly onFirst: () => void;
  /** Another host follows the calls of a Worker, or no longer does. */
  readonly onFollowed: (names: readonly string[]) => void;
  /** A call of a Worker at another host. */
  readonly publish: (name: string, text: string) => void;
}

interface Port {
  pause(name: string): Promise<void>;
  follow(): Promise<void>;
  readCalls(host: string, names: readonly string[]): Promise<void>;
  publish(name: string, text: string): Promise<void>;
}

const portName = 'workers';

/** Calls in transit to another host; further ones are dropped, as for a reader that is too slow. */
const sendingMax = 200;

export class WorkerPeers implements Disposable {
  readonly #options: WorkerPeersOptions;
  /** The Workers that other hosts follow, and how long their reports are valid. */
  readonly #readers = new Map<
    string,
    { readonly names: ReadonlySet<string>; readonly timer: NodeJS.Timeout }
  >();
  readonly #timer: NodeJS.Timeout;
  #hasReported = false;
  #wasFirst: boolean;
  #sending = 0;

  constructor(options: WorkerPeersOptions) {
    this.#options = options;
    options.cluster.offer(portName, new WorkerPort(options, (host, names) => this.#note(host, names)));
    this.#wasFirst = this.isFirst;
    this.#timer = setInterval(() => {
      void this.notifyFollowed();
      if (this.isFirst !== this.#wasFirst) options.onFirst();
      this.#wasFirst = this.isFirst;
    }, followNoticeMs).unref();
  }

  /** Whether this host does the work of a single host, such as calling Workers on schedule. */
  get isFirst(): boolean {
    const { hostId, otherHosts } = this.#options.cluster;
    return otherHosts.every((host) => hostId < host);
  }

  /** Resolves when no other host runs the Worker; a host that does not answer is ignored. */
  async pause(name: string): Promise<void> {
    await this.#ask((port) => port.pause(name));
  }

  /**
   * Resolves when no other host runs these Workers. They would resume the deployed versions after a while: until this
   * is disposed, they are repeatedly asked to wait.
   */
  async keepPaused(names: readonly string[]): Promise<Disposable> {
    const pause = async (): Promise<void> => void (await Promise.all(names.map((name) => this.pause(name))));
    await pause();
    const timer = setInterval(() => void pause(), pausedMsMax / 4);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Resolves when the other hosts run the deployed versions; hosts that do not answer are ignored. */
  async follow(): Promise<void> {
    await this.#ask((port) => port.follow());
  }

  /** Whether another host follows the calls of a Worker. */
  isFollowed(name: string): boolean {
    return [...this.#readers.values()].some(({ names }) => names.has(name));
  }

  /** Reports to the other hosts which Workers are followed here; repeated, so that new hosts receive it. */
  async notifyFollowed(): Promise<void> {
    const names = this.#options.listFollowed();
    if (names.length === 0 && !this.#hasReported) return;
    this.#hasReported = names.length > 0;
    await this.#ask((port) => port.readCalls(this.#options.cluster.hostId, names));
  }

  /** A call of a Worker at this host. */
  publish(name: string, text: string): void {
    for (const [host, { names }] of this.#readers) {
      if (!names.has(name) || this.#sending >= sendingMax) continue;
      this.#sending++;
      void this.#open(host)
        .then((port) => port.publish(name, text))
        .catch(() => {})
        .finally(() => this.#sending--);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const { timer } of this.#readers.values()) clearTimeout(timer);
    this.#readers.clear();
  }

  #note(host: string, names: readonly string[]): void {
    const before = this.#readers.get(host);
    clearTimeout(before?.timer);
    if (names.length === 0) this.#readers.delete(host);
    else {
      const timer = setTimeout(() => this.#note(host, []), followedMs).unref();
      this.#readers.set(host, { names: new Set(names), timer });
    }
    this.#options.onFollowed([...new Set([...(before?.names ?? []), ...names])]);
  }

  async #ask(question: (port: Port) => Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, askHostsMsMax);
    const asked = this.#options.cluster.otherHosts.map(async (host) => question(await this.#open(host)));
    await Promise.race([Promise.allSettled(asked), late.promise]);
    clearTimeout(timer);
  }

  async #open(host: string): Promise<Port> {
    const port: Port = await this.#options.cluster.findOffer(host, portName);
    return port;
  }
}

class WorkerPort extends RpcTarget implements Port {
  readonly #options: WorkerPeersOptions;
  readonly #note: (host: string, names: readonly string[]) => void;

  constructor(options: WorkerPeersOptions, note: (host: string, names: readonly string[]) => void) {
    super();
    this.#options = options;
    this.#note = note;
  }

  async pause(name: string): Promise<void> {
    await this.#options.pause(name);
  }

  async follow(): Promise<void> {
    await this.#options.follow();
  }

  async readCalls(host: string, names: readonly string[]): Promise<void> {
    this.#note(host, names);
  }

  async publish(name: string, text: string): Promise<void> {
    this.#options.publish(name, text);
  }
}
