// Imported first, so that later imports are counted.
import { countWork, countWorkOf } from '../../../../tools/count-work.ts';
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Capability, RpcTarget, type Side, type Stub, createStub, outside } from '#rpc';
import { decodeValue, encodeValue } from '#values';
import { type Links, entryOf, openLinks } from './testing.ts';

/** The target that the far end serves. */
class Desk extends RpcTarget {
  held: Stub[] = [];
  reached = Promise.withResolvers<void>();
  echo(value: unknown): unknown {
    return value;
  }
  async readAll(stream: ReadableStream<unknown>): Promise<unknown[]> {
    return await Array.fromAsync(stream as unknown as AsyncIterable<unknown>);
  }
  async readText(stream: ReadableStream): Promise<string> {
    return await new Response(stream).text();
  }
  async fill(stream: WritableStream<unknown>, ...chunks: unknown[]): Promise<void> {
    const writer = stream.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  }
  texts(upTo: number): ReadableStream<string> {
    return ReadableStream.from(Array.from({ length: upTo }, (_, i) => String(i % 10)));
  }
  async untilAborted(signal: AbortSignal): Promise<unknown> {
    this.reached.resolve();
    if (!signal.aborted) await new Promise((resolve) => void signal.addEventListener('abort', resolve));
    return signal.reason;
  }
  hold(stub: Stub): void {
    this.held.push(stub.dup());
  }
  kept: { list: unknown[] } | undefined;
  /** Returns its argument, and then changes it. */
  keep(value: { list: unknown[] }): unknown {
    this.kept = value;
    setImmediate(() => value.list.push('changed later'));
    return value;
  }
  never(): Promise<never> {
    this.reached.resolve();
    return new Promise(() => {});
  }
  fail(flags: object): never {
    throw Object.assign(new RangeError('no'), flags);
  }
  throwAggregate(): never {
    throw new AggregateError([new Error('one')], 'several');
  }
}

async function openDesk(
  t: TestContext,
  fetch?: (request: Request) => Promise<Response>,
  owner: Side = outside,
): Promise<Links & { readonly desk: Desk; readonly stub: Stub }> {
  const desk = new Desk();
  const capability = new Capability({ owner, target: () => desk, reserved: new Set() });
  const links = await openLinks(t, { entry: () => entryOf(capability, fetch) });
  return { ...links, desk, stub: createStub(links.near.entry({ name: 'desk' }), outside, { own: {} }) };
}

test('Link carries values as they are copied in one process', async (t) => {
  const { stub } = await openDesk(t);
  const sparse = [1, 2, 3];
  Reflect.deleteProperty(sparse, 1);
  const shared = { deep: sparse };
  const value = {
    map: new Map([[shared, new Set([1n, 'ä€😀'])]]),
    shared,
    when: new Date(5),
    pattern: /a+/giu,
    bytes: Uint8Array.of(1, 2, 3),
    view: new DataView(new ArrayBuffer(4), 1, 2),
    headers: new Headers({ a: 'b' }),
    error: new TypeError('as a value', { cause: 'a cause' }),
    exception: new DOMException('gone', 'NotFoundError'),
    nothing: undefined,
    zero: -0,
  };
  const copy = await stub.echo(value);
  assert.deepEqual([...copy.headers], [['a', 'b']]);
  assert.deepEqual([copy.exception.name, copy.exception.message], ['NotFoundError', 'gone']);
  const rest = (all: object): object => ({ ...all, headers: undefined, exception: undefined });
  assert.deepEqual(rest(copy), rest(value));
  assert.equal(copy.map.keys().next().value, copy.shared);
  const large = 'x'.repeat(5_000_000);
  assert.equal(await stub.echo(large), large);
  await assert.rejects(Promise.resolve(stub.echo(Buffer.alloc(33 * 1024 * 1024))), /limited to 32MiB/);
});

test('Link turns plain data into bytes and back, and does not copy it besides', async (t) => {
  const { stub } = await openDesk(t);
  const value = Array.from({ length: 2_000 }, (_, id) => ({ id, name: 'a name', tags: ['a', 'b'] }));
  await stub.echo(value);
  const codec = countWork(() => decodeValue(encodeValue(value)));
  const call = await countWorkOf(() => stub.echo(value));
  assert.ok(call < 2.2 * codec, `a call and its result took ${call / codec} times the work of their bytes`);
});

test('Link passes plain data as it was when it was passed', async (t) => {
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const holding: Side = {
    reach: (message) => message(),
    enter: async (body) => {
      const result = await body();
      await turn();
      await turn();
      return result;
    },
  };
  const { desk, near } = await openDesk(t, undefined, holding);
  const gate = Promise.withResolvers<void>();
  const slow: Side = { enter: (body) => body(), reach: (message) => gate.promise.then(message) };
  const stub = createStub(near.entry({ name: 'desk' }), slow, { own: {} });
  const given = { list: [1] };
  const called = stub.keep(given);
  given.list.push(2);
  gate.resolve();
  const result = (await called) as { list: number[] };
  assert.deepEqual([result.list, desk.kept], [[1], { list: [1, 'changed later'] }]);
  // A result has a disposer, which need not have an effect, and can be called before it has arrived.
  (result as unknown as Disposable)[Symbol.dispose]();
  assert.equal(await stub.keep({ ...given, size: 7 }).size, 7);
});

