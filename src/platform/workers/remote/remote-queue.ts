/** A queue of an account, through the API: implements the calls that `WorkerQueue` makes to its object. */
import type { QueueMetrics, QueueObject } from '#bindings';
import type { Client, Result } from '#client';
import type { RemoteStore } from './account-api.ts';

const queues = '/accounts/{account_id}/queues';
const one = `${queues}/{queue_id}` as const;

type Input = Parameters<Parameters<RemoteStore['call']>[0]>[1];
type Message = Parameters<QueueObject['enqueue']>[0][number];

export class RemoteQueue {
  readonly #store: RemoteStore;
  /** The API identifies queues by id, a configuration by name. */
  #id: Promise<string> | undefined;

  constructor(store: RemoteStore) {
    this.#store = store;
  }

  async enqueue(messages: readonly Message[], delaySeconds: number): Promise<QueueMetrics> {
    const body = { messages: messages.map(toSent), delay_seconds: delaySeconds };
    const { result } = await this.#call((client, input) =>
      client.post(`${one}/messages/batch`, { ...input, body }),
    );
    return toMetrics(result.metadata.metrics);
  }

  async metrics(): Promise<QueueMetrics> {
    const { result } = await this.#call((client, input) => client.get(`${one}/metrics`, input));
    return toMetrics(result);
  }

  async #call<T>(
    work: (client: Client, input: Input & { readonly queue_id: string }) => Promise<T>,
  ): Promise<T> {
    return await this.#store.call(async (client, input) => {
      this.#id ??= this.#findId(client, input);
      try {
        return await work(client, { ...input, queue_id: await this.#id });
      } catch (error) {
        // It may be created, or created again, before the next call.
        this.#id = undefined;
        throw error;
      }
    });
  }

  async #findId(client: Client, input: Input): Promise<string> {
    const name = this.#store.id;
    const { result } = await client.get(queues, { ...input, query: { name } });
    const [found] = result;
    if (found !== undefined) return found.queue_id;
    throw new Error(`the account has no queue ${name}: correct its name in the configuration, or create it`);
  }
}

function toSent({ contentType, body, delaySeconds }: Message) {
  const bytes = Buffer.from(body);
  const delay = delaySeconds === undefined ? {} : { delay_seconds: delaySeconds };
  switch (contentType) {
    case 'json':
      return { body: JSON.parse(bytes.toString()) as unknown, content_type: contentType, ...delay };
    case 'text':
      return { body: bytes.toString(), content_type: contentType, ...delay };
    case 'bytes':
      return { body: bytes.toString('base64'), content_type: contentType, ...delay };
    case 'v8':
      throw new TypeError(
        'a message of the content type v8 cannot be sent to a queue with remote: true: name another, { contentType: "json" }',
      );
  }
}

function toMetrics(backlog: Result<'queues.getMetrics'>): QueueMetrics {
  const {
    backlog_count: backlogCount,
    backlog_bytes: backlogBytes,
    oldest_message_timestamp_ms: oldest,
  } = backlog;
  return {
    backlogCount,
    backlogBytes,
    ...(oldest === 0 ? {} : { oldestMessageTimestamp: new Date(oldest) }),
  };
}
