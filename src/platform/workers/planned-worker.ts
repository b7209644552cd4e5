/**
 * The Workers of a program, as their configuration and their modules describe them, and the location of their objects.
 */
import type { DeclaredBindings } from '#bindings';
import type { DurableObjectClass } from '#objects';
import type { AssetServer } from './assets/asset-server.ts';
import type { DeclaredClass } from './config/migrations.ts';
import type { ObjectBinding, WorkerConfig } from './config/worker-config.ts';
import type { Platform } from './platform.ts';

export interface PlannedClass {
  readonly class: DurableObjectClass;
  readonly storage: 'sql' | 'kv';
  readonly uniqueKey: string;
  readonly deleteAllDeletesAlarm: boolean;
  readonly env: object;
  readonly exports: object;
  readonly container: object | undefined;
}

export interface PlannedWorker {
  readonly config: WorkerConfig;
  readonly platform: Platform;
  /** The exports of its module. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bindings: readonly ObjectBinding[];
  readonly assets: AssetServer | undefined;
  /** The modules' `env` while they run for the first time, and everyone's once this version is adopted. */
  readonly env: Record<string, unknown>;
}

/** A Worker before its modules have run. */
export type PreparedWorker = Omit<PlannedWorker, 'exports'>;

type ConfiguredWorker = Pick<PlannedWorker, 'config'>;

export interface WorkerPlan {
  /** The first answers requests. */
  readonly workers: readonly PlannedWorker[];
  /** By their name in the runtime. */
  readonly classes: Readonly<Record<string, PlannedClass>>;
  /** Bindings of all Workers to objects of this program. */
  readonly declared: DeclaredBindings;
  readonly warnings: readonly string[];
}

/**
 * The name of a class in the runtime. Classes of the first Worker keep their own names, because it had the directory
 * first.
 */
export function runtimeName(
  workers: readonly ConfiguredWorker[],
  { config }: ConfiguredWorker,
  className: string,
): string {
  return config === workers[0]!.config ? className : `${config.name}.${className}`;
}

/** The Worker whose objects a binding refers to; undefined if it does not run here. */
export function findOwner<Worker extends ConfiguredWorker>(
  workers: readonly Worker[],
  worker: Worker,
  { script }: ObjectBinding,
): Worker | undefined {
  return script === undefined ? worker : workers.find(({ config }) => config.name === script);
}

export function declaredClass({ config }: ConfiguredWorker, className: string): DeclaredClass {
  return config.classes.get(className) ?? { storage: 'sql', uniqueKey: className };
}

/** How the objects of a class are stored, and under which name. */
export function placeOf(
  { storage, uniqueKey, from }: DeclaredClass,
  { config: own }: ConfiguredWorker,
  workers: readonly ConfiguredWorker[],
): Pick<PlannedClass, 'storage' | 'uniqueKey'> {
  if (from === undefined) {
    return { storage, uniqueKey: own === workers[0]!.config ? uniqueKey : `${own.name}-${uniqueKey}` };
  }
  const source = workers.find(({ config }) => config.name === from.script);
  const declared = source?.config.classes.get(from.className);
  if (source === undefined || declared === undefined) {
    return { storage: 'sql', uniqueKey: `${from.script}-${from.className}` };
  }
  return placeOf(declared, source, workers);
}
