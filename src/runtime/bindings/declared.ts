/** The bindings that a configuration declares: names in `env`, and which object is behind each. */
import type { QueueConsumerSettings } from './queues/queue-settings.ts';
import type { RateLimitSettings } from './rate-limits/rate-limit.ts';

export interface ObjectBehind {
  /** The name in `env`. */
  readonly name: string;
  /** The name of the object. */
  readonly id: string;
  /** Whether it is that of an account of a server, by its id there. */
  readonly isRemote?: true;
}

export interface QueueProducer extends ObjectBehind {
  /** Seconds that messages wait which name no delay. */
  readonly deliveryDelay: number;
}

/** A workflow that a Worker uses; `id` is the name of the workflow. */
export interface WorkflowBinding extends ObjectBehind {
  readonly className: string;
  /** The Worker whose code it is; undefined for this one. */
  readonly script: string | undefined;
  readonly stepsMax: number;
}

/** `id` is the namespace that uses are counted in. */
export interface RateLimitBinding extends ObjectBehind, RateLimitSettings {}

export interface DeclaredBindings {
  readonly kvNamespaces: readonly ObjectBehind[];
  readonly d1Databases: readonly ObjectBehind[];
  readonly queueProducers: readonly QueueProducer[];
  readonly queueConsumers: readonly QueueConsumerSettings[];
  readonly r2Buckets: readonly ObjectBehind[];
  /** Versions that were built earlier have none. */
  readonly workflows?: readonly WorkflowBinding[];
  readonly rateLimits?: readonly RateLimitBinding[];
}

export const noBindings: DeclaredBindings = {
  kvNamespaces: [],
  d1Databases: [],
  queueProducers: [],
  queueConsumers: [],
  r2Buckets: [],
};
