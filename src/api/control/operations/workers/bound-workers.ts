/** Bindings from one Worker of the account to another: to its entry points, and to its objects. */
import { type Fault, fault, workerCodes } from '#contract';
import type { ScriptBinding } from '../../context/worker-host.ts';
import type { WorkerState } from '../../stores/workers.ts';
import type { ObjectsContext } from '../several-objects.ts';

/** The Worker that a binding refers to; undefined if it refers to none. */
function findTarget({ type, service, script_name: script }: ScriptBinding, name: string): string | undefined {
  const target = type === 'service' ? service : type === 'durable_object_namespace' ? script : undefined;
  return typeof target === 'string' && target !== name ? target : undefined;
}

/** Throws if a binding refers to a Worker that does not exist, or to a class that it does not have. */
export async function checkTargets(
  { account }: ObjectsContext,
  name: string,
  bindings: readonly ScriptBinding[],
): Promise<void> {
  for (const binding of bindings) {
    const target = findTarget(binding, name);
    if (target === undefined) continue;
    const found = await account.readWorker(target);
    if (binding.type === 'service') {
      if (found === undefined)
        throw fault(workerCodes.serviceUnknown, { fill: { binding: binding.name, script: target } });
    } else checkClass(String(binding['class_name']), target, found);
  }
}

function checkClass(className: string, script: string, found: WorkerState | undefined): void {
  const refuse = (reason: string): Fault => fault(workerCodes.classNotBindable, { fill: { reason } });
  if (found === undefined)
    throw refuse(`Cannot create binding for class ${className} in script '${script}' that does not exist.`);
  if (!found.worker.classes.some(({ name }) => name === className))
    throw refuse(
      `Cannot create binding for class '${className}' in script '${script}' because it is not currently configured to implement Durable Objects. Ensure a --new-class migration has been applied to it.`,
    );
}

/** The Workers that are bound to a Worker, for Wrangler, which reads them before it deletes one. */
export function listReferences(
  states: readonly Pick<WorkerState, 'worker' | 'deployed'>[],
  name: string,
): { readonly services: object[]; readonly objects: object[] } {
  const bound = states.flatMap(({ worker: { name: service }, deployed }) =>
    (deployed?.bindings ?? [])
      .filter((binding) => findTarget(binding, service) === name)
      .map((binding) => ({ binding, reference: { service, environment: 'production', name: binding.name } })),
  );
  const ofType = (type: string): typeof bound => bound.filter(({ binding }) => binding.type === type);
  return {
    services: ofType('service').map(({ reference }) => reference),
    objects: ofType('durable_object_namespace').map(({ binding, reference }) => ({
      ...reference,
      durable_object_namespace_name: binding['class_name'],
    })),
  };
}
