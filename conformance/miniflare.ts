/** miniflare, which `wrangler dev` runs, with the bindings of a wrangler file: the reference for bindings. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface BindingsFile {
  readonly main: string;
  readonly compatibility_date: string;
  readonly kv_namespaces?: readonly { readonly binding: string; readonly id: string }[];
  readonly d1_databases?: readonly { readonly binding: string; readonly database_id: string }[];
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly workflows: readonly {
    readonly binding: string;
    readonly name: string;
    readonly class_name: string;
  }[];
  readonly queues?: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers: readonly {
      readonly queue: string;
      readonly max_batch_size?: number;
      readonly max_batch_timeout?: number;
      readonly max_retries?: number;
      readonly dead_letter_queue?: string;
    }[];
  };
}

interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

/** On by date in the configuration, which miniflare does not pass on to the engine of workflows. */
const workflowFlags = ['workflows_preserve_non_retryable_error_message'];

/** The types of the package are not available without installing it. */
type MiniflareModule = { readonly Miniflare: new (options: object) => Miniflare };

export interface RunningMiniflare {
  readonly url: string;
  kill(): Promise<void>;
}

/** `from` is a module of the folder that has the package. */
export async function startMiniflare(
  wranglerPath: string,
  from: string = import.meta.url,
): Promise<RunningMiniflare> {
  const { Miniflare } = createRequire(from)('miniflare') as MiniflareModule;
  const file = JSON.parse(readFileSync(wranglerPath, 'utf8')) as BindingsFile;
  const byBinding = (list: readonly (readonly [string, string])[]): object => Object.fromEntries(list);
  const miniflare = new Miniflare({
    modules: true,
    modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }],
    modulesRoot: dirname(dirname(wranglerPath)),
    scriptPath: join(dirname(wranglerPath), file.main),
    compatibilityDate: file.compatibility_date,
    kvNamespaces: byBinding((file.kv_namespaces ?? []).map(({ binding, id }) => [binding, id])),
    d1Databases: byBinding((file.d1_databases ?? []).map(({ binding, database_id: id }) => [binding, id])),
    r2Buckets: byBinding((file.r2_buckets ?? []).map(({ binding, bucket_name: name }) => [binding, name])),
    workflows: Object.fromEntries(
      file.workflows.map(({ binding, name, class_name: className }) => [
        binding,
        { name, className, compatibilityFlags: workflowFlags },
      ]),
    ),
    queueProducers: byBinding((file.queues?.producers ?? []).map(({ binding, queue }) => [binding, queue])),
    queueConsumers: Object.fromEntries(
      (file.queues?.consumers ?? []).map((consumer) => [
        consumer.queue,
        {
          maxBatchSize: consumer.max_batch_size,
          maxBatchTimeout: consumer.max_batch_timeout,
          maxRetries: consumer.max_retries,
          deadLetterQueue: consumer.dead_letter_queue,
        },
      ]),
    ),
  });
  const url = String(await miniflare.ready).replace(/\/$/, '');
  return { url, kill: () => miniflare.dispose() };
}
