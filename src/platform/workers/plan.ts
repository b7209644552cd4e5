/** The plan of a program, validated: its Workers with their code loaded, and the classes of their objects. */
import { explainWhenUsed } from '#base';
import { bindingClassNames, type DeclaredBindings, type WorkflowBinding } from '#bindings';
import { DurableObject, type DurableObjectClass } from '#objects';
import { AssetServer } from './assets/asset-server.ts';
import { ConfigError } from './config/config-error.ts';
import type { DeclaredClass } from './config/migrations.ts';
import type { ObjectBinding, WorkerConfig } from './config/worker-config.ts';
import { entryWarnings } from './entry.ts';
import { installGlobals } from './globals/install.ts';
import type { WorkflowEntrypoint } from './modules/cloudflare-workers.ts';
import { loadModules } from './modules/module-loader.ts';
import {
  declaredClass,
  findOwner,
  type WorkerPlan,
  type PlannedClass,
  type PlannedWorker,
  placeOf,
  type PreparedWorker,
  runtimeName,
} from './planned-worker.ts';
import type { Platform } from './platform.ts';
import type { BuiltProject } from './project.ts';
import { showAuthoredText } from './realm/authored-text.ts';
import { GlobalScope } from './realm/global-scope.ts';
import { checkBuiltins } from './realm/self-check.ts';
import { createWorkerGlobal } from './realm/worker-global.ts';
import { endInTime } from './modules/load-limit.ts';
import { Cron } from './triggers/cron.ts';
import { partRemote } from './remote/remote-stores.ts';
import { bindObjects, type EnvSources, fillEnv } from './worker-env.ts';

export interface LoadOptions extends EnvSources {
  /** One for each Worker, shared by all versions of its code. */
  readonly platformOf: (worker: string) => Platform;
  /** Left once all modules have run. */
  readonly scope: GlobalScope;
  /** How long the modules of a Worker may take to run. */
  readonly loadMsMax: number;
}

interface RunOptions extends Pick<LoadOptions, 'scope' | 'loadMsMax'> {
  /** Further globals for the modules. */
  readonly globals?: Readonly<Record<string, unknown>>;
}

/** Loads everything again. */
export async function loadPlan(projects: readonly BuiltProject[], options: LoadOptions): Promise<WorkerPlan> {
  const { platformOf, scope, loadMsMax } = options;
  checkNames(projects);
  installGlobals();
  const known = projects.map((project) => prepareWorker(project, platformOf));
  for (const worker of known) fillEnv(worker, known, options);
  const workers: PlannedWorker[] = [];
  const warnings: string[] = [];
  for (const [index, { config, modules, warnings: buildWarnings }] of projects.entries()) {
    const worker = known[index]!;
    const exports = await runModules(worker, modules, { scope, loadMsMax });
    const bindings = chooseBindings(config, exports);
    if (config.bindings === 'exported') bindObjects({ ...worker, bindings }, known, options);
    workers.push({ ...worker, exports, bindings });
    const queues = config.declared.queueConsumers.map(({ queue }) => queue);
    warnings.push(
      ...config.warnings,
      ...(worker.assets?.warnings ?? []),
      ...buildWarnings,
      ...entryWarnings(exports['default'], config.main, queues),
    );
  }
  scope.leave();
  const classes: Record<string, PlannedClass> = {};
  for (const worker of workers) Object.assign(classes, planClasses(worker, workers, warnings));
  for (const worker of workers) {
    checkBindings(worker, workers, classes);
    if (options.neighbours === undefined) warnings.push(...describeAbsentWorkers(worker, workers));
  }
  checkClassNames(workers[0]!.config.main, classes);
  const { here, warnings: obstacles } = partRemote(joinBindings(workers), options.remote);
  return { workers, classes, declared: here, warnings: [...warnings, ...obstacles] };
}

export function prepareWorker(
  { config }: Pick<BuiltProject, 'config'>,
  platformOf: (worker: string) => Platform,
): PreparedWorker {
  for (const cron of config.crons) Cron.parse(cron);
  return {
    config,
    platform: platformOf(config.name),
    bindings: config.bindings === 'exported' ? [] : config.bindings,
    assets: config.assets === undefined ? undefined : new AssetServer(config.assets),
    env: {},
  };
}

export async function runModules(
  { config, platform, env }: PreparedWorker,
  modules: BuiltProject['modules'],
  { scope, loadMsMax, globals = {} }: RunOptions,
): Promise<PlannedWorker['exports']> {
  const { compatibility, vars } = config;
  const own = { ...globals, Cloudflare: { compatibilityFlags: compatibility.flags ?? {} } };
  const processEnv = compatibility.showsVarsInProcess ? toProcessEnv(vars) : {};
  showAuthoredText();
  const global = createWorkerGlobal({ processEnv, scope, own });
  const load = () => loadModules(modules, { platform: platform.id, global });
  const loading = platform.module.withEnv(env, load);
  try {
    return (await endInTime(loading, { msMax: loadMsMax, main: config.main })).exports;
  } finally {
    // Before a failure with a cause that is hard to understand.
    checkBuiltins();
  }
}

