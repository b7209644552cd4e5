/** The keys that declare bindings to objects of this program. */
import {
  type DeclaredBindings,
  type ObjectBehind,
  type QueueConsumerSettings,
  queueConsumerBatchMax,
  queueConsumerRetriesMax,
  queueConsumerTimeoutSecondsMax,
  queueDelaySecondsMax,
  type QueueProducer,
  type RateLimitBinding,
  rateLimitPeriods,
  type WorkflowBinding,
  workflowStepsMaxDefault,
} from '#bindings';
import type { Section } from './section.ts';

export const bindingKeys: readonly string[] = [
  'kv_namespaces',
  'd1_databases',
  'queues',
  'r2_buckets',
  'ratelimits',
  'workflows',
];

/** `taken` are the names of other bindings. */
export function readBindings(config: Section, taken: Iterable<string>, warnings: string[]): DeclaredBindings {
  const names = new Set(taken);
  const take = (binding: Section, key: string): string => {
    const name = binding.requiredString(key);
    if (names.has(name)) throw binding.error(`two bindings have the name ${name}`);
    names.add(name);
    return name;
  };
  const read = (binding: Section, ...idKeys: readonly string[]): ObjectBehind => {
    const name = take(binding, 'binding');
    const isRemote = binding.value('remote') === true;
    const given = idKeys.map((key) => binding.string(key)).find((id) => id !== undefined);
    if (isRemote && given === undefined)
      throw binding.error(
        `the binding ${name} has remote: true: it needs ${idKeys[0]}, as the account knows it`,
      );
    return { name, id: given ?? name, ...(isRemote ? { isRemote } : {}) };
  };
  const queues = config.section('queues');
  return {
    kvNamespaces: config.sections('kv_namespaces').map((binding) => read(binding, 'id')),
    d1Databases: config
      .sections('d1_databases')
      .map((binding) => read(binding, 'database_id', 'database_name')),
    r2Buckets: config.sections('r2_buckets').map((binding) => read(binding, 'bucket_name')),
    queueProducers: (queues?.sections('producers') ?? []).map((producer): QueueProducer => ({
      ...read(producer, 'queue'),
      deliveryDelay: readWhole(producer, 'delivery_delay', { otherwise: 0, max: queueDelaySecondsMax }),
    })),
    workflows: config.sections('workflows').map((binding) => {
      const { isRemote, ...behind } = read(binding, 'name');
      if (isRemote === true)
        warnings.push(`the workflow ${behind.id} has remote: true, but its instances are kept here`);
      warnOfWorkflow(binding, behind.id, warnings);
      return readWorkflow(binding, behind, config);
    }),
    rateLimits: config.sections('ratelimits').map((binding) => readRateLimit(binding, take(binding, 'name'))),
    queueConsumers: readConsumers(queues?.sections('consumers') ?? [], warnings),
  };
}

function readRateLimit(binding: Section, name: string): RateLimitBinding {
  const simple = binding.section('simple');
  if (simple === undefined) throw binding.error('simple is missing: { "limit": 100, "period": 60 }');
  const period = simple.value('period') as number;
  if (!rateLimitPeriods.includes(period))
    throw simple.error(`period must be one of ${rateLimitPeriods.join(', ')}: ${JSON.stringify(period)}`);
  const limit = readWhole(simple, 'limit', { otherwise: NaN, max: Number.MAX_SAFE_INTEGER });
  return { name, id: binding.requiredString('namespace_id'), limit, period };
}

/** The name of a workflow is part of the names of its instances. */
const workflowName = /^\w[\w-]{0,63}$/;
const workflowStepsMax = 25_000;

/** Keys of a workflow that have no effect here, with the alternatives. */
const absentWorkflowKeys: Readonly<Record<string, string>> = {
  schedules: 'create its instances in scheduled(), which triggers.crons calls',
  concurrency: 'all instances that are due run',
  default_retention: 'an instance is kept for 30 days after its end',
  jurisdiction: 'instances are where this program runs',
};

function warnOfWorkflow(binding: Section, name: string, warnings: string[]): void {
  for (const [key, instead] of Object.entries(absentWorkflowKeys))
    if (binding.value(key) !== undefined)
      warnings.push(`the workflow ${name} has ${key}, which is not available here: ${instead}`);
}

function readWorkflow(binding: Section, behind: ObjectBehind, config: Section): WorkflowBinding {
  if (!workflowName.test(behind.id))
    throw binding.error(
      `the name of a workflow has letters, digits, dashes and underscores, at most 64: ${behind.id}`,
    );
  const script = binding.string('script_name');
  const limits = binding.section('limits');
  const isOwn = script === undefined || script === config.string('name');
  return {
    ...behind,
    className: binding.requiredString('class_name'),
    script: isOwn ? undefined : script,
    stepsMax:
      limits === undefined
        ? workflowStepsMaxDefault
        : readWhole(limits, 'steps', { otherwise: workflowStepsMaxDefault, min: 1, max: workflowStepsMax }),
  };
}

function readConsumers(consumers: readonly Section[], warnings: string[]): QueueConsumerSettings[] {
  const settings = new Map<string, QueueConsumerSettings>();
  for (const consumer of consumers) {
    const queue = consumer.requiredString('queue');
    const type = consumer.string('type') ?? 'worker';
    if (type !== 'worker') {
      warnings.push(
        `the consumer of the queue ${queue} has type "${type}": only Workers consume queues here`,
      );
      continue;
    }
    if (consumer.value('max_concurrency') !== undefined)
      warnings.push(`the queue ${queue} delivers one batch at a time: max_concurrency has no effect`);
    if (settings.has(queue)) throw consumer.error(`the queue ${queue} has two consumers`);
    settings.set(queue, readConsumer(consumer, queue));
  }
  return [...settings.values()];
}

/** Omitted values are Cloudflare's. */
function readConsumer(consumer: Section, queue: string): QueueConsumerSettings {
  return {
    queue,
    batchSizeMax: readWhole(consumer, 'max_batch_size', {
      otherwise: 10,
      min: 1,
      max: queueConsumerBatchMax,
    }),
    batchTimeoutMs:
      readWhole(consumer, 'max_batch_timeout', { otherwise: 5, max: queueConsumerTimeoutSecondsMax }) * 1000,
    retriesMax: readWhole(consumer, 'max_retries', { otherwise: 3, max: queueConsumerRetriesMax }),
    retryDelayMs: readWhole(consumer, 'retry_delay', { otherwise: 0, max: queueDelaySecondsMax }) * 1000,
    deadLetterQueue: consumer.string('dead_letter_queue'),
  };
}

function readWhole(
  section: Section,
  key: string,
  { otherwise, min = 0, max }: { readonly otherwise: number; readonly min?: number; readonly max: number },
): number {
  const value = section.value(key) ?? otherwise;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw section.error(`${key} must be a whole number from ${min} to ${max}: ${JSON.stringify(value)}`);
}
