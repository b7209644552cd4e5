/**
 * A Worker that is built from a project on this machine, with its earlier versions. A version that does not load never
 * replaces a running one; `ServedWorker` lists the other promises.
 */
import type { SecureContextOptions } from 'node:tls';
import { assert, StartError } from '#base';
import type { Metric } from '#metrics';
import {
  type Candidate,
  DeployError,
  describeFailure,
  ServedWorker,
  type ServedWorkerOptions,
} from './served-worker.ts';
import { type Project, type StoredVersion, VersionStore } from './version-store.ts';

interface DeployedWorkerOptions extends ServedWorkerOptions {
  /** The project to deploy; if undefined, the version that ran last. */
  readonly project: Project | undefined;
}

export interface DeployResult {
  readonly version: StoredVersion;
  /** False if it is already running. */
  readonly isNew: boolean;
}

export class DeployedWorker {
  readonly #options: DeployedWorkerOptions;
  readonly #versions: VersionStore;
  readonly #served: ServedWorker<Pick<StoredVersion, 'number'>>;

  private constructor(options: DeployedWorkerOptions) {
    this.#options = options;
    const versions = new VersionStore(options.directory);
    this.#versions = versions;
    this.#served = new ServedWorker(options, ({ number }) => ({
      folder: versions.folderOf(number),
      code: undefined,
    }));
  }

  /** Resolves once it serves. */
  static async start(options: DeployedWorkerOptions): Promise<DeployedWorker> {
    const worker = new DeployedWorker(options);
    try {
      const { version, child } = await worker.#chooseFirst();
      await worker.#served.start(version, child);
      worker.#versions.setCurrent(version);
      return worker;
    } catch (error) {
      await worker.stop({ graceMs: 0 });
      if (error instanceof StartError) throw error;
      throw new StartError(`the Worker ${options.name} does not start: ${describeFailure(error)}`, {
        cause: error,
      });
    }
  }

  get isRunning(): boolean {
    return this.#served.isRunning;
  }

  get current(): StoredVersion {
    const { current } = this.#versions;
    assert(current !== undefined, 'a deployed Worker has a version');
    return current;
  }

  /** Oldest first. */
  list(): StoredVersion[] {
    return this.#versions.list();
  }

  /** Deploys the current state of the project; by default the one of the last deployment. */
  deploy(project?: Project): Promise<DeployResult> {
    return this.#served.inTurn(async () => {
      const before = this.current;
      const { path, environment, workers } = project ?? before;
      try {
        const built = await this.#build({ path, environment, workers }, before);
        return built === undefined ? { version: before, isNew: false } : await this.#switchTo(built);
      } catch (error) {
        if (error instanceof DeployError) throw error;
        this.#served.count('refused');
        throw new DeployError(`version ${before.number} keeps running: ${describeFailure(error)}`, {
          cause: error,
        });
      }
    });
  }

  /** Rolls back to a version; by default to the previous one. */
  rollBack(number?: number): Promise<DeployResult> {
    return this.#served.inTurn(async () => {
      const version = number === undefined ? this.#versions.previous : this.#versions.get(number);
      if (version === undefined) {
        const kept = this.list().map((each) => each.number);
        throw new DeployError(
          number === undefined
            ? 'there is no earlier version to go back to'
            : `there is no version ${number}; stored versions: ${kept.join(', ')}`,
        );
      }
      const { number: running } = this.current;
      if (version.number === running) return { version, isNew: false };
      const { child } = await this.#served.load(version).catch((error: unknown) => {
        this.#served.count('refused');
        throw new DeployError(
          `version ${running} keeps running: version ${version.number} does not load: ${describeFailure(error)}`,
          { cause: error },
        );
      });
      return await this.#switchTo({ version, child });
    });
  }

  /** New connections get the current certificate. */
  renewTls(context: SecureContextOptions): Promise<void> {
    return this.#served.send({ kind: 'tls', context });
  }

  /** Asks clients with a WebSocket to reconnect, as a stop does: for an edge in front that is about to close. */
  retireSockets({ graceMs }: { readonly graceMs: number }): Promise<void> {
    return this.#served.send({ kind: 'retire sockets', graceMs });
  }

  readMetrics(): Promise<readonly Metric[]> {
    return this.#served.readMetrics();
  }

  stop(options: { readonly graceMs: number }): Promise<void> {
    return this.#served.stop(options);
  }

  async #chooseFirst(): Promise<
    Partial<Candidate<StoredVersion>> & Pick<Candidate<StoredVersion>, 'version'>
  > {
    const { project, directory } = this.#options;
    const last = this.#versions.current;
    const built = project === undefined ? undefined : await this.#build(project, last);
    if (built !== undefined) return built;
    if (last !== undefined) return { version: last };
    throw new StartError(`no Worker has been deployed to ${directory} yet: specify its project`);
  }

  /** A new version, loaded by a process that waits for the objects; undefined if it equals `like`. */
  async #build(
    project: Project,
    like: StoredVersion | undefined,
  ): Promise<Candidate<StoredVersion> | undefined> {
    const number = this.#versions.reserve();
    const folder = this.#versions.folderOf(number);
    const { child, loaded } = await this.#served
      .load({ number }, { folder, code: { kind: 'project', project } })
      .catch((error: unknown) => {
        this.#versions.remove(number);
        throw new Error(`version ${number} does not load: ${describeFailure(error)}`, { cause: error });
      });
    const digest = loaded.digest!;
    if (digest !== like?.digest) return { version: this.#versions.finish(number, project, digest), child };
    await child.stop({ graceMs: 0 });
    this.#versions.remove(number);
    return undefined;
  }

  async #switchTo(candidate: Candidate<StoredVersion>): Promise<DeployResult> {
    const { version } = candidate;
    await this.#served.switchTo(candidate, {
      onFailed: () => {
        // Versions that ran before are kept.
        if (this.list().at(-1)?.number === version.number) this.#versions.remove(version.number);
      },
    });
    this.#versions.setCurrent(version);
    return { version, isNew: true };
  }
}
