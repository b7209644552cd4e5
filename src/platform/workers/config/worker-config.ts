/** Parses a Wrangler configuration: the main module, with its objects, variables, Workers and files. */
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { didYouMean } from '#text';
import type { DeclaredBindings } from '#bindings';
import { readBindings } from './binding-keys.ts';
import { type AssetsSettings, noWorker, readAssets } from './assets-settings.ts';
import { type BuildSettings, readBuildSettings } from './build/settings.ts';
import { type Compatibility, readCompatibility } from './compatibility.ts';
import { selectEnvironment } from './environment.ts';
import { declaredClasses, type DeclaredClass, type Declarations } from './migrations.ts';
import { bindingNames, droppingMethods, knownKeys, platformKeys } from './platform-keys.ts';
import { Section } from './section.ts';
import { type ObjectsElsewhere, readServices, type ServiceBinding } from './services.ts';

export interface ObjectBinding {
  readonly name: string;
  readonly className: string;
  /** The Worker that the objects belong to; undefined for this one. */
  readonly script?: string;
}

export interface WorkerConfig {
  /** The file of the configuration; undefined for a bare module. */
  readonly file: string | undefined;
  /** The base of relative paths, and the default place of state. */
  readonly directory: string;
  /** The default place of state, if it is another one. */
  readonly home?: string;
  /** The name by which other Workers call this one. */
  readonly name: string;
  readonly main: string;
  readonly build: BuildSettings;
  /** `exported`: every class that the module exports is bound under its own name. */
  readonly bindings: readonly ObjectBinding[] | 'exported';
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  readonly compatibility: Compatibility;
  readonly vars: Readonly<Record<string, unknown>>;
  /** The name of the variable with the running version. Versions of earlier builds have none. */
  readonly versionBinding?: string | undefined;
  /** If there are any, no other variables are read from files beside the configuration. */
  readonly requiredSecrets: readonly string[];
  readonly services: readonly ServiceBinding[];
  /** Objects of other Workers of an account, by binding name. */
  readonly elsewhere?: readonly ({ readonly name: string } & ObjectsElsewhere)[];
  readonly assets: AssetsSettings | undefined;
  /** The schedule of the Worker, as cron expressions. */
  readonly crons: readonly string[];
  /**
   * Whether bindings to classes that the module does not export are omitted: the caller then checks its exports, and
   * has a better name for a missing class.
   */
  readonly leavesOutMissing?: boolean;
  /** Further files that it depends on. */
  readonly watched: readonly string[];
  /** Bindings to objects of this program. */
  readonly declared: DeclaredBindings;
  /** Unsupported bindings of the platform: the message when one is used. */
  readonly absent: ReadonlyMap<string, string>;
  /** The keys of those with methods that drop their arguments. Versions of earlier builds lack it. */
  readonly dropping?: ReadonlyMap<string, string>;
  /** Classes whose objects have a container on Cloudflare. Versions of earlier builds lack it. */
  readonly containers?: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

interface ConfigText {
  readonly file: string;
  readonly directory: string;
  readonly environment: string | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

export function interpretConfig(
  raw: unknown,
  { file, directory, environment, extra = {} }: ConfigText,
): WorkerConfig {
  const warnings: string[] = [];
  const config = selectEnvironment(new Section(raw, file), { file, environment }, warnings).with(extra);
  const absent = new Map<string, string>();
  const dropping = new Map<string, string>();
  for (const key of config.keys) {
    const scope = platformKeys[key];
    // Wrangler writes every key to generated configurations, including newer ones.
    if (!knownKeys.has(key) && isEmpty(config.value(key))) continue;
    if (scope !== undefined) {
      warnings.push(`${file}: ${key} is out of scope: Gatehouse has no ${scope}`);
      for (const name of bindingNames(key, config.value(key))) {
        if (Object.hasOwn(droppingMethods, key)) dropping.set(name, key);
        absent.set(name, `env.${name} comes from ${key}, which is out of scope: Gatehouse has no ${scope}`);
      }
    } else if (!knownKeys.has(key)) {
      warnings.push(`${file}: the key ${key} is not known and ignored${didYouMean(key, knownKeys)}`);
    }
  }
  refusePages(config, directory);
  const declarations = declaredClasses(config);
  const bindings = objectBindings(config, declarations, absent);
  const assets = readAssets(config, directory);
  const main =
    assets?.isAlone === true ? noWorker : findMain(resolve(directory, config.requiredString('main')));
  const services = readServices(config);
  const versionBinding = config.section('version_metadata')?.requiredString('binding');
  const names = [...bindings, ...services].map(({ name }) => name);
  if (versionBinding !== undefined) names.push(versionBinding);
  const taken = [...absent.keys(), ...names, ...(assets?.binding === undefined ? [] : [assets.binding])];
  return {
    file,
    directory,
    bindings,
    absent,
    dropping,
    containers: new Set(config.sections('containers').map((each) => each.requiredString('class_name'))),
    warnings,
    main,
    name: config.string('name') ?? basename(directory),
    build: readBuildSettings(config, { directory, main }),
    classes: withUndeclared(declarations, bindings, file, warnings),
    compatibility: readCompatibility(config, file, warnings),
    vars: {
      ...variables(config),
      ...(versionBinding === undefined ? {} : { [versionBinding]: unbuiltVersion }),
    },
    versionBinding,
    requiredSecrets: config.section('secrets')?.strings('required') ?? [],
    services,
    assets,
    crons: config.section('triggers')?.strings('crons') ?? [],
    watched: [],
    declared: readBindings(config, taken, warnings),
  };
}

/** For code that another tool builds. */
const unbuiltVersion = {
  id: '00000000-0000-0000-0000-000000000000',
  tag: '',
  timestamp: new Date(0).toISOString(),
} as const;

/** Whether it is empty at every depth. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).every((each) => isEmpty(each));
}

/** A folder such as `_worker.js` represents its main module. */
function findMain(path: string): string {
  const index = join(path, 'index.js');
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && existsSync(index)
    ? index
    : path;
}

/** Pages projects are Workers with files, in a different layout. */
function refusePages(config: Section, directory: string): void {
  const output = config.string('pages_build_output_dir');
  if (output === undefined) return;
  const compile = existsSync(join(directory, 'functions'))
    ? `compile functions/ first (wrangler pages functions build --outdir ${join(output, '_worker.js')}), then `
    : '';
  throw config.error(
    `pages_build_output_dir makes this a Pages project, which Gatehouse does not run as such: ${compile}name the Worker and the ` +
      `files instead ("main": "${join(output, '_worker.js')}", "assets": { "directory": "${output}", "binding": "ASSETS", ` +
      `"run_worker_first": true }, with the paths that _routes.json excludes as "!/path" in run_worker_first), and put ` +
      `_worker.js into ${join(output, '.assetsignore')}`,
  );
}

function objectBindings(
  config: Section,
  declarations: Declarations,
  absent: ReadonlyMap<string, string>,
): ObjectBinding[] {
  const bindings = new Map<string, ObjectBinding>();
  for (const binding of config.section('durable_objects')?.sections('bindings') ?? []) {
    const name = binding.requiredString('name');
    const className = binding.requiredString('class_name');
    const script = binding.string('script_name');
    if (bindings.has(name) || absent.has(name)) throw binding.error(`two bindings have the name ${name}`);
    if (script !== undefined && script !== config.string('name')) {
      bindings.set(name, { name, className, script });
      continue;
    }
    if (declarations.deleted.has(className)) {
      throw binding.error(`the binding ${name} names the class ${className}, which a migration deletes`);
    }
    bindings.set(name, { name, className });
  }
  return [...bindings.values()];
}

/** Classes that are bound but not in any migration are stored as in workerd: without SQL. */
function withUndeclared(
  { classes }: Declarations,
  bindings: readonly ObjectBinding[],
  file: string,
  warnings: string[],
): Map<string, DeclaredClass> {
  const all = new Map(classes);
  for (const { name, className, script } of bindings) {
    if (script !== undefined || all.has(className)) continue;
    all.set(className, { storage: 'kv', uniqueKey: className });
    warnings.push(
      `${file}: the class ${className} of the binding ${name} is in no migration and gets key-value storage; ` +
        `for SQL add { "tag": "v1", "new_sqlite_classes": ["${className}"] } to migrations`,
    );
  }
  return all;
}

function variables(config: Section): Record<string, unknown> {
  const vars = config.section('vars');
  return Object.fromEntries((vars?.keys ?? []).map((key) => [key, vars!.value(key)]));
}
