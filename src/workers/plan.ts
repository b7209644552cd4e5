/** What is to run, checked: a configuration together with the module that it names. */
import { bindingClassNames } from '#bindings';
import { DurableObject, type DurableObjectClass } from '#objects';
import { readConfig, type ConfigSource } from './config/config-file.ts';
import { ConfigError } from './config/config-error.ts';
import type { ObjectBinding, WorkerConfig } from './config/worker-config.ts';
import { entryWarnings } from './entry.ts';
import { installGlobals } from './globals/install.ts';
import { loadModule } from './modules/module-loader.ts';

interface PlannedClass {
  readonly class: DurableObjectClass;
  readonly storage: 'sql' | 'kv';
  readonly uniqueKey: string;
  readonly deleteAllDeletesAlarm: boolean;
}

export interface Plan {
  readonly config: WorkerConfig;
  readonly defaultExport: unknown;
  readonly bindings: readonly ObjectBinding[];
  /** By the name that the module exports them under. */
  readonly classes: Readonly<Record<string, PlannedClass>>;
  readonly warnings: readonly string[];
}

/** Reads and loads everything anew. `files` collects what to watch, also when this fails. */
export async function makePlan(source: ConfigSource, files: Set<string>): Promise<Plan> {
  const config = readConfig(source);
  if (config.file !== undefined) files.add(config.file);
  installGlobals();
  const { exports } = await loadModule(config.main, files);
  const bindings = config.bindings === 'exported' ? exportedBindings(exports) : config.bindings;
  const warnings = [...config.warnings, ...entryWarnings(exports['default'], config.main)];
  const classes: Record<string, PlannedClass> = {};
  const { deleteAllDeletesAlarm } = config.compatibility;
  for (const { name, className } of bindings) {
    const found = exports[className];
    if (!isClass(found)) throw notExported(config, exports, name, className);
    // A bare module declares nothing: its objects get the storage that can do everything.
    const declared = config.classes.get(className) ?? { storage: 'sql', uniqueKey: className };
    classes[className] = { class: found, ...declared, deleteAllDeletesAlarm };
  }
  // Not bound, but their alarms go on and `ctx.exports` reaches them.
  for (const [className, declared] of config.classes) {
    const found = exports[className];
    if (isClass(found)) classes[className] ??= { class: found, ...declared, deleteAllDeletesAlarm };
    else if (classes[className] === undefined) {
      warnings.push(`${config.main} does not export the class ${className}, which a migration creates`);
    }
  }
  for (const name of Object.values(bindingClassNames)) {
    if (Object.hasOwn(classes, name))
      throw new ConfigError(
        `the class ${name} of ${config.main} has a name that Gatehouse uses itself: rename it`,
      );
  }
  return { config, defaultExport: exports['default'], bindings, classes, warnings };
}

function isClass(value: unknown): value is DurableObjectClass {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

function exportedBindings(exports: Readonly<Record<string, unknown>>): ObjectBinding[] {
  return Object.entries(exports)
    .filter(([, value]) => isClass(value) && value.prototype instanceof DurableObject)
    .map(([name]) => ({ name, className: name }));
}

function notExported(
  { main, file }: WorkerConfig,
  exports: Readonly<Record<string, unknown>>,
  binding: string,
  className: string,
): ConfigError {
  const classes = Object.keys(exports).filter((name) => name !== 'default' && isClass(exports[name]));
  return new ConfigError(
    `${main} does not export the class ${className}, which the binding ${binding} in ${file} names: ` +
      `export it (export class ${className} extends DurableObject) or correct class_name; ` +
      `exported classes: ${classes.join(', ') || 'none'}`,
  );
}
