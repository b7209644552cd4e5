/** What is to run, checked: the Workers of a program with their code loaded, and the classes of their objects. */
import { bindingClassNames, type DeclaredBindings } from '#bindings';
import { DurableObject, type DurableObjectClass } from '#objects';
import { AssetServer } from './assets/asset-server.ts';
import { ConfigError } from './config/config-error.ts';
import type { DeclaredClass } from './config/migrations.ts';
import type { ObjectBinding, WorkerConfig } from './config/worker-config.ts';
import { entryWarnings } from './entry.ts';
import { installGlobals } from './globals/install.ts';
import { loadModules } from './modules/module-loader.ts';
import type { Platform } from './platform.ts';
import type { BuiltProject } from './project.ts';
import { Cron } from './triggers/cron.ts';

interface PlannedClass {
  readonly class: DurableObjectClass;
  readonly storage: 'sql' | 'kv';
  readonly uniqueKey: string;
  readonly deleteAllDeletesAlarm: boolean;
  readonly env: object;
  readonly exports: object;
}

export interface PlannedWorker {
  readonly config: WorkerConfig;
  readonly platform: Platform;
  /** Those of its module. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bindings: readonly ObjectBinding[];
  readonly assets: AssetServer | undefined;
}

export interface Plan {
  /** The first answers requests. */
  readonly workers: readonly PlannedWorker[];
  /** By the name that the runtime knows them under. */
  readonly classes: Readonly<Record<string, PlannedClass>>;
  /** Bindings on objects of ours, of all Workers. */
  readonly declared: DeclaredBindings;
  readonly warnings: readonly string[];
}

/** Loads everything anew. `platformOf` has one for each Worker, the same for each version of its code. */
export async function loadPlan(
  projects: readonly BuiltProject[],
  platformOf: (worker: string) => Platform,
): Promise<Plan> {
  checkNames(projects);
  installGlobals();
  const workers: PlannedWorker[] = [];
  const warnings: string[] = [];
  for (const { config, modules, warnings: buildWarnings } of projects) {
    const platform = platformOf(config.name);
    const { exports } = await loadModules(modules, platform.id);
    const bindings = config.bindings === 'exported' ? exportedBindings(exports) : config.bindings;
    const assets = config.assets === undefined ? undefined : new AssetServer(config.assets);
    for (const cron of config.crons) Cron.parse(cron);
    workers.push({ config, platform, exports, bindings, assets });
    const queues = config.declared.queueConsumers.map(({ queue }) => queue);
    warnings.push(
      ...config.warnings,
      ...buildWarnings,
      ...entryWarnings(exports['default'], config.main, queues),
    );
  }
  const classes: Record<string, PlannedClass> = {};
  for (const worker of workers) Object.assign(classes, planClasses(worker, workers, warnings));
  for (const worker of workers) {
    checkBindings(worker, workers, classes);
    warnings.push(...describeAbsentWorkers(worker, workers));
  }
  checkClassNames(workers[0]!.config.main, classes);
  return { workers, classes, declared: joinBindings(workers), warnings };
}

/** The name of a class in the runtime. Those of the first Worker have their own: it had the directory first. */
export function runtimeName(
  workers: readonly PlannedWorker[],
  worker: PlannedWorker,
  className: string,
): string {
  return worker === workers[0] ? className : `${worker.config.name}.${className}`;
}

/** The Worker whose objects a binding means; undefined if it does not run here. */
export function findOwner(
  workers: readonly PlannedWorker[],
  worker: PlannedWorker,
  { script }: ObjectBinding,
): PlannedWorker | undefined {
  return script === undefined ? worker : workers.find(({ config }) => config.name === script);
}

