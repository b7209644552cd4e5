/**
 * The project of a version that was uploaded over the API: its modules and bindings, converted to those that a build
 * has. Nothing is read from the disk of this machine.
 */
import { uploadedFolder } from '#base';
import type { RunnableVersion, ScriptBinding } from '#control';
import {
  type BuiltProject,
  defineBindings,
  readInlineConfig,
  rewriteGlobals,
  type WorkerModules,
  wrapClassicScript,
} from '#workers';
import type { CompleteVersion } from './worker-messages.ts';

type AssetsSettings = NonNullable<BuiltProject['config']['assets']>;

function rootOf({ name }: Pick<RunnableVersion, 'name'>): string {
  return `${uploadedFolder}${name}`;
}

/** A message about its modules, with the names that they were uploaded with. */
export function nameAsUploaded(text: string, version: Pick<RunnableVersion, 'name'>): string {
  return text.replaceAll(`${rootOf(version)}/`, '');
}

export async function buildUploaded(version: CompleteVersion): Promise<BuiltProject> {
  const { name, compatibilityDate, compatibilityFlags, crons, classes } = version;
  const { main } = version.code;
  const raw = {
    name,
    main,
    ...(compatibilityDate === undefined ? {} : { compatibility_date: compatibilityDate }),
    compatibility_flags: compatibilityFlags,
    triggers: { crons },
    ...describeBindings(version),
  };
  const root = rootOf(version);
  const config = readInlineConfig(raw, { shown: 'the upload', directory: root });
  return {
    config: {
      ...config,
      main,
      classes: new Map(classes.map(({ name: className, ...declared }) => [className, declared])),
      absent: new Map([...config.absent, ...explainUnknown(version)]),
      elsewhere: listElsewhere(version),
      leavesOutMissing: true,
      assets: describeAssets(version),
      // The API reports a class without a migration to the uploading client.
      warnings: config.warnings.filter((each) => !each.includes('is in no migration')),
    },
    modules: await rewriteModules(version, root),
    warnings: [],
  };
}

/** Bindings whose value is a part of the upload. */
const blobTypes: ReadonlySet<string> = new Set(['text_blob', 'data_blob', 'wasm_module']);

async function rewriteModules(
  { code: { main, modules }, bindings }: CompleteVersion,
  root: string,
): Promise<WorkerModules> {
  const first = modules[main]!;
  if (first.type !== 'commonjs')
    return await rewriteGlobals({ root, main, modules: { ...modules } }, { isStrict: true });
  const names = bindings.map(({ name }) => name);
  const blobs = bindings.filter(({ type }) => blobTypes.has(type));
  // In a function, `import` and `export` are syntax errors. The code starts on the first line, so that line numbers do
  // not change.
  const text = `(() => {${first.text}\n})();`;
  const script = await rewriteGlobals(
    { root, main, modules: { ...modules, [main]: { type: 'esm', text } } },
    { isStrict: true, define: defineBindings(names) },
  );
  return await wrapClassicScript({
    script,
    bindings: names,
    blobs: Object.fromEntries(blobs.map(({ name, part }) => [name, String(part)])),
    hasOrigin: true,
  });
}

function describeAssets({
  bindings,
  code: { main },
  assets,
  files: uploaded,
}: CompleteVersion): AssetsSettings | undefined {
  if (assets === null || uploaded === undefined) return undefined;
  const { folder, files } = uploaded;
  const { config } = assets;
  const { html_handling: html, not_found_handling: notFound, run_worker_first: workerFirst = false } = config;
  return {
    directory: folder,
    binding: bindings.find(({ type }) => type === 'assets')?.name,
    // They were validated at the upload.
    htmlHandling: (html ?? 'auto-trailing-slash') as AssetsSettings['htmlHandling'],
    notFoundHandling: (notFound ?? 'none') as AssetsSettings['notFoundHandling'],
    workerFirst,
    isAlone: main === assetsOnly,
    uploaded: {
      folder,
      files,
      rules: { _headers: config._headers ?? '', _redirects: config._redirects ?? '' },
    },
  };
}

