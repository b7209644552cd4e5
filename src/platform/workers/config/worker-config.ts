/** What a Wrangler configuration means: which module to run, with which objects, variables, Workers and files. */
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { didYouMean } from '#base';
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
  /** The Worker whose objects they are; undefined for this one. */
  readonly script?: string;
}

export interface WorkerConfig {
  /** The file that the configuration came from; undefined for a bare module. */
  readonly file: string | undefined;
  /** Where relative paths start, and state is kept by default. */
  readonly directory: string;
  /** Where state is kept by default, if that is elsewhere. */
  readonly home?: string;
  /** By which other Workers reach this one. */
  readonly name: string;
  readonly main: string;
  readonly build: BuildSettings;
  /** `exported`: every class that the module exports is bound under its own name. */
  readonly bindings: readonly ObjectBinding[] | 'exported';
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  readonly compatibility: Compatibility;
  readonly vars: Readonly<Record<string, unknown>>;
  /** The name of the variable that says which version runs. Versions that were built earlier have none. */
  readonly versionBinding?: string | undefined;
  /** If there are any, the only variables that are taken from files beside the configuration. */
  readonly requiredSecrets: readonly string[];
  readonly services: readonly ServiceBinding[];
  /** Objects of other Workers of an account, by the names of the bindings. */
  readonly elsewhere?: readonly ({ readonly name: string } & ObjectsElsewhere)[];
  readonly assets: AssetsSettings | undefined;
  /** When the Worker is to be called, as cron expressions. */
  readonly crons: readonly string[];
  /**
   * Whether bindings to classes that the module does not export are left out: who loads it looks at its exports then, and
   * has a better name for what is missing.
   */
  readonly leavesOutMissing?: boolean;
  /** Files beside the code that it depends on. */
  readonly watched: readonly string[];
  /** Bindings on objects of ours. */
  readonly declared: DeclaredBindings;
  /** Bindings that the platform would have: what to say when one is used. */
  readonly absent: ReadonlyMap<string, string>;
  /** Keys of those that have methods which drop what they are given. Versions that were built earlier do not say. */
  readonly dropping?: ReadonlyMap<string, string>;
  /** Classes whose objects have a container on Cloudflare. Versions that were built earlier do not say. */
  readonly containers?: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

interface Source {
  readonly file: string;
  readonly directory: string;
  readonly environment: string | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

export function interpretConfig(
  raw: unknown,
  { file, directory, environment, extra = {} }: Source,
): WorkerConfig {
  const warnings: string[] = [];
  const config = selectEnvironment(new Section(raw, file), { file, environment }, warnings).with(extra);
  const absent = new Map<string, string>();
  const dropping = new Map<string, string>();
  for (const key of config.keys) {
    const scope = platformKeys[key];
    // Wrangler writes every key into what it generates, also those that are newer than this.
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

/** Of code that something else builds. */
const unbuiltVersion = {
  id: '00000000-0000-0000-0000-000000000000',
  tag: '',
  timestamp: new Date(0).toISOString(),
} as const;

/** Nothing in it, however deep. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).every((each) => isEmpty(each));
}

/** A folder such as `_worker.js` stands for the module that it starts with. */
function findMain(path: string): string {
  const index = join(path, 'index.js');
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && existsSync(index)
    ? index
    : path;
}

/** Projects of Pages are Workers with files, in another layout. */
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

/** Classes that are bound but stand in no migration are stored as workerd stores them: without SQL. */
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