function checkNames(projects: readonly BuiltProject[]): void {
  const names = projects.map(({ config }) => config.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new ConfigError(
    `two Workers have the name ${twice}: give each a name of its own in its configuration`,
  );
}

function checkClassNames(main: string, classes: Readonly<Record<string, PlannedClass>>): void {
  const taken = Object.values(bindingClassNames).find((name) => Object.hasOwn(classes, name));
  if (taken === undefined) return;
  throw new ConfigError(`the class ${taken} of ${main} has a name that Gatehouse uses itself: rename it`);
}

/** What has the same id is the same for all Workers. */
function joinBindings(workers: readonly PlannedWorker[]): DeclaredBindings {
  const all = workers.map(({ config }) => config.declared);
  const queueConsumers = all.flatMap((declared) => declared.queueConsumers);
  const queues = queueConsumers.map(({ queue }) => queue);
  const twice = queues.find((queue, index) => queues.indexOf(queue) !== index);
  if (twice !== undefined)
    throw new ConfigError(`the queue ${twice} has two consumers: leave one of them out`);
  return {
    kvNamespaces: all.flatMap(({ kvNamespaces }) => kvNamespaces),
    d1Databases: all.flatMap(({ d1Databases }) => d1Databases),
    queueProducers: all.flatMap(({ queueProducers }) => queueProducers),
    r2Buckets: all.flatMap(({ r2Buckets }) => r2Buckets),
    queueConsumers,
  };
}

function planClasses(
  worker: PlannedWorker,
  workers: readonly PlannedWorker[],
  warnings: string[],
): Record<string, PlannedClass> {
  const { config, exports, platform, bindings } = worker;
  const { deleteAllDeletesAlarm } = config.compatibility;
  const classes: Record<string, PlannedClass> = {};
  const add = (className: string, found: DurableObjectClass, declared: DeclaredClass): void => {
    classes[runtimeName(workers, worker, className)] = {
      class: found,
      ...placeOf(declared, worker, workers),
      deleteAllDeletesAlarm,
      env: platform.env,
      exports: platform.exports,
    };
  };
  for (const { name, className, script } of bindings) {
    if (script !== undefined) continue;
    const found = exports[className];
    if (!isClass(found)) throw notExported(config, exports, name, className);
    // A bare module declares nothing: its objects get the storage that can do everything.
    add(className, found, config.classes.get(className) ?? { storage: 'sql', uniqueKey: className });
  }
  // Not bound here, but their alarms go on, other Workers may bind them, and `ctx.exports` reaches them.
  for (const [className, declared] of config.classes) {
    if (isTransferred(worker, className, workers)) continue;
    const found = exports[className];
    if (isClass(found)) add(className, found, declared);
    else warnings.push(`${config.main} does not export the class ${className}, which a migration creates`);
  }
  return classes;
}

/** Bindings to objects of another Worker must name a class that it has. */
function checkBindings(
  worker: PlannedWorker,
  workers: readonly PlannedWorker[],
  classes: Readonly<Record<string, PlannedClass>>,
): void {
  for (const binding of worker.bindings) {
    const owner = findOwner(workers, worker, binding);
    if (owner === undefined || runtimeName(workers, owner, binding.className) in classes) continue;
    throw new ConfigError(
      `the Worker "${owner.config.name}" has no objects of the class ${binding.className}, ` +
        `which the binding ${binding.name} of "${worker.config.name}" names: add it to its migrations, or correct class_name`,
    );
  }
}

/** How the objects of a class are stored, and under which name. */
function placeOf(
  { storage, uniqueKey, from }: DeclaredClass,
  worker: PlannedWorker,
  workers: readonly PlannedWorker[],
): Pick<PlannedClass, 'storage' | 'uniqueKey'> {
  if (from === undefined) {
    return { storage, uniqueKey: worker === workers[0] ? uniqueKey : `${worker.config.name}-${uniqueKey}` };
  }
  const source = workers.find(({ config }) => config.name === from.script);
  const declared = source?.config.classes.get(from.className);
  if (source === undefined || declared === undefined) {
    return { storage: 'sql', uniqueKey: `${from.script}-${from.className}` };
  }
  return placeOf(declared, source, workers);
}

/** Whether another Worker has taken over the objects of a class. */
function isTransferred(
  { config, bindings }: PlannedWorker,
  className: string,
  workers: readonly PlannedWorker[],
): boolean {
  const taker = workers.find(({ config: other }) =>
    [...other.classes.values()].some(
      ({ from }) => from?.script === config.name && from.className === className,
    ),
  );
  if (taker === undefined) return false;
  const binding = bindings.find((each) => each.script === undefined && each.className === className);
  if (binding === undefined) return true;
  throw new ConfigError(
    `the objects of ${className} have moved from ${config.name} to ${taker.config.name}: ` +
      `add "script_name": "${taker.config.name}" to the binding ${binding.name}`,
  );
}

function describeAbsentWorkers(worker: PlannedWorker, workers: readonly PlannedWorker[]): string[] {
  const { config, bindings } = worker;
  const hint = 'start it too, with --worker and its path';
  const isHere = (name: string): boolean => workers.some((each) => each.config.name === name);
  const objects = bindings
    .filter((binding) => findOwner(workers, worker, binding) === undefined)
    .map(
      ({ name, script }) =>
        `the objects of env.${name} are those of the Worker "${script}", which does not run here: ${hint}`,
    );
  const services = config.services
    .filter(({ service }) => !isHere(service))
    .map(
      ({ name, service }) => `env.${name} calls the Worker "${service}", which does not run here: ${hint}`,
    );
  return [...objects, ...services];
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
