/**
 * Connects uploaded Workers to the rest of the program: its settings, its edge, its cluster, and the stores of the
 * account.
 */
import type { Log } from '#base';
import type { Cluster } from '#cluster';
import type { WorkerSite } from '#control';
import { ClusterPlaces, loadUploads, type UploadedWorkers } from '#deployments';
import { readClusterPlace } from '../cluster/cluster-host.ts';
import type { Config } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { type EdgeUrls, wantsEdge } from '../edge/served-edge.ts';
import type { OutOfService } from '../out-of-service.ts';
import { AccountStores } from '../stores/account-stores.ts';

export interface OpenUploadsOptions {
  readonly config: Config;
  readonly log: Log;
  readonly outOfService: OutOfService;
  /** The cluster that this program is a host of. */
  readonly cluster: Cluster | undefined;
  /** URLs of the edge, once it listens. */
  readonly findUrls: () => EdgeUrls;
}

export interface Uploads {
  readonly workers: UploadedWorkers;
  readonly stores: AccountStores;
}

export async function openUploads({
  config,
  log,
  outOfService,
  cluster,
  findUrls,
}: OpenUploadsOptions): Promise<Uploads> {
  const { settings } = config;
  const place = readClusterPlace(config);
  const places = place && new ClusterPlaces(place, { stuckMs: settings.objectHostStuck });
  const { UploadedWorkers: Workers } = await loadUploads();
  const stores = new AccountStores({
    ...{ config, log, outOfService, places },
    deliver: (name, batch) => workers.deliver(name, batch),
  });
  const workers: UploadedWorkers = new Workers({
    ...{ settings, log, outOfService, stores, cluster, places },
    data: settings.data,
    site: describeSite(config, findUrls),
    hasEdge: wantsEdge(settings),
    claim: (directory) => claimDataDirectory(directory, 'Worker', log.warn),
  });
  return { workers, stores };
}

function describeSite({ settings }: Config, findUrls: OpenUploadsOptions['findUrls']): WorkerSite {
  return {
    obstacle: findObstacle(settings),
    domain: settings.workersDomain,
    takenNames: Object.keys(settings.workers),
    urlOf(host) {
      const { edge, edge_https: secure } = findUrls();
      const { protocol, port } = new URL(secure ?? edge ?? 'https://localhost');
      return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
    },
  };
}

/** Earlier uploads continue to run when uploads are switched off. */
function findObstacle(settings: Config['settings']): string | undefined {
  if (!settings.scriptUploads) return 'the setting script_uploads is off';
  return wantsEdge(settings) ? undefined : 'this server has no edge to receive requests: set edge_port';
}
