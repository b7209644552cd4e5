/**
 * Moves the objects in the directory of a standalone Worker into an uploaded one, with their ids, names and alarms. No
 * process may run either of them meanwhile. Each object is copied atomically, and existing objects of the uploaded
 * Worker are kept: so an interrupted run can be repeated, and overwrites nothing. The directory is only read.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { returnToOwner } from '#files';
import { bindingClassNames } from '#bindings';
import { fault, operatorCodes } from '#contract';
import type { RunnableVersion } from '#control';
import { openSource, SourceError } from '#hosts';
import type { ObjectRuntime, OnProgress } from '#objects';
import { copyObjects } from '#operator';
import { openAsleep, type TransferPlaces } from './open-asleep.ts';

type MoveInWorker = Pick<RunnableVersion, 'workerId' | 'name' | 'classes'>;

/** The result for the objects of a class. */
interface ClassMovedIn {
  readonly class: string;
  /** Its name at the uploaded Worker. */
  readonly to?: string;
  readonly taken: number;
  /** Objects with the same id that the Worker already has, and keeps. */
  readonly present: number;
  /** Why none was copied. */
  readonly problem?: string;
}

export interface MoveInSource {
  readonly directory: string;
  readonly onProgress?: OnProgress | undefined;
}

/** The Worker that receives them, unless there is none or an obstacle. */
export function findWorker(
  deployed: readonly RunnableVersion[],
  name: string,
  obstacle: string | undefined,
): RunnableVersion {
  const worker = deployed.find((each) => each.name === name);
  if (worker !== undefined && obstacle === undefined) return worker;
  const reason = obstacle ?? `no Worker ${name} is deployed here: deploy it first`;
  throw fault(operatorCodes.moveInRefused, { fill: { reason } });
}

function refuse(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  throw fault(operatorCodes.moveInRefused, { fill: { reason: error.message } });
}

const storeNames: ReadonlySet<string> = new Set(Object.values(bindingClassNames));

export async function moveInObjects(
  { workerId, name, classes }: MoveInWorker,
  { directory, onProgress }: MoveInSource,
  { directories, places, log }: TransferPlaces,
): Promise<ClassMovedIn[]> {
  await using opened = new AsyncDisposableStack();
  opened.defer(() => returnToOwner(directory));
  const from = opened.use(await openSource(directory, { user: 'the user of the server' }).catch(refuse));
  const target = { directory: directories.claim(workerId), cluster: places?.ofTransfer(workerId) };
  const scratch = directories.openScratch(workerId);
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }));
  const declared = Object.fromEntries(classes.map((each) => [each.name, each]));
  const to = opened.use(await openAsleep(target, { log, declared, folder: join(scratch, 'to') }));
  const moved: ClassMovedIn[] = [];
  for (const className of from.classNames.toSorted()) {
    if (storeNames.has(className)) continue;
    const found = findTarget(className, { from, to, name });
    if (typeof found !== 'string') {
      moved.push({ class: className, taken: 0, present: 0, ...found });
      continue;
    }
    const { copied, present } = await copyObjects({
      ...{ from, to, scratch, onProgress, onDifference: 'keep' },
      classNames: [className],
      targetOf: () => found,
    });
    moved.push({ class: className, to: found, taken: copied, present });
  }
  log.info('copied the objects of a directory', { worker: name, directory, moved });
  return moved;
}

/** The class with the same ids, even after a rename. */
function findTarget(
  className: string,
  { from, to, name }: { readonly from: ObjectRuntime; readonly to: ObjectRuntime; readonly name: string },
): string | { readonly problem: string } {
  const idOf = (runtime: ObjectRuntime, each: string): string =>
    runtime.namespace(each).idFromName(className).toString();
  const found = to.classNames.find((each) => idOf(to, each) === idOf(from, className));
  if (found === undefined) return { problem: `${name} has no class ${className}: deploy it with one first` };
  const kinds = { sql: 'SQL', kv: 'key-value' } as const;
  const [source, target] = [from.storageOf(className), to.storageOf(found)];
  if (source === target) return found;
  return {
    problem: `its objects have ${kinds[source]} storage, those of ${found} at ${name} have ${kinds[target]} storage`,
  };
}
