/** Opens a data directory and a cluster, both without the code of their objects, to move data between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, StartError } from '#base';
import type { Cluster, ClusterOptions } from '#cluster';
import { clusterStorageKinds } from '#control';
import { createRuntime, DurableObject, type ObjectRuntime } from '#objects';
import type { Config } from '../config/read-config.ts';
import { joinConfigured } from './cluster-host.ts';

const betweenLooksMs = 100;

export interface OpenCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly runtime: ObjectRuntime;
  /** For temporary files. */
  readonly scratch: string;
}

/** Joins the cluster while it has no serving hosts; undefined if the settings name none. */
export async function joinIdleCluster(
  config: Config,
  log: Log,
  purpose?: ClusterOptions['purpose'],
): Promise<Cluster | undefined> {
  const cluster = await joinConfigured(config, log, purpose);
  if (cluster === undefined) return undefined;
  try {
    const living = await countLivingHosts(cluster);
    if (living === 0) return cluster;
    throw new StartError(
      `the cluster is being served by ${living} ${living === 1 ? 'host' : 'hosts'}: stop gatehouse serve on every machine first`,
    );
  } catch (error) {
    await cluster.leave().catch(() => {});
    throw error;
  }
}

/**
 * A killed host keeps its lease for a while, but neither answers calls nor renews it: this waits until the lease
 * expires.
 */
async function countLivingHosts(cluster: Cluster): Promise<number> {
  const beats = new Map<string, number>();
  const isLiving = async ({ id, beat }: { readonly id: string; readonly beat: number }): Promise<boolean> => {
    if (beats.has(id)) return beats.get(id) !== beat;
    beats.set(id, beat);
    return await cluster.findOffer(id, 'anything').then(
      () => true,
      () => false,
    );
  };
  for (;;) {
    await cluster.lookForHosts();
    const leased = cluster.fence.hosts.filter(({ isOver }) => !isOver);
    const living = (await Promise.all(leased.map(isLiving))).filter(Boolean).length;
    if (living > 0 || leased.length === 0) return living;
    await new Promise<void>((resolve) => void cluster.clock.setTimer(betweenLooksMs, resolve));
  }
}

/** Its objects, without their code. */
export async function openIdleCluster(
  config: Config,
  log: Log,
  purpose?: ClusterOptions['purpose'],
): Promise<OpenCluster> {
  const cluster = await joinIdleCluster(config, log, purpose);
  if (cluster === undefined)
    throw new StartError('no cluster given: set cluster_file, cluster or GATEHOUSE_CLUSTER');
  let scratch: string | undefined;
  try {
    for (const [name, storage] of Object.entries(clusterStorageKinds))
      await cluster.recordClass(`${storage}:${name}`, name);
    scratch = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
    const directory = join(scratch, 'objects');
    const warn = (message: string, error?: unknown): void => log.warn(message, { error });
    const runtime = await createRuntime({ cluster, directory, classes: 'recorded', log: warn });
    const folder = scratch;
    return {
      cluster,
      runtime,
      scratch,
      async [Symbol.asyncDispose]() {
        await runtime.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await cluster.leave().catch(() => {});
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a data directory with the classes of the control plane, but without objects. */
export async function recordClasses(directory: string): Promise<void> {
  class Empty extends DurableObject {}
  const classes = Object.entries(clusterStorageKinds)
    .filter(([name]) => name !== 'ActivityLog' && name !== 'ClusterState')
    .map(([name, storage]) => [name, { class: Empty, storage }] as const);
  const runtime = await createRuntime({ directory, classes: Object.fromEntries(classes) });
  await runtime.close();
}
