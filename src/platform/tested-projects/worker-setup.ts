/** One Worker of a project under test, as plain data. */
import type { QueueConsumerSettings } from '#bindings';
import type { WorkerConfig, WorkerModules } from '#workers';

/** The number of a function of the configuration, which stays where it is. */
export type FunctionNumber = number;

/** Settings of a consumer; `given` are those that were named. */
export interface ConsumerSetup extends QueueConsumerSettings {
  readonly given: Partial<QueueConsumerSettings>;
}

export interface WorkerSetup {
  readonly config: WorkerConfig;
  /** Undefined for the Worker under test, whose main module the tests load. */
  readonly modules: WorkerModules | undefined;
  /** Bindings that a function answers. */
  readonly functions: Readonly<Record<string, FunctionNumber>>;
  /** What `fetch` reaches, if it is a function. */
  readonly outbound: FunctionNumber | undefined;
  readonly consumers: readonly ConsumerSetup[];
}
