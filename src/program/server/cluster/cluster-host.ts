/**
 * This process as a host of a cluster: the settings that identify the cluster, and the contents of the host's own
 * directory.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import { replaceSecretFile } from '#files';
import type { Cluster, ClusterOptions } from '#cluster';
import type { ProgramPlace } from '#deployments';
import { type Config, ConfigurationError, describePlace } from '../config/read-config.ts';
import { databaseUrl } from '../config/kinds.ts';

/** The URL of the database of the cluster; undefined if there is none. */
export function readClusterUrl({ settings, sources }: Config): string | undefined {
  const { cluster, clusterFile } = settings;
  if (sources.cluster.kind === 'flag' && cluster !== undefined) hideArguments();
  if (clusterFile === undefined) return cluster;
  const place = describePlace('clusterFile', sources.clusterFile);
  let text: string;
  try {
    text = readFileSync(clusterFile, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`${place} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const url = databaseUrl.read(text, { directory: '' });
  if (url !== undefined) return url;
  throw new ConfigurationError(`${place} must contain ${databaseUrl.rule}: ${clusterFile} has other content`);
}

/** The cluster that the settings name, and the place of this program in it; undefined if they name none. */
export function readClusterPlace(config: Config): ProgramPlace | undefined {
  const url = readClusterUrl(config);
  if (url === undefined) return undefined;
  const { clusterAdvertise, clusterLease: leaseMs, clusterListen, clusterName: name } = config.settings;
  const { hostname, port } = new URL(`tcp://${clusterListen}`);
  const listen = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  const advertise = clusterAdvertise === undefined ? {} : { advertise: clusterAdvertise };
  return { url, name, leaseMs, listen: { ...listen, ...advertise } };
}

/** Joins the cluster that the settings name; undefined if they name none. */
export async function joinConfigured(
  config: Config,
  log: Log,
  purpose: ClusterOptions['purpose'] = 'serve',
): Promise<Cluster | undefined> {
  const place = readClusterPlace(config);
  if (place === undefined) return undefined;
  // A program outside of a cluster starts without its code.
  const { joinCluster } = await import('#cluster');
  return await joinCluster({
    ...place,
    purpose,
    log: (message, error) => log.warn(message, error === undefined ? {} : { error }),
  });
}

/** All hosts accept challenges that one host has issued. */
export function writeEdgeSecret(cluster: Cluster, data: string): void {
  const secret = cluster.deriveKey('challenges of the edge');
  replaceSecretFile(join(data, 'edge.secret'), `${secret.toString('base64url')}\n`);
}

/** Hides the command line from other users of the machine. */
function hideArguments(): void {
  // Below a watchdog it already has a title.
  if (!process.title.startsWith('gatehouse: ')) process.title = 'gatehouse: serve';
}
