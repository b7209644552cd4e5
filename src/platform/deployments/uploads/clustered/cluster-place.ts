/**
 * The place of stores and objects of uploaded Workers in a cluster: each in a schema of its own, in the databases of
 * the cluster. Their processes join it separately, and listen for each other on free ports of this host's listening
 * address.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '#base';
import type { ClusterOptions } from '#cluster';

/** As plain data, for a process. */
export type ClusterPlace = Omit<ClusterOptions, 'log'>;

/** The place of the program itself. */
export interface ProgramPlace extends Pick<ClusterPlace, 'leaseMs'> {
  readonly url: string;
  readonly name: string;
  readonly listen: { readonly host: string; readonly port: number; readonly advertise?: string };
}

const storesSchema = 'gatehouse_stores';

export class ClusterPlaces {
  readonly #common: Omit<ClusterPlace, 'name'> & { readonly url: string };
  readonly #name: string;

  constructor({ name, listen, ...place }: ProgramPlace, { stuckMs }: { readonly stuckMs: number }) {
    const { host, advertise } = listen;
    this.#name = name;
    this.#common = {
      ...place,
      stuckMs,
      listen: {
        host,
        port: 0,
        // The port is assigned when it listens.
        ...(advertise === undefined ? {} : { advertise: `${new URL(`tcp://${advertise}`).hostname}:0` }),
      },
    };
  }

  /** The place of the stores of the account. */
  get stores(): ClusterPlace {
    return { ...this.#common, name: `${this.#name}-stores`, schema: storesSchema };
  }

  /** The place of the objects of a Worker, for the processes that run one version of it. */
  ofWorker(id: string, versionId: string): ClusterPlace {
    return { ...this.#common, name: `${this.#name}-worker`, schema: schemaOf(id), code: versionId };
  }

  /** The place of the objects of a Worker, for moving them while no version of it is running. */
  ofTransfer(id: string): ClusterPlace {
    return this.ofWorker(id, `transfer ${randomUUID()}`);
  }

  /** Deletes the objects of a Worker that no process runs any more. */
  async removeWorker(id: string, log: Log): Promise<void> {
    const { removeSchema } = await import('#cluster');
    await removeSchema(this.#common.url, schemaOf(id)).catch((error: unknown) =>
      log.warn('could not remove the objects of a Worker from the database', { schema: schemaOf(id), error }),
    );
  }
}

function schemaOf(workerId: string): string {
  return `gatehouse_worker_${workerId}`;
}
