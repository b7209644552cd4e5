/**
 * The parts of a version for the process of a Worker: its code and files, and the location of other Workers' objects.
 */
import type { Control, RunnableVersion, ScriptBinding } from '#control';
import type { AccountStores } from './account-stores.ts';
import type { AssetUploads } from './asset-uploads.ts';
import { usesStores } from './running-worker.ts';
import type { WorkerCode } from './worker-code.ts';

interface ScriptParts {
  readonly code: WorkerCode;
  readonly assets: AssetUploads;
  readonly stores: AccountStores;
  readonly control: Control | undefined;
}

export async function readScript(
  { codeDigest, name, workerId: _workerId, number: _number, ...version }: RunnableVersion,
  { code, assets: uploads, stores, control }: ScriptParts,
) {
  const assets = version.assets && { ...(await uploads.read(version.assets.manifest)), ...version.assets };
  if (usesStores(version)) await stores.open();
  const located = version.bindings.map((binding) => locateObjects(name, binding, control));
  return { name, ...version, bindings: await Promise.all(located), ...(await code.read(codeDigest)), assets };
}

/** A binding to objects of another Worker, with the key of their class. */
async function locateObjects(
  name: string,
  binding: ScriptBinding,
  control: Control | undefined,
): Promise<ScriptBinding> {
  const { type, script_name: script = name, class_name: className } = binding;
  if (type !== 'durable_object_namespace' || script === name) return binding;
  return { ...binding, unique_key: await control?.findClassKey(String(script), String(className)) };
}