/** Variables as text. */
function toProcessEnv(vars: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(vars);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

export function checkNames(projects: ReadonlyArray<Pick<BuiltProject, 'config'>>): void {
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

function joinBindings(workers: readonly PlannedWorker[]): DeclaredBindings {
  return { ...joinDeclared(workers.map(({ config }) => config)), workflows: joinWorkflows(workers) };
}

/** Resources with the same id are the same for all Workers. */
export function joinDeclared(configs: readonly WorkerConfig[]): Omit<DeclaredBindings, 'workflows'> {
  const all = configs.map(({ declared }) => declared);
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

/** Each workflow is the code of one Worker, which exports its class. */
function joinWorkflows(workers: readonly PlannedWorker[]): WorkflowBinding[] {
  const owners = new Map<string, string>();
  return workers.flatMap(({ config, exports }) =>
    (config.declared.workflows ?? []).map((workflow) => {
      const { id, name, className, script } = workflow;
      if (script !== undefined) return workflow;
      const other = owners.get(id);
      if (other !== undefined && other !== config.name)
        throw new ConfigError(
          `the Workers "${other}" and "${config.name}" both have a workflow ${id}: rename one, or add script_name to the binding ${name}`,
        );
      owners.set(id, config.name);
      const found = exports[className];
      if (!isClass(found) || typeof (found.prototype as Partial<WorkflowEntrypoint>).run !== 'function')
        throw notExported(config, exports, name, className, 'WorkflowEntrypoint');
      return workflow;
    }),
  );
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
      container: config.containers?.has(className) === true ? explainContainer(className) : undefined,
    };
  };
  for (const { name, className, script } of bindings) {
    if (script !== undefined) continue;
    const found = exports[className];
    if (!isClass(found)) throw notExported(config, exports, name, className);
    // A bare module declares nothing: its objects get the storage with every feature.
    add(className, found, declaredClass(worker, className));
  }
  // Not bound here, but their alarms still run, other Workers may bind them, and `ctx.exports` contains them.
  for (const [className, declared] of config.classes) {
    if (isTransferred(worker, className, workers)) continue;
    const found = exports[className];
    if (isClass(found)) add(className, found, declared);
    else warnings.push(`${config.main} does not export the class ${className}, which a migration creates`);
  }
  return classes;
}

function explainContainer(className: string): object {
  return explainWhenUsed(
    `ctx.container of ${className} comes from containers, which is out of scope: Gatehouse has no containers`,
  );
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
        `the objects of env.${name} are those of the Worker "${script}", which is not running here: ${hint}`,
    );
  const services = config.services
    .filter(({ service }) => !isHere(service))
    .map(
      ({ name, service }) => `env.${name} calls the Worker "${service}", which is not running here: ${hint}`,
    );
  const workflows = (config.declared.workflows ?? [])
    .filter(({ script }) => script !== undefined && !isHere(script))
    .map(
      ({ name, script }) =>
        `the code of the workflow env.${name} is that of the Worker "${script}", which is not running here: ${hint}`,
    );
  return [...objects, ...services, ...workflows];
}

export function isClass(value: unknown): value is DurableObjectClass {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

function chooseBindings(
  { bindings, leavesOutMissing = false }: WorkerConfig,
  exports: Readonly<Record<string, unknown>>,
): readonly ObjectBinding[] {
  if (bindings === 'exported') return exportedBindings(exports);
  if (!leavesOutMissing) return bindings;
  return bindings.filter(({ script, className }) => script !== undefined || isClass(exports[className]));
}

function exportedBindings(exports: Readonly<Record<string, unknown>>): ObjectBinding[] {
  return Object.entries(exports)
    .filter(([, value]) => isClass(value) && value.prototype instanceof DurableObject)
    .map(([name]) => ({ name, className: name }));
}

export function notExported(
  { main, file }: WorkerConfig,
  exports: Readonly<Record<string, unknown>>,
  binding: string,
  className: string,
  base = 'DurableObject',
): ConfigError {
  const classes = Object.keys(exports).filter((name) => name !== 'default' && isClass(exports[name]));
  return new ConfigError(
    `${main} does not export the class ${className}, which the binding ${binding} in ${file} names: ` +
      `export it (export class ${className} extends ${base}) or correct class_name; ` +
      `exported classes: ${classes.join(', ') || 'none'}`,
  );
}