test('Link carries thrown errors with their class, stack and flags', async (t) => {
  const { stub } = await openDesk(t);
  const error = await stub.fail({ retryable: true, extra: 1 }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof RangeError);
  assert.match(error.stack!, /^RangeError: no\n {4}at Desk\.fail/);
  assert.deepEqual(Object.assign({}, error), { remote: true, retryable: true });
  const overloaded = await stub
    .fail({ retryable: true, overloaded: true })
    .catch((thrown: unknown) => thrown);
  assert.deepEqual({ ...overloaded }, { remote: true, overloaded: true });
  const aggregate = await stub.throwAggregate().catch((thrown: unknown) => thrown);
  assert.deepEqual([aggregate.name, aggregate.message], ['AggregateError', 'several']);
});

test('Link carries streams in both directions, and reads only what is wanted', async (t) => {
  const { stub } = await openDesk(t);
  const bytes = Uint8Array.of(1, 2);
  const chunks = ['text', '', bytes, bytes.buffer, new Uint8Array(0)];
  const text = new TextEncoder().encode('text');
  assert.deepEqual([...(await stub.readAll(ReadableStream.from(chunks)))], [text, bytes, bytes]);
  assert.deepEqual([...bytes], [1, 2], 'what was sent stays');
  assert.equal(await stub.readText(new Response('a').body!.pipeThrough(new TextDecoderStream())), 'a');
  const { readable, writable } = new TransformStream<unknown, unknown>();
  const filled = stub.fill(writable, ...chunks);
  assert.deepEqual(
    await Array.fromAsync(readable as unknown as AsyncIterable<unknown>),
    [text, bytes, bytes].map(({ buffer }) => buffer),
  );
  await filled;
  const reason = { name: 'TypeError', message: 'This ReadableStream did not return bytes.' };
  await assert.rejects(Promise.resolve(stub.readAll(ReadableStream.from([{ a: 1 }]))), reason);

  let pulled = 0;
  const endless = new ReadableStream(
    { pull: (controller) => controller.enqueue(String(++pulled).padEnd(65_536)) },
    { highWaterMark: 0 },
  );
  const reader = (await stub.echo(endless)).getReader();
  assert.equal((await reader.read()).value?.at(0), 0x31);
  await stub.echo(0);
  // The requested chunk, and the one that `read` looks for besides.
  assert.ok(pulled <= 2, String(pulled));
});

test('Link cancels, fails and closes a stream at its source', async (t) => {
  const { stub } = await openDesk(t);
  const cancelled = Promise.withResolvers<unknown>();
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue('1'),
    cancel: (reason) => cancelled.resolve(reason),
  });
  const copy: ReadableStream = await stub.echo(endless);
  await copy.cancel('enough');
  assert.equal(await cancelled.promise, 'enough');
  const failing = new ReadableStream({
    pull: () => Promise.reject(new RangeError('the source failed')),
  });
  await assert.rejects(Promise.resolve(stub.readAll(failing)), {
    name: 'RangeError',
    message: 'the source failed',
  });
  let length = 0;
  for await (const chunk of await stub.texts(1_000)) length += chunk.length;
  assert.equal(length, 1_000);
  const empty = (await stub.texts(0)).getReader({ mode: 'byob' });
  assert.deepEqual(await empty.read(new Uint8Array(1)), { done: true, value: new Uint8Array(0) });
});

test('Link carries fetch with bodies, headers and abort', async (t) => {
  const aborted = Promise.withResolvers<unknown>();
  const serve = async (request: Request): Promise<Response> => {
    if (request.url.endsWith('/hang')) {
      request.signal.addEventListener('abort', () => aborted.resolve(request.signal.reason));
      await aborted.promise;
    }
    if (request.url.endsWith('/empty')) return new Response(null, { status: 204 });
    return new Response(request.body, {
      status: 201,
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-method', request.method],
        ['x-asked', request.headers.get('x-ask') ?? '-'],
      ],
    });
  };
  const { near } = await openDesk(t, serve);
  const entry = near.entry({ name: 'desk' });
  const body = Buffer.alloc(300_000, 'abc');
  const headers = { 'x-ask': 'yes' };
  const response = await entry.fetch(outside, new Request('http://o/', { method: 'PUT', body, headers }));
  assert.deepEqual([response.status, response.headers.get('x-method'), response.headers.get('x-asked')], [201, 'PUT', 'yes']); // prettier-ignore
  assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(body));
  const empty = await entry.fetch(outside, new Request('http://o/empty'));
  assert.deepEqual([empty.status, empty.body], [204, null]);
  const controller = new AbortController();
  const hanging = entry.fetch(outside, new Request('http://o/hang', { signal: controller.signal }));
  controller.abort(new Error('changed my mind'));
  await hanging;
  assert.equal(((await aborted.promise) as Error).message, 'changed my mind');
});

