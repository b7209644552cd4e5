import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { R2Bucket } from '#bindings';
import { objectBytesMax, r2CallHeadBytesMax } from '#contract';
import { remoteHeadBytesMax, remoteObjectBytesMax } from '../limits.ts';
import type { RemoteStore } from './account-api.ts';
import { RemoteR2 } from './remote-r2.ts';

/** A server that reads contents, `times` times. */
function createBucket(times: number): R2Bucket {
  const post = async (_path: string, { content }: { readonly content: AsyncIterable<Uint8Array> }) => {
    for (let at = 0; at < times; at++) for await (const _chunk of content);
    return { result: { object: null } };
  };
  const call = (work: (client: object, input: object) => unknown) => work({ post }, {});
  const store = new RemoteR2({ id: 'files', call } as unknown as RemoteStore);
  return new R2Bucket(() => store as never);
}

function createStream(bytes: number): ReadableStream {
  const chunk = new Uint8Array(1024 ** 2);
  let left = bytes / chunk.length;
  return new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(chunk) : to.close()) });
}

test('RemoteR2 sends what the API takes in one call, and says what to do with more', async () => {
  deepEqual([remoteObjectBytesMax, remoteHeadBytesMax], [objectBytesMax, r2CallHeadBytesMax]);
  equal(await createBucket(1).put('key', createStream(objectBytesMax)), null);
  await rejects(createBucket(1).put('key', createStream(objectBytesMax + 1024 ** 2)), {
    name: 'RangeError',
    message: /^more than 100 MiB cannot be sent in one call .*: send parts of it, createMultipartUpload$/,
  });
});

test('RemoteR2 sends bytes again that a server was too busy for, and says that a stream is spent', async () => {
  equal(await createBucket(2).put('key', 'bytes'), null);
  await rejects(createBucket(2).put('key', createStream(1024 ** 2)), /a stream cannot be sent again/);
});
