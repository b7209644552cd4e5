/**
 * Copies all objects of classes of one uploaded Worker to where those of another are, with their ids, names and alarms. No
 * process may run either of them meanwhile; in a cluster, the database sees to that. What is copied is read back and
 * compared. It is under a key that nothing else has: until the account says whose it is, nobody can reach it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import { fault, workerCodes } from '#contract';
import type { ObjectTransfer, TransferredClass } from '#control';
import { createRuntime, type ObjectRuntime, Unwoken } from '#objects';
import { copyObjects } from '../cluster/copy-objects.ts';
import type { ClusterPlace, ClusterPlaces } from './clustered/cluster-place.ts';
import type { WorkerDirectories } from './worker-directories.ts';

interface ObjectsPlace {
  readonly directory: string;
  /** Undefined if the objects are in the directory. */
  readonly cluster: ClusterPlace | undefined;
}

interface TransferPlaces {
  readonly directories: WorkerDirectories;
  readonly places: ClusterPlaces | undefined;
  readonly log: Log;
}

type Declared = Readonly<Record<string, { readonly storage: 'sql' | 'kv'; readonly uniqueKey: string }>>;

export async function transferObjects(
  { from, to, classes }: ObjectTransfer,
  { directories, places, log }: TransferPlaces,
): Promise<void> {
  const placeOf = ({ id }: ObjectTransfer['from']): ObjectsPlace => ({
    directory: directories.claim(id),
    cluster: places?.ofTransfer(id),
  });
  try {
    const [source, target] = [placeOf(from), placeOf(to)];
    const count = await copyClasses({
      source,
      target,
      classes,
      scratch: directories.openScratch(to.id),
      log,
    });
    log.info('objects were copied to another Worker', { from: from.name, to: to.name, count });
  } catch (error) {
    throw fault(workerCodes.transferFailed, { fill: { reason: (error as Error).message } });
  }
}

interface ClassCopy extends Pick<ObjectTransfer, 'classes'> {
  readonly source: ObjectsPlace;
  readonly target: ObjectsPlace;
  /** Removed at the end. */
  readonly scratch: string;
  readonly log: Log;
}

/** Answers how many objects were copied. */
async function copyClasses({ source, target, classes, scratch, log }: ClassCopy): Promise<number> {
  try {
    await using opened = new AsyncDisposableStack();
    const open = async (place: ObjectsPlace, side: 'from' | 'to'): Promise<ObjectRuntime> =>
      opened.use(
        await openAsleep(place, { log, declared: describe(classes, side), folder: join(scratch, side) }),
      );
    const [from, to] = [await open(source, 'from'), await open(target, 'to')];
    const names = new Map(classes.map((each) => [each.from.name, each.to.name]));
    const { copied, present } = await copyObjects({
      ...{ from, to, scratch, replaces: false },
      classNames: [...names.keys()],
      targetOf: (className) => names.get(className)!,
    });
    return copied + present;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function describe(classes: readonly TransferredClass[], side: 'from' | 'to'): Declared {
  return Object.fromEntries(
    classes.map(({ storage, [side]: { name, uniqueKey } }) => [name, { storage, uniqueKey }]),
  );
}

async function openAsleep(
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
