/** What the settings say about uploaded Workers: whether there can be any, and under which names. */
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

/** Why no uploaded Worker can run; what was uploaded before runs on when uploads are switched off. */
export function findObstacle({ settings }: Config): string | undefined {
  return wantsEdge(settings)
    ? undefined
    : 'this server has no edge that requests could come from: set edge_port';
}

/** How messages and metrics name the part of the data directory that a Worker has. */
export function describePart(worker: string): string {
  return `Worker ${worker}`;
}