test('Link passes an AbortSignal, aborted before or later', async (t) => {
  const { stub, desk, near } = await openDesk(t);
  assert.equal(await stub.untilAborted(AbortSignal.abort('before')), 'before');
  desk.reached = Promise.withResolvers();
  const controller = new AbortController();
  const call = stub.untilAborted(controller.signal);
  await desk.reached.promise;
  controller.abort('later');
  assert.equal(await call, 'later');
  await stub.echo(0);
  assert.equal(near.exportsOpen, 0);
});

test('Link gives back what was passed when the call is over, and brings home what comes back', async (t) => {
  const { stub, near, desk } = await openDesk(t);
  let calls = 0;
  const count = (): number => ++calls;
  await stub.hold(count);
  assert.equal(near.exportsOpen, 1);
  assert.equal(await desk.held[0](), 1);
  // A stub that returns to its origin is called there, not through the link.
  const back = await stub.echo(await stub.echo(desk.held.length === 1 ? count : undefined));
  assert.equal(await back(), 2);
  back[Symbol.dispose]();
  desk.held[0][Symbol.dispose]();
  await stub.echo(0);
  assert.equal(near.exportsOpen, 0);
});

test('Link rejects what is pending, and everything later, when it breaks', async (t) => {
  const { stub, near, far, nearSocket, desk } = await openDesk(t);
  const lost = { message: 'Network connection lost.', retryable: true, durableObjectReset: true };
  let disposals = 0;
  class Watched extends RpcTarget {
    [Symbol.dispose](): void {
      disposals++;
    }
  }
  await stub.hold(new Watched());
  const pending = stub.never();
  const dependent = pending.anything();
  await desk.reached.promise;
  nearSocket.destroy();
  await assert.rejects(Promise.resolve(pending), lost);
  await assert.rejects(Promise.resolve(dependent), lost);
  await assert.rejects(Promise.resolve(stub.echo(1)), lost);
  // No invalid frame was the cause.
  assert.deepEqual(await Promise.all([near.closed, far.closed]), [undefined, undefined]);
  await assert.rejects(Promise.resolve(desk.held[0].anything()), lost);
  assert.equal(disposals, 1);
  assert.deepEqual([near.isBroken, far.isBroken], [true, true]);
});

test('Link passes a Blob with its type, refuses a File by name and goes on', async (t) => {
  const { stub } = await openDesk(t);
  const { blob } = (await stub.echo({ blob: new Blob(['x'], { type: 'text/plain' }) })) as { blob: Blob };
  assert.deepEqual([blob.constructor, blob.type, await blob.text()], [Blob, 'text/plain', 'x']);
  await assert.rejects(Promise.resolve(stub.echo(new File(['x'], 'name'))), {
    name: 'DataCloneError',
    message: /"File"/,
  });
  assert.equal(await stub.echo(1), 1);
});

function frame(type: number, numbers: readonly number[], rest: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(6 + 8 * numbers.length);
  head.writeUInt32LE(head.length - 4 + rest.length);
  head[4] = type;
  head[5] = numbers.length;
  for (const [i, number] of numbers.entries()) head.writeDoubleLE(number, 6 + 8 * i);
  return Buffer.concat([head, rest]);
}

const hostile: Readonly<Record<string, Buffer>> = {
  'that is too long': Buffer.of(0xff, 0xff, 0xff, 0xff),
  'that is too short': Buffer.of(1, 0, 0, 0, 1),
  'of an unknown type': frame(99, []),
  'that ends within its numbers': Buffer.of(3, 0, 0, 0, 1, 9, 0),
  'that ends within a part': frame(3, [1], Buffer.of(9, 0, 0, 0, 1)),
  'with a number that is not whole': frame(4, [0.5]),
  'with a result that nobody asked for': frame(2, [77, 0], Buffer.of(3, 0, 0, 0, 0xff, 15, 0x30)),
  'that calls what was never exported': frame(1, [1, 0, 5, 0, 0]),
  'that calls an entry that is not open': frame(1, [1, 1, 5, 0, 0]),
  'whose arguments are not a list': frame(1, [1, 1, 5, 1, 0], Buffer.of(3, 0, 0, 0, 0xff, 15, 0x30)),
  'whose value is not one': frame(1, [1, 1, 5, 1, 0], Buffer.of(3, 0, 0, 0, 0xff, 15, 0x01)),
  'with a value that refers to what was not sent': frame(1, [1, 1, 5, 1, 0], Buffer.of(7, 0, 0, 0, 0xff, 15, 0x5c, 0xff, 0xff, 1, 0)), // prettier-ignore
};

for (const [what, bytes] of Object.entries(hostile)) {
  test(`Link breaks, and nothing else does, on a frame ${what}`, async (t) => {
    const { far, nearSocket } = await openDesk(t);
    nearSocket.write(bytes);
    assert.ok((await far.closed) instanceof Error);
    assert.equal(far.isBroken, true);
  });
}
