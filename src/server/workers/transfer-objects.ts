/**
 * Copies all objects of classes of one uploaded Worker to where those of another are, with their ids, names and alarms. No
 * process may run either of them meanwhile; in a cluster, the database sees to that. What is copied is read back and
 * compared. It is under a key that nothing else has: until the account says whose it is, nobody can reach it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import type { TransferredClass } from '#control';
import { createRuntime, type ObjectRuntime } from '#objects';
import { copyObjects } from '../cluster/copy-objects.ts';
import type { ClusterPlace } from './clustered/cluster-place.ts';

export interface ObjectsPlace {
  readonly directory: string;
  /** Undefined if the objects are in the directory. */
  readonly cluster: ClusterPlace | undefined;
}

export interface ObjectTransfer {
  readonly from: ObjectsPlace;
  readonly to: ObjectsPlace;
  readonly classes: readonly TransferredClass[];
  /** Removed at the end. */
  readonly scratch: string;
  readonly log: Log;
}

/** Stands for the code of the objects, which does not run. */
class Asleep {
  alarm(): void {}
}

type Declared = Readonly<Record<string, { readonly storage: 'sql' | 'kv'; readonly uniqueKey: string }>>;

/** Answers how many objects were copied. */
export async function transferObjects({ from, to, classes, scratch, log }: ObjectTransfer): Promise<number> {
  try {
    await using opened = new AsyncDisposableStack();
    const open = async (place: ObjectsPlace, name: string, declared: Declared): Promise<ObjectRuntime> =>
      opened.use(await openAsleep(place, { log, declared, folder: join(scratch, name) }));
    const source = await open(from, 'from', describe(classes, 'from'));
    const target = await open(to, 'to', describe(classes, 'to'));
    const names = new Map(classes.map((each) => [each.from.name, each.to.name]));
    const { copied, present } = await copyObjects({
      from: source,
      to: target,
      classNames: [...names.keys()],
      targetOf: (className) => names.get(className)!,
      replaces: false,
      scratch,
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
    Object.entries(declared).map(([name, each]) => [name, { ...each, class: Asleep }]),
  );
  const common = { classes, isAsleep: true, log: warn };
  if (place === undefined) return await createRuntime({ ...common, directory });
  const { joinCluster } = await import('#cluster');
  const cluster = await joinCluster({ ...place, log: warn });
  return await createRuntime({ ...common, directory: folder, cluster });
}
