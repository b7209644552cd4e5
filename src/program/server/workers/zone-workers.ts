/**
 * Workers that are origins of zones. Each runs in a process of its own, which only the edge can reach: through a socket
 * of the file system, in a folder that other users cannot enter. A Worker that does not start does not prevent the
 * others, or the program, from starting: its zones answer that their origin cannot be reached, and it is retried at the
 * next reload.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import type { PrivateListener } from '#listeners';
import type { ForbiddenEndpoint } from '#outbound';
import { BoundSocket } from '#processes';
import type { Metric } from '#metrics';
import {
  createSocketFolder,
  DeployedWorker,
  describePart,
  openWorkerDoor,
  workersFolder,
} from '#deployments';
import type { Config } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import type { OutOfService } from '../out-of-service.ts';
import { countObjectProcesses } from '../object-processes.ts';

interface ZoneWorkersParts {
  readonly config: Config;
  readonly log: Log;
  readonly outOfService: OutOfService;
}

interface ZoneWorker {
  readonly name: string;
  readonly path: string;
  readonly socket: BoundSocket;
  deployed: DeployedWorker | undefined;
  door: PrivateListener | undefined;
}

export class ZoneWorkers {
  readonly #config: Config;
  readonly #log: Log;
  readonly #outOfService: OutOfService;
  readonly #folder: string;
  readonly #workers: readonly ZoneWorker[];
  #ownListeners: readonly ForbiddenEndpoint[] = [];

  private constructor({ config, log, outOfService }: ZoneWorkersParts, folder: string) {
    this.#config = config;
    this.#log = log;
    this.#outOfService = outOfService;
    this.#folder = folder;
    this.#workers = Object.entries(config.settings.workers).map(([name, path], index) => ({
      name,
      path,
      socket: BoundSocket.bindPath(join(folder, `${index}.sock`)),
      deployed: undefined,
      door: undefined,
    }));
  }

  /** Binds their sockets: connections wait until the Worker serves. Undefined if there are none. */
  static bind({ config, log, outOfService }: ZoneWorkersParts): ZoneWorkers | undefined {
    if (Object.keys(config.settings.workers).length === 0) return undefined;
    return new ZoneWorkers({ config, log, outOfService }, createSocketFolder());
  }

  get names(): readonly string[] {
    return this.#workers.map(({ name }) => name);
  }

  /** The socket path of each, by name. */
  get sockets(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#workers.map(({ name, socket }) => [name, socket.path!]));
  }

  /** Resolves when each has started or failed. Their code may never connect to the listeners. */
  async start(ownListeners: readonly ForbiddenEndpoint[]): Promise<void> {
    this.#ownListeners = ownListeners;
    await Promise.all(this.#workers.map((worker) => this.#start(worker)));
  }

  /** Deploys the current state of their projects, and starts those that are not running. */
  async reload(): Promise<void> {
    await Promise.all(
      this.#workers.map(async (worker) => {
        if (worker.deployed === undefined) return await this.#start(worker);
        try {
          await worker.deployed.deploy();
        } catch (error) {
          this.#log.error('could not deploy a Worker', {
            worker: worker.name,
            reason: (error as Error).message,
          });
        }
        return undefined;
      }),
    );
  }

  async readMetrics(): Promise<readonly Metric[]> {
    const all = await Promise.all(
      this.#workers.map(async ({ deployed }) => (await deployed?.readMetrics()) ?? []),
    );
    return all.flat();
  }

  /** Called before the edge closes: the messages travel over its connections to them. */
  async retireSockets(options: { readonly graceMs: number }): Promise<void> {
    await Promise.all(this.#workers.map(async ({ deployed }) => deployed?.retireSockets(options)));
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const closed = this.#workers.map(async ({ door }) => door?.close());
    for (const { socket } of this.#workers) socket.close();
    await Promise.all(this.#workers.map(async ({ deployed }) => deployed?.stop({ graceMs })));
    await Promise.all(closed);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(worker: ZoneWorker): Promise<void> {
    const { settings } = this.#config;
    const { name, path, socket } = worker;
    const directory = join(settings.data, workersFolder, name);
    const log = this.#log;
    try {
      claimDataDirectory(directory, 'Worker', log.warn);
      worker.deployed = await DeployedWorker.start({
        name,
        project: { path, environment: undefined, workers: [] },
        directory,
        settings,
        countObjectProcesses: () => countObjectProcesses(settings, directory),
        logsRequests: false,
        log,
        listeners: [{ kind: 'edge', socket }],
        ownListeners: this.#ownListeners,
      });
      worker.door = await openWorkerDoor(worker.deployed, { directory, log });
      this.#outOfService.clear(describePart(name));
      log.info('a Worker is running', { worker: name, version: worker.deployed.current.number });
    } catch (error) {
      log.error('a Worker is not running; its zones cannot reach their origin', {
        worker: name,
        reason: (error as Error).message,
      });
      this.#outOfService.note(describePart(name), error, () => worker.deployed?.isRunning === true);
    }
  }
}
