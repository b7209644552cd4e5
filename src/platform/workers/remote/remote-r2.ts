/** A bucket of an account, through the API: implements the calls that `R2Bucket` makes to its object. */
import {
  createBodyStream,
  type FoundHead,
  type FoundObject,
  fromSent,
  type ObjectRecord,
  type BucketReply,
  type R2BucketObject,
  type WireSettings,
  splitHead,
  toChunk,
  toSent,
  writeHead,
} from '#bindings';
import { ApiError, type Client } from '#client';
import { remoteHeadBytesMax, remoteObjectBytesMax, transferMsMax } from '../limits.ts';
import type { RemoteStore } from './account-api.ts';

const calls = '/accounts/{account_id}/r2/buckets/{bucket_name}/calls';
const refusedCode = 10020;

type Bucket = R2BucketObject;
type Asked<M extends 'get' | 'put' | 'list' | 'beginUpload' | 'uploadPart' | 'completeUpload'> = Parameters<
  Bucket[M]
>;
type SentBody = Asked<'put'>[1];
type Input = Parameters<Parameters<RemoteStore['call']>[0]>[1] & { readonly bucket_name: string };
type Work<T, I = Input> = (client: Client, input: I) => Promise<T>;
type WithContents = Input & { readonly content: AsyncIterable<Uint8Array>; readonly contentType: string };

export class RemoteR2 implements Pick<
  Bucket,
  'head' | 'get' | 'put' | 'delete' | 'list' | 'beginUpload' | 'uploadPart' | 'completeUpload' | 'abortUpload'
> {
  readonly #store: RemoteStore;

  constructor(store: RemoteStore) {
    this.#store = store;
  }

  head(key: string): Promise<BucketReply<ObjectRecord | undefined>> {
    return this.#call(async (client, input) => {
      const { result } = await client.post(`${calls}/head`, { ...input, body: { key } });
      return toRecord(result.object);
    });
  }

  get({ key, condition, range }: Asked<'get'>[0]): Promise<BucketReply<FoundObject | undefined>> {
    return this.#call(async (client, input) => {
      const body = { key, condition, range };
      return await readFound(await client.exchange(`${calls}/get`, { ...input, body } as never));
    });
  }

  put(
    { condition, checksum, ...rest }: Asked<'put'>[0],
    body: SentBody,
  ): Promise<BucketReply<ObjectRecord | undefined>> {
    return this.#send({ ...toSent(rest), condition, checksum }, body, async (client, input) => {
      const { result } = await client.post(`${calls}/put`, input);
      return toRecord(result.object);
    });
  }

  delete(keys: readonly string[]): Promise<BucketReply<void>> {
    return this.#call(async (client, input) => {
      await client.post(`${calls}/delete`, { ...input, body: { keys } });
    });
  }

  list(request: Asked<'list'>[0]): ReturnType<Bucket['list']> {
    return this.#call(async (client, input) => {
      const { result } = await client.post(`${calls}/list`, { ...input, body: request as never });
      const { objects, prefixes, cursor } = result;
      return { objects: objects.map((each) => toRecord(each)!), prefixes, cursor };
    });
  }

  beginUpload(...[key, settings]: Asked<'beginUpload'>): Promise<BucketReply<string>> {
    return this.#call(async (client, input) => {
      const body = { key, ...toSent(settings) };
      return (await client.post(`${calls}/begin_upload`, { ...input, body })).result.upload;
    });
  }

  uploadPart(...[key, upload, number, body]: Asked<'uploadPart'>): ReturnType<Bucket['uploadPart']> {
    return this.#send({ key, upload, number }, body, async (client, input) => {
      return (await client.post(`${calls}/upload_part`, input)).result;
    });
  }

  completeUpload(...[key, upload, parts]: Asked<'completeUpload'>): Promise<BucketReply<ObjectRecord>> {
    return this.#call(async (client, input) => {
      const body = { key, upload, parts };
      const { result } = await client.post(`${calls}/complete_upload`, { ...input, body });
      return toRecord(result.object)!;
    });
  }

  abortUpload(key: string, upload: string): Promise<BucketReply<void>> {
    return this.#call(async (client, input) => {
      await client.post(`${calls}/abort_upload`, { ...input, body: { key, upload } });
    });
  }

  async #call<T>(work: Work<T>, msMax?: number): Promise<BucketReply<T>> {
    return await this.#store.call(async (client, input): Promise<BucketReply<T>> => {
      try {
        return { result: await work(client, { ...input, bucket_name: this.#store.id }) };
      } catch (error) {
        const failure = readFailure(error);
        if (failure === undefined) throw error;
        return { failure };
      }
    }, msMax);
  }

  /** Sends contents along: errors while they are read are passed on unchanged. */
  async #send<T>(head: object, body: SentBody, work: Work<T, WithContents>): Promise<BucketReply<T>> {
    const content = new Contents(head, body);
    return await this.#call(async (client, input) => {
      try {
        return await work(client, { ...input, content, contentType: 'application/octet-stream' });
      } catch (error) {
        throw content.failure ?? error;
      }
    }, transferMsMax);
  }
}

