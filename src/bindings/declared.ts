/** The bindings that a configuration declares: names in `env`, and which object is behind each. */
import type { QueueConsumerSettings } from './queues/queue-settings.ts';

export interface ObjectBehind {
  /** The name in `env`. */
  readonly name: string;
  /** The name of the object. */
  readonly id: string;
}

export interface QueueProducer extends ObjectBehind {
  /** Seconds that messages wait which name no delay. */
  readonly deliveryDelay: number;
}

export interface DeclaredBindings {
  readonly kvNamespaces: readonly ObjectBehind[];
  readonly d1Databases: readonly ObjectBehind[];
  readonly queueProducers: readonly QueueProducer[];
  readonly queueConsumers: readonly QueueConsumerSettings[];
  readonly r2Buckets: readonly ObjectBehind[];
}

export const noBindings: DeclaredBindings = {
  kvNamespaces: [],
  d1Databases: [],
  queueProducers: [],
  queueConsumers: [],
  r2Buckets: [],
};
