/** A version is completed with what its digests and names refer to: code, files, and the objects of other Workers. */
import type { Control, RunnableVersion, ScriptBinding } from '#control';
import type { CompleteVersion } from '../worker-messages.ts';
import type { AssetUploads } from './asset-uploads.ts';
import type { WorkerCode } from './worker-code.ts';

interface VersionSources {
  readonly code: WorkerCode;
  readonly assets: AssetUploads;
  /** Opens the stores of the account. */
  readonly openStores: () => Promise<unknown>;
  readonly control: Pick<Control, 'findClassKey'> | undefined;
}

/** Bindings to stores of the account. */
const storeTypes: ReadonlySet<string> = new Set(['kv_namespace', 'd1', 'queue', 'r2_bucket']);

export async function completeVersion(
  version: RunnableVersion,
  { code, assets, openStores, control }: VersionSources,
): Promise<CompleteVersion> {
  const files = version.assets === null ? undefined : await assets.read(version.assets.manifest);
  if (version.bindings.some(({ type }) => storeTypes.has(type))) await openStores();
  const located = version.bindings.map((binding) => locateObjects(version.name, binding, control));
  return {
    ...version,
    bindings: await Promise.all(located),
    code: await code.read(version.codeDigest),
    files,
  };
}

/** A binding to objects of another Worker, with the key of their class. */
async function locateObjects(
  name: string,
  binding: ScriptBinding,
  control: VersionSources['control'],
): Promise<ScriptBinding> {
  const { type, script_name: script = name, class_name: className } = binding;
  if (type !== 'durable_object_namespace' || script === name) return binding;
  return { ...binding, unique_key: await control?.findClassKey(String(script), String(className)) };
}