/** The name of the main module of a Worker that has only assets. */
const assetsOnly = 'assets-only.js';

/** The configuration keys of bindings that only explain themselves when used, by their types in the API. */
const explained: Readonly<Record<string, string>> = {
  ai: 'ai',
  analytics_engine: 'analytics_engine_datasets',
  browser: 'browser',
  dispatch_namespace: 'dispatch_namespaces',
  hyperdrive: 'hyperdrive',
  images: 'images',
  logfwdr: 'logfwdr',
  mtls_certificate: 'mtls_certificates',
  pipelines: 'pipelines',
  secrets_store_secret: 'secrets_store_secrets',
  send_email: 'send_email',
  vectorize: 'vectorize',
  worker_loader: 'worker_loaders',
};

/** Whether a binding refers to objects of another Worker. */
function isOfAnother(
  { name }: RunnableVersion,
  { script_name: owner = name }: Record<string, unknown>,
): boolean {
  return owner !== name;
}

function listOthers(version: RunnableVersion): ScriptBinding[] {
  return version.bindings.filter(
    (binding) => binding.type === 'durable_object_namespace' && isOfAnother(version, binding),
  );
}

/** The program has looked up their storage keys. */
function listElsewhere(version: RunnableVersion): NonNullable<BuiltProject['config']['elsewhere']> {
  return listOthers(version).flatMap(({ name, script_name: worker, unique_key: key }) =>
    typeof key === 'string' ? [{ name, worker: String(worker), uniqueKey: key }] : [],
  );
}

/** The message when objects are used whose Worker, or whose class, no longer exists. */
function explainUnknown(version: RunnableVersion): [name: string, explanation: string][] {
  return listOthers(version)
    .filter(({ unique_key: key }) => key === undefined)
    .map(({ name, class_name: className, script_name: owner }) => [
      name,
      `the objects of env.${name} are those of the class ${String(className)} of the Worker "${String(owner)}", which has no such class: ` +
        'deploy that Worker with it, and then this one again',
    ]);
}

/** The same bindings in the form of a configuration. */
function describeBindings(runnable: RunnableVersion): Record<string, unknown> {
  const { bindings, version } = runnable;
  const vars: Record<string, unknown> = {};
  const objects: object[] = [];
  const producers: object[] = [];
  const lists = new Map<string, object[]>();
  const add = (key: string, value: object): void => void lists.set(key, [...(lists.get(key) ?? []), value]);
  for (const { type, name, ...fields } of bindings) {
    if (type === 'plain_text' || type === 'secret_text') vars[name] = fields['text'];
    else if (type === 'json') vars[name] = fields['json'];
    else if (type === 'version_metadata') vars[name] = { ...version };
    else if (type === 'durable_object_namespace') {
      if (!isOfAnother(runnable, fields)) objects.push({ name, ...fields });
    } else if (type === 'service') add('services', { binding: name, ...fields, environment: undefined });
    else if (type === 'kv_namespace') add('kv_namespaces', { binding: name, id: fields['namespace_id'] });
    else if (type === 'd1')
      add('d1_databases', { binding: name, database_id: fields['id'], database_name: name });
    else if (type === 'r2_bucket') add('r2_buckets', { binding: name, bucket_name: fields['bucket_name'] });
    else if (type === 'queue')
      producers.push({
        binding: name,
        queue: fields['queue_name'],
        delivery_delay: fields['delivery_delay'] ?? 0,
      });
    else if (type === 'ratelimit') add('ratelimits', { name, ...fields });
    else if (type === 'workflow')
      add('workflows', { binding: name, ...fields, name: fields['workflow_name'] });
    else if (Object.hasOwn(explained, type)) add(explained[type]!, { binding: name, name, ...fields });
  }
  return {
    vars,
    durable_objects: { bindings: objects },
    queues: { producers },
    ...Object.fromEntries(lists),
  };
}
