/** The bindings that a configuration declares: names in `env`, and which object is behind each. */
import type { QueueConsumerSettings } from './queues/queue-settings.ts';
import type { RateLimitSettings } from './rate-limits/rate-limit.ts';

export interface ObjectBehind {
  /** The name in `env`. */
  readonly name: string;
  /** The name of the object. */
  readonly id: string;
  /** Whether the store belongs to an account of a server; `id` is then its id there. */
  readonly isRemote?: true;
}

export interface QueueProducer extends ObjectBehind {
  /** The delay in seconds of messages that name none. */
  readonly deliveryDelay: number;
}

/** A workflow that a Worker uses; `id` is the name of the workflow. */
export interface WorkflowBinding extends ObjectBehind {
  readonly className: string;
  /** The Worker whose code it runs; undefined for this one. */
  readonly script: string | undefined;
  readonly stepsMax: number;
}

/** `id` is the namespace in which uses are counted. */
export interface RateLimitBinding extends ObjectBehind, RateLimitSettings {}

export interface DeclaredBindings {
  readonly kvNamespaces: readonly ObjectBehind[];
  readonly d1Databases: readonly ObjectBehind[];
  readonly queueProducers: readonly QueueProducer[];
  readonly queueConsumers: readonly QueueConsumerSettings[];
  readonly r2Buckets: readonly ObjectBehind[];
  /** Undefined in versions that were built earlier. */
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
