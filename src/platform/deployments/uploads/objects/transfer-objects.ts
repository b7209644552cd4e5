/**
 * Copies all objects of classes of one uploaded Worker to the place of another's, with their ids, names and alarms. No
 * process may run either of them meanwhile; in a cluster, the database ensures that. Copies are read back and compared.
 * They are stored under a unique key: until the account assigns it, they are unreachable.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import { fault, workerCodes } from '#contract';
import type { ObjectTransfer, TransferredClass } from '#control';
import type { ObjectRuntime } from '#objects';
import { copyObjects } from '#operator';
import { type Declared, type ObjectsPlace, openAsleep, type TransferPlaces } from './open-asleep.ts';

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
    log.info('copied objects to another Worker', { from: from.name, to: to.name, count });
  } catch (error) {
    throw fault(workerCodes.transferFailed, { fill: { reason: (error as Error).message } });
  }
}

interface ClassCopy extends Pick<ObjectTransfer, 'classes'> {
  readonly source: ObjectsPlace;
  readonly target: ObjectsPlace;
  /** Deleted at the end. */
  readonly scratch: string;
  readonly log: Log;
}

/** Returns the number of copied objects. */
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
      ...{ from, to, scratch, onDifference: 'refuse' },
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
