/** Contents of buckets of a cluster, which are objects of their own. */
import { equal, deepEqual, match } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { refusalOf, TestProgram } from '../../testing.ts';
import type { R2ObjectBody } from '../r2-object-body.ts';

const md5 = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const textOf = async (body: unknown): Promise<string> => await (body as R2ObjectBody).text();

test('R2Bucket of a cluster keeps contents in objects: long streams, ranges, copies of parts, and nothing is left', async (t) => {
  const program = await TestProgram.open(t, { hasContentObjects: true });
  const contentsOf = async (): Promise<number> => {
    const { runtime } = program;
    let count = 0;
    for await (const { id } of runtime.objects('r2_contents'))
      if ((await runtime.namespace('r2_contents').get(id).read(0, 1)).length > 0) count++;
    return count;
  };
  const megabyte = 1024 * 1024;
  const bytes = Buffer.alloc(9 * megabyte + 5, 'abcdefghijk');
  const stream = () => new Blob([bytes]).stream();
  const put = await program.env.BUCKET.put('long', stream(), {
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  deepEqual([put!.size, put!.etag], [bytes.length, md5(bytes)]);
  equal(await contentsOf(), 2);
  await program.restart();
  const whole = (await program.env.BUCKET.get('long')) as R2ObjectBody;
  equal(md5(Buffer.from(await whole.arrayBuffer())), md5(bytes));
  for (const [offset, length] of [
    [0, 3],
    [8 * megabyte - 2, 4],
    [megabyte - 1, 8 * megabyte],
    [9 * megabyte, 5],
  ] as const) {
    const part = (await program.env.BUCKET.get('long', { range: { offset, length } })) as R2ObjectBody;
    equal(md5(Buffer.from(await part.arrayBuffer())), md5(bytes.subarray(offset, offset + length)));
  }

  // Contents that are being read stay until they have been read.
  const reading = (await program.env.BUCKET.get('long')) as R2ObjectBody;
  await program.env.BUCKET.put('long', 'short');
  equal(md5(Buffer.from(await reading.arrayBuffer())), md5(bytes));
  equal(await textOf(await program.env.BUCKET.get('long')), 'short');
  while ((await contentsOf()) > 1) await nextImmediate();

  match(await refusalOf(() => program.env.BUCKET.put('wrong', 'x', { md5: md5('y') })), /10037/);
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(2 * megabyte));
      controller.error(new Error('the client left'));
    },
  });
  match(await refusalOf(() => program.env.BUCKET.put('half', broken)), /the client left/);
  equal(await program.env.BUCKET.head('half'), null);
  equal(await contentsOf(), 1);

  const upload = await program.env.BUCKET.createMultipartUpload('parts');
  const first = await upload.uploadPart(1, bytes.subarray(0, 6 * megabyte));
  const second = await upload.uploadPart(2, 'end');
  await upload.complete([first, second]);
  const parts = (await program.env.BUCKET.get('parts')) as R2ObjectBody;
  equal(
    md5(Buffer.from(await parts.arrayBuffer())),
    md5(Buffer.concat([bytes.subarray(0, 6 * megabyte), Buffer.from('end')])),
  );
  await program.env.BUCKET.delete(['parts', 'long']);
  equal(await contentsOf(), 0);
});

test('R2Bucket of a cluster removes what a host has left that ended in the middle of a put', async (t) => {
  const program = await TestProgram.open(t, { hasContentObjects: true });
  const id = program.runtime.namespace('r2_buckets').idFromName('bucket');
  const content = program.runtime.namespace('r2_contents').getByName(`${id.toString()}/${'a'.repeat(32)}/0`);
  await content.write(0, Buffer.from('half'));
  // What the bucket records before the first byte.
  await program.runtime.runInside(id, (_bucket, { storage }) =>
    storage.sql.exec('INSERT INTO pending_files (file) VALUES (?)', 'a'.repeat(32)).toArray(),
  );
  await program.restart();
  await program.env.BUCKET.head('anything');
  const again = program.runtime.namespace('r2_contents').getByName(`${id.toString()}/${'a'.repeat(32)}/0`);
  equal((await again.read(0, 4)).length, 0);
});
