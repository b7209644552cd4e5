/**
 * A Worker that was uploaded over the API instead of built from a project: converts its modules and bindings to
 * runnable ones. Nothing is read from the disk of this machine.
 */
import { defineBindings, wrapClassicScript } from './classic-script.ts';
import { rewriteGlobals } from './rewrite-globals.ts';
import { uploadedFolder } from '#base';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';
import type { DeclaredClass } from '../config/migrations.ts';
import { interpretConfig } from '../config/worker-config.ts';
import type { AssetsSettings, UploadedFiles } from '../config/assets-settings.ts';
import type { BuiltProject } from '../project.ts';

/** With the API's names; secrets include their text. */
export interface UploadedBinding {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface UploadedScript {
  readonly name: string;
  /** The name of the main module. */
  readonly main: string;
  readonly modules: Readonly<Record<string, WorkerModule>>;
  /** Source maps by module name. */
  readonly maps?: Readonly<Record<string, string>>;
  readonly bindings: readonly UploadedBinding[];
  readonly compatibilityDate: string | undefined;
  readonly compatibilityFlags: readonly string[];
  /** The classes that its migrations have created. */
  readonly classes: readonly ({ readonly name: string } & Pick<DeclaredClass, 'storage' | 'uniqueKey'>)[];
  readonly crons: readonly string[];
  readonly assets: UploadedScriptAssets | null;
  /** The content of a binding of the type `version_metadata`. */
  readonly version: { readonly id: string; readonly tag: string; readonly timestamp: string };
}

/** Its static assets, and how they are served, with the API's names. */
interface UploadedScriptAssets extends Pick<UploadedFiles, 'folder' | 'files'> {
  readonly config: {
    readonly html_handling?: string;
    readonly not_found_handling?: string;
    readonly run_worker_first?: boolean | readonly string[];
    readonly _headers?: string;
    readonly _redirects?: string;
  };
}

function rootOf({ name }: Pick<UploadedScript, 'name'>): string {
  return `${uploadedFolder}${name}`;
}

/** A message about its modules, with the names that they were uploaded with. */
export function nameAsUploaded(text: string, script: Pick<UploadedScript, 'name'>): string {
  return text.replaceAll(`${rootOf(script)}/`, '');
}

export async function prepareUploaded(script: UploadedScript): Promise<BuiltProject> {
  const { name, main, compatibilityDate, compatibilityFlags, crons, classes } = script;
  const raw = {
    name,
    main,
    ...(compatibilityDate === undefined ? {} : { compatibility_date: compatibilityDate }),
    compatibility_flags: compatibilityFlags,
    triggers: { crons },
    ...describeBindings(script),
  };
  const root = rootOf(script);
  const config = interpretConfig(raw, { file: 'the upload', directory: root, environment: undefined });
  return {
    config: {
      ...config,
      main,
      classes: new Map(classes.map(({ name: className, ...declared }) => [className, declared])),
      absent: new Map([...config.absent, ...explainUnknown(script)]),
      elsewhere: listElsewhere(script),
      leavesOutMissing: true,
      ...(script.assets === null ? {} : { assets: describeAssets(script, script.assets) }),
      // The API reports a class without a migration to the uploading client.
      warnings: config.warnings.filter((each) => !each.includes('is in no migration')),
    },
    modules: await rewriteModules(script, root),
    warnings: [],
  };
}

/** Bindings whose value is a part of the upload. */
const blobTypes: ReadonlySet<string> = new Set(['text_blob', 'data_blob', 'wasm_module']);

async function rewriteModules(
  { main, modules, bindings }: UploadedScript,
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

function describeAssets(
  { bindings, main }: UploadedScript,
  { folder, files, config }: UploadedScriptAssets,
): AssetsSettings {
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
  { name }: UploadedScript,
  { script_name: owner = name }: Record<string, unknown>,
): boolean {
  return owner !== name;
}

function listOthers(script: UploadedScript): UploadedBinding[] {
  return script.bindings.filter(
    (binding) => binding.type === 'durable_object_namespace' && isOfAnother(script, binding),
  );
}

/** The program has looked up their storage keys. */
function listElsewhere(script: UploadedScript): NonNullable<BuiltProject['config']['elsewhere']> {
  return listOthers(script).flatMap(({ name, script_name: worker, unique_key: key }) =>
    typeof key === 'string' ? [{ name, worker: String(worker), uniqueKey: key }] : [],
  );
}

/** The message when objects are used whose Worker, or whose class, no longer exists. */
function explainUnknown(script: UploadedScript): [name: string, explanation: string][] {
  return listOthers(script)
    .filter(({ unique_key: key }) => key === undefined)
    .map(({ name, class_name: className, script_name: owner }) => [
      name,
      `the objects of env.${name} are those of the class ${String(className)} of the Worker "${String(owner)}", which has no such class: ` +
        'deploy that Worker with it, and then this one again',
    ]);
}

/** The same bindings in the form of a configuration. */
function describeBindings(script: UploadedScript): Record<string, unknown> {
  const { bindings, version } = script;
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
      if (!isOfAnother(script, fields)) objects.push({ name, ...fields });
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