/** A line of JSON and contents. A stream can only be sent once, so a call with one is not retried. */
class Contents implements AsyncIterable<Uint8Array> {
  readonly #head: object;
  readonly #body: SentBody;
  #isSpent = false;
  failure: unknown;

  constructor(head: object, body: SentBody) {
    this.#head = head;
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield writeHead(this.#head);
      if (this.#body instanceof Uint8Array) return yield this.#body;
      if (this.#isSpent) throw new Error('the server is too busy, and a stream cannot be sent again');
      this.#isSpent = true;
      let bytes = 0;
      for await (const each of this.#body) {
        const chunk = toChunk(each);
        bytes += chunk.length;
        if (bytes > remoteObjectBytesMax) throw createTooLarge();
        yield chunk;
      }
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

function createTooLarge(): RangeError {
  return new RangeError(
    `more than ${remoteObjectBytesMax / 1024 ** 2} MiB cannot be sent in one call with remote: true: send parts of it, createMultipartUpload`,
  );
}

function toRecord(sent: object | null): ObjectRecord | undefined {
  return sent === null ? undefined : fromSent<ObjectRecord>(sent as WireSettings<ObjectRecord>);
}

/** The bucket's own refusal. */
function readFailure(error: unknown): { readonly text: string; readonly code: number } | undefined {
  if (!(error instanceof ApiError) || !error.has(refusedCode)) return undefined;
  const [, text, code] = /^r2\.api\.refused: (.*) \((\d+)\)$/s.exec(error.errors[0]!.message) ?? [];
  return text === undefined ? undefined : { text, code: Number(code) };
}

/** Reads the line at the start; the caller reads the contents. */
async function readFound({ body }: Response): Promise<FoundObject | undefined> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let begun: Uint8Array = new Uint8Array(0);
  let split: ReturnType<typeof splitHead>;
  while ((split = splitHead(begun, remoteHeadBytesMax)) === undefined) {
    const { done, value } = await reader.read();
    if (done || begun.length > remoteHeadBytesMax) throw new Error('the server ended its answer too early');
    begun = Buffer.concat([begun, value]);
  }
  const head = JSON.parse(Buffer.from(split.head).toString()) as FoundHead | null;
  if (head === null) return undefined;
  const { object, range, hasBody } = head;
  const found = { object: fromSent<ObjectRecord>(object), range };
  if (!hasBody) return { ...found, body: undefined };
  const { rest } = split;
  if (rest.length < range.length) {
    const chunks = readRest(rest, reader, range.length);
    return { ...found, body: createBodyStream(chunks, () => void reader.cancel().catch(() => {})) };
  }
  // Read to the end, so that the connection can be reused.
  await reader.read();
  return { ...found, body: rest };
}

async function* readRest(
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let left = length;
  for (let chunk = first; ;) {
    if (chunk.length > 0) yield new Uint8Array(chunk);
    left -= chunk.length;
    if (left <= 0) return;
    const { done, value } = await reader.read();
    if (done) throw new Error('the server ended its answer before the end of the object');
    chunk = value;
  }
}
