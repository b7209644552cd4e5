/** The objects of an uploaded Worker without a process, opened without its code: none of them wakes. */
import type { Log } from '#base';
import { createRuntime, type ObjectRuntime, Unwoken } from '#objects';
import type { ClusterPlace, ClusterPlaces } from '../clustered/cluster-place.ts';
import type { WorkerDirectories } from '../worker-directories.ts';

export interface ObjectsPlace {
  readonly directory: string;
  /** Undefined if the objects are in the directory. */
  readonly cluster: ClusterPlace | undefined;
}

/** The place of uploaded Workers' objects. */
export interface TransferPlaces {
  readonly directories: WorkerDirectories;
  readonly places: ClusterPlaces | undefined;
  readonly log: Log;
}

/** Classes by their names. */
export type Declared = Readonly<
  Record<string, { readonly storage: 'sql' | 'kv'; readonly uniqueKey: string }>
>;

export async function openAsleep(
  { directory, cluster: place }: ObjectsPlace,
  { log, declared, folder }: { readonly log: Log; readonly declared: Declared; readonly folder: string },
): Promise<ObjectRuntime> {
  const warn = (message: string, error?: unknown): void => log.warn(message, { error });
  const classes = Object.fromEntries(
    Object.entries(declared).map(([name, each]) => [name, { ...each, class: Unwoken }]),
  );
  const common = { classes, isAsleep: true, log: warn };
  if (place === undefined) return await createRuntime({ ...common, directory });
  const { joinCluster } = await import('#cluster');
  const cluster = await joinCluster({ ...place, log: warn });
  return await createRuntime({ ...common, directory: folder, cluster });
}
