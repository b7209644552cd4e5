/** The settings of uploaded Workers: whether they are allowed, and their names. */
import type { Config } from '../config/read-config.ts';
import { wantsEdge } from '../edge/served-edge.ts';

export interface WorkerSiteOptions {
  readonly config: Config;
  /** URLs of the edge, once it listens. */
  readonly findUrls: () => { readonly edge?: string | undefined; readonly edge_https?: string | undefined };
}

export class WorkerSite {
  readonly #options: WorkerSiteOptions;

  constructor(options: WorkerSiteOptions) {
    this.#options = options;
  }

  get obstacle(): string | undefined {
    const { config } = this.#options;
    return config.settings.scriptUploads ? findObstacle(config) : 'the setting script_uploads is off';
  }

  get domain(): string | undefined {
    return this.#options.config.settings.workersDomain;
  }

  get takenNames(): readonly string[] {
    return Object.keys(this.#options.config.settings.workers);
  }

  urlOf(host: string): string {
    const { edge, edge_https: secure } = this.#options.findUrls();
    const { protocol, port } = new URL(secure ?? edge ?? 'https://localhost');
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  }
}

/** Why uploaded Workers cannot run; earlier uploads continue to run when uploads are switched off. */
export function findObstacle({ settings }: Config): string | undefined {
  return wantsEdge(settings) ? undefined : 'this server has no edge to receive requests: set edge_port';
}

/** The name of a Worker's part of the data directory in messages and metrics. */
export function describePart(worker: string): string {
  return `Worker ${worker}`;
}
