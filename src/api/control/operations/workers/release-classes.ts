/**
 * The next version of a Worker whose classes another one takes over: a version of its own, with the same code but
 * without the classes. Its bindings to them name their new Worker.
 */
import type { TransferredClass } from '../../context/worker-host.ts';
import { describeBasis, type WorkerState } from '../../stores/workers.ts';
import type { ObjectsContext } from '../several-objects.ts';
import { type ClassRelease, createDeployment, createVersion, openSecrets } from './change-worker.ts';
import { type ClassChanges, type ClassTransfer, listTransferSources } from './migrate-classes.ts';

type Sources = ReadonlyMap<string, WorkerState | undefined>;

/** The other Workers whose classes an upload takes, in their current state; undefined for one that does not exist. */
export async function readSources(
  { account }: ObjectsContext,
  name: string,
  changes: ClassChanges,
): Promise<Sources> {
  const scripts = listTransferSources(changes);
  const read = async (script: string): Promise<WorkerState | undefined> =>
    script === name ? undefined : await account.readWorker(script);
  return new Map(await Promise.all(scripts.map(async (script) => [script, await read(script)] as const)));
}

export function describeReleases(
  context: ObjectsContext,
  {
    name,
    transferred,
    sources,
  }: {
    readonly name: string;
    readonly transferred: readonly ClassTransfer[];
    readonly sources: Sources;
  },
): ClassRelease[] {
  return Array.from(sources, ([script, state]) => {
    const taken = transferred.filter((each) => each.script === script);
    return describeRelease(context, name, { before: state!, taken });
  });
}

function describeRelease(
  context: ObjectsContext,
  taker: string,
  { before, taken }: { readonly before: WorkerState; readonly taken: readonly ClassTransfer[] },
): ClassRelease {
  const { worker, deployed } = before;
  const keys = new Set(taken.map(({ from }) => from.uniqueKey));
  const after = {
    ...worker,
    classes: worker.classes.filter(({ uniqueKey }) => !keys.has(uniqueKey)),
    modifiedAtMs: context.nowMs,
  };
  const classes: TransferredClass[] = taken.flatMap(({ from, to }) =>
    to === undefined ? [] : [{ storage: from.storage, from, to }],
  );
  const basis = describeBasis(before);
  if (deployed === undefined)
    return { before, classes, commit: { worker: after, version: undefined, deployment: undefined, basis } };
  const version = {
    ...createVersion(context, worker, {
      ...deployed,
      bindings: deployed.bindings.map((binding) => {
        const found = taken.find(({ from }) => from.name === binding['class_name']);
        if (binding.type !== 'durable_object_namespace' || found === undefined) return binding;
        return { ...binding, class_name: found.to?.name ?? found.from.name, script_name: taker };
      }),
      secrets: openSecrets(context.keySealer, deployed),
      annotations: {
        'workers/triggered_by': 'transfer',
        'workers/message': `Objects of ${taken.map(({ from }) => from.name).join(', ')} are those of ${taker} now`,
      },
    }),
    handlers: deployed.handlers,
    exportedClasses: deployed.exportedClasses,
    loadMs: deployed.loadMs,
  };
  return {
    before,
    classes,
    commit: {
      worker: { ...after, versionCount: version.number },
      version,
      deployment: createDeployment(context, version, { 'workers/triggered_by': 'transfer' }),
      basis,
    },
  };
}
