/** What a Wrangler configuration means: which module to run, with which objects and variables. */
import { resolve } from 'node:path';
import { didYouMean } from '#base';
import type { DeclaredBindings } from '#bindings';
import { bindingKeys, readBindings } from './binding-keys.ts';
import { type Compatibility, readCompatibility } from './compatibility.ts';
import { declaredClasses, type DeclaredClass, type Declarations } from './migrations.ts';
import { bindingNames, knownKeys, platformKeys } from './platform-keys.ts';
import { Section } from './section.ts';

export interface ObjectBinding {
  readonly name: string;
  readonly className: string;
}

export interface WorkerConfig {
  /** The file that the configuration came from; undefined for a bare module. */
  readonly file: string | undefined;
  /** Where relative paths start and state is kept by default. */
  readonly directory: string;
  readonly main: string;
  /** `exported`: every class that the module exports is bound under its own name. */
  readonly bindings: readonly ObjectBinding[] | 'exported';
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  readonly compatibility: Compatibility;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Bindings on objects of ours. */
  readonly declared: DeclaredBindings;
  /** Bindings that the platform would have: what to say when one is used. */
  readonly absent: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** Not taken over from the top level by an environment: each must repeat its own. */
const notInherited = new Set(['vars', 'durable_objects', ...bindingKeys, ...Object.keys(platformKeys)]);
const inheritedAnyway = new Set(['triggers', 'build', 'assets', 'site']);

interface Source {
  readonly file: string;
  readonly directory: string;
  readonly environment: string | undefined;
}

export function interpretConfig(raw: unknown, { file, directory, environment }: Source): WorkerConfig {
  const config = inEnvironment(new Section(raw, file), file, environment);
  const warnings: string[] = [];
  const absent = new Map<string, string>();
  for (const key of config.keys) {
    const scope = platformKeys[key];
    if (scope !== undefined) {
      warnings.push(`${file}: ${key} is out of scope: Gatehouse has no ${scope}`);
      for (const name of bindingNames(key, config.value(key))) {
        absent.set(name, `env.${name} comes from ${key}, which is out of scope: Gatehouse has no ${scope}`);
      }
    } else if (!knownKeys.has(key)) {
      warnings.push(`${file}: the key ${key} is not known and ignored${didYouMean(key, knownKeys)}`);
    }
  }
  const declarations = declaredClasses(config);
  const bindings = objectBindings(config, declarations, absent, warnings);
  return {
    file,
    directory,
    bindings,
    absent,
    warnings,
    main: resolve(directory, config.requiredString('main')),
    classes: withUndeclared(declarations, bindings, file, warnings),
    compatibility: readCompatibility(config, file, warnings),
    vars: variables(config),
    declared: readBindings(config, [...absent.keys(), ...bindings.map(({ name }) => name)], warnings),
  };
}

function inEnvironment(config: Section, file: string, environment: string | undefined): Section {
  if (environment === undefined) return config;
  const environments = config.section('env');
  const own = environments?.section(environment);
  if (own === undefined) {
    const names = environments?.keys.join(', ') ?? 'none';
    throw config.error(`there is no environment "${environment}" under env: ${names}`);
  }
  const merged: Record<string, unknown> = {};
  for (const key of config.keys) {
    if (key !== 'env' && (!notInherited.has(key) || inheritedAnyway.has(key)))
      merged[key] = config.value(key);
  }
  for (const key of own.keys) merged[key] = own.value(key);
  return new Section(merged, `${file} (env ${environment})`);
}

function objectBindings(
  config: Section,
  declarations: Declarations,
  absent: Map<string, string>,
  warnings: string[],
): ObjectBinding[] {
  const bindings = new Map<string, ObjectBinding>();
  for (const binding of config.section('durable_objects')?.sections('bindings') ?? []) {
    const name = binding.requiredString('name');
    const className = binding.requiredString('class_name');
    const script = binding.string('script_name');
    if (bindings.has(name) || absent.has(name)) throw binding.error(`two bindings have the name ${name}`);
    if (script !== undefined && script !== config.string('name')) {
      const explanation = `the objects of ${name} live in another script, "${script}", which does not run here`;
      warnings.push(explanation);
      absent.set(name, explanation);
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
  for (const { name, className } of bindings) {
    if (all.has(className)) continue;
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
