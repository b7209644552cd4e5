/** One Worker of a project under test, as plain data. */
import type { QueueConsumerSettings } from '#bindings';
import type { WorkerConfig, WorkerModules } from '#workers';

/** The number of a function of the configuration; the function itself stays in its thread. */
export type FunctionNumber = number;

/** Settings of a consumer; `given` are the explicit ones. */
export interface ConsumerSetup extends QueueConsumerSettings {
  readonly given: Partial<QueueConsumerSettings>;
}

export interface WorkerSetup {
  readonly config: WorkerConfig;
  /** Undefined for the Worker under test, whose main module the tests load. */
  readonly modules: WorkerModules | undefined;
  /** Bindings that functions implement. */
  readonly functions: Readonly<Record<string, FunctionNumber>>;
  /** The function that implements `fetch`, if there is one. */
  readonly outbound: FunctionNumber | undefined;
  readonly consumers: readonly ConsumerSetup[];
}
