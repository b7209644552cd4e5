import * as workers from 'cloudflare:workers';
import { area } from '../registry.js';
import { sleep } from '../sockets.js';

const all = (table) => Object.fromEntries(Object.entries(table).map(([name, run]) => [name, { run }]));
const caught = (world, body) => world.outcome(body);
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

async function readAll(stream) {
  const parts = [];
  for await (const part of stream) parts.push(decode(part));
  return parts;
}

/** Writes, closes and reads at once; tells how each of the three ended. */
async function through(world, stream, chunks) {
  const writer = stream.writable.getWriter();
  const writes = chunks.map((chunk) => world.outcome(() => writer.write(chunk)));
  const closed = world.outcome(() => writer.close());
  const read = await world.outcome(() => readAll(stream.readable));
  return { writes: await Promise.all(writes), closed: await closed, read };
}

area(
  'globals, scheduler',
  {},
  all({
    'wait resolves': () => scheduler.wait(1),
    'wait of zero': () => scheduler.wait(0),
    'is a promise': () => scheduler.wait(1) instanceof Promise,
    'with a signal that has aborted': (world) =>
      caught(world, () => scheduler.wait(1, { signal: AbortSignal.abort() })),
    'with a reason': (world) =>
      caught(world, () => scheduler.wait(1, { signal: AbortSignal.abort(new RangeError('why')) })),
    'aborted while it waits': (world) => {
      const controller = new AbortController();
      const waiting = caught(world, () => scheduler.wait(10_000, { signal: controller.signal }));
      controller.abort(new Error('enough'));
      return waiting;
    },
    'a signal that does not abort': (world) =>
      caught(world, () => scheduler.wait(1, { signal: new AbortController().signal })),
    'without arguments': (world) => caught(world, () => scheduler.wait()),
    tag: () => Object.prototype.toString.call(scheduler),
  }),
);

area(
  'globals, IdentityTransformStream',
  {},
  all({
    'is a TransformStream': () => new IdentityTransformStream() instanceof TransformStream,
    'both sides': () => {
      const { readable, writable } = new IdentityTransformStream();
      return [readable instanceof ReadableStream, writable instanceof WritableStream];
    },
    'bytes pass': (world) => through(world, new IdentityTransformStream(), [encode('a'), encode('bc')]),
    'a buffer passes': (world) => through(world, new IdentityTransformStream(), [encode('buffer').buffer]),
    'part of a buffer': (world) => through(world, new IdentityTransformStream(), [encode('xyz').subarray(1)]),
    'nothing written': (world) => through(world, new IdentityTransformStream(), []),
    'a number': async (world) => {
      const { writable } = new IdentityTransformStream();
      const { error } = await caught(world, () => writable.getWriter().write(5));
      return error?.class;
    },
    'a write waits for a reader': async () => {
      const { readable, writable } = new IdentityTransformStream();
      const writer = writable.getWriter();
      let isDone = false;
      const written = writer.write(encode('x')).then(() => (isDone = true));
      await sleep(20);
      const before = isDone;
      const reader = readable.getReader();
      const { value } = await reader.read();
      await written;
      return [before, isDone, decode(value)];
    },
    'a reader with its own buffer': async () => {
      const { readable, writable } = new IdentityTransformStream();
      const writer = writable.getWriter();
      void writer.write(encode('abcdef'));
      const reader = readable.getReader({ mode: 'byob' });
      const first = await reader.read(new Uint8Array(4));
      const second = await reader.read(new Uint8Array(4));
      return [decode(first.value), decode(second.value), first.done];
    },
    'a reader with its own buffer at the end': async () => {
      const { readable, writable } = new IdentityTransformStream();
      const writer = writable.getWriter();
      const reader = readable.getReader({ mode: 'byob' });
      const reading = reader.read(new Uint8Array(4));
      void writer.close();
      const { done, value } = await reading;
      return [done, value?.byteLength];
    },
    'an abort reaches the reader': async (world) => {
      const { readable, writable } = new IdentityTransformStream();
      const reading = caught(world, () => readable.getReader().read());
      await writable.abort(new RangeError('stop'));
      return reading;
    },
    'as the body of a response': async () => {
      const { readable, writable } = new IdentityTransformStream();
      const writer = writable.getWriter();
      void writer.write(encode('body')).then(() => writer.close());
      return new Response(readable).text();
    },
    'piped through': async () => {
      const source = new Response('piped').body;
      return new Response(source.pipeThrough(new IdentityTransformStream())).text();
    },
  }),
);

area(
  'globals, FixedLengthStream',
  {},
  all({
    'is an IdentityTransformStream': () => new FixedLengthStream(1) instanceof IdentityTransformStream,
    'as many as said': (world) => through(world, new FixedLengthStream(3), [encode('ab'), encode('c')]),
    none: (world) => through(world, new FixedLengthStream(0), []),
    'a bigint': (world) => through(world, new FixedLengthStream(2n), [encode('ab')]),
    'too few': async (world) => {
      const { closed, read } = await through(world, new FixedLengthStream(3), [encode('ab')]);
      return [closed.error?.message, read.error?.message];
    },
    'too many': async (world) => {
      const { writes, read } = await through(world, new FixedLengthStream(1), [encode('ab')]);
      return [writes[0].error?.message, read.error?.message];
    },
    'too large a number': (world) => caught(world, () => typeof new FixedLengthStream(2 ** 53)),
    'the largest number': (world) => caught(world, () => typeof new FixedLengthStream(2 ** 53 - 1)),
  }),
);

const digests = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'MD5', 'sha-256', 'Md5'];

area(
  'globals, crypto',
  {},
  all({
    ...Object.fromEntries(
      digests.map((name) => [
        `digest ${name}`,
        async () => {
          const stream = new crypto.DigestStream(name);
          const writer = stream.getWriter();
          await writer.write(encode('hello '));
          await writer.write('world');
          await writer.close();
          return [await stream.digest, stream.bytesWritten];
        },
      ]),
    ),
    'digest by object': async () => {
      const stream = new crypto.DigestStream({ name: 'SHA-256' });
      await stream.getWriter().close();
      return stream.digest;
    },
    'digest is a writable stream': () => new crypto.DigestStream('MD5') instanceof WritableStream,
    'digest of a pipe': async () => {
      const stream = new crypto.DigestStream('SHA-256');
      await new Response('piped').body.pipeTo(stream);
      return stream.digest;
    },
    'digest of an unknown kind': (world) => caught(world, () => typeof new crypto.DigestStream('SHA-3')),
    'digest, aborted': async (world) => {
      const stream = new crypto.DigestStream('MD5');
      await stream.abort(new RangeError('stop'));
      return caught(world, () => stream.digest);
    },
    'digest of a number': async (world) => {
      const stream = new crypto.DigestStream('MD5');
      const { error } = await caught(world, () => stream.getWriter().write(5));
      return error?.class;
    },
    'timingSafeEqual, equal': () => crypto.subtle.timingSafeEqual(encode('abc'), encode('abc')),
    'timingSafeEqual, different': () => crypto.subtle.timingSafeEqual(encode('abc'), encode('abd')),
    'timingSafeEqual, buffers': () => crypto.subtle.timingSafeEqual(encode('abc').buffer, encode('abc')),
    'timingSafeEqual, empty': () => crypto.subtle.timingSafeEqual(new ArrayBuffer(0), new ArrayBuffer(0)),
    'timingSafeEqual, other lengths': (world) =>
      caught(world, () => crypto.subtle.timingSafeEqual(encode('a'), encode('ab'))),
    'timingSafeEqual, texts': async (world) => {
      const { error } = await caught(world, () => crypto.subtle.timingSafeEqual('a', 'a'));
      return error?.class;
    },
    'timingSafeEqual, nothing': async (world) => {
      const { error } = await caught(world, () => crypto.subtle.timingSafeEqual());
      return error?.class;
    },
  }),
);

area(
  'globals, others',
  {},
  all({
    'navigator.userAgent': () => navigator.userAgent,
    'navigator.language': () => navigator.language,
    'navigator.hardwareConcurrency': () => navigator.hardwareConcurrency,
    'navigator.sendBeacon': () => typeof navigator.sendBeacon,
    'class of navigator': () => [navigator.constructor.name, navigator instanceof Navigator],
    'reportError returns nothing': () => reportError(new Error('reported by a probe')),
    'reportError without arguments': async (world) => (await caught(world, () => reportError())).error?.class,
    'reportError of a text': () => reportError('text'),
    types: () =>
      [
        'WebSocket',
        'WebSocketPair',
        'WebSocketRequestResponsePair',
        'CloseEvent',
        'MessageEvent',
        'ErrorEvent',
        'scheduler',
        'navigator',
        'caches',
        'reportError',
        'EventSource',
        'HTMLRewriter',
        'FixedLengthStream',
        'IdentityTransformStream',
        'structuredClone',
        'queueMicrotask',
        'URLPattern',
        'CompressionStream',
        'ByteLengthQueuingStrategy',
      ].map((name) => [name, typeof globalThis[name]]),
  }),
);

const streamOf = (...parts) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encode(part));
      controller.close();
    },
  });

/** The events of a stream, and the states around them. */
async function eventsOf(stream, types = ['open', 'message', 'error']) {
  const source = EventSource.from(stream);
  const told = [[source.readyState, source.url, source.withCredentials]];
  for (const type of types) {
    source.addEventListener(type, (event) =>
      told.push([type, event.data ?? null, event.lastEventId ?? null]),
    );
  }
  await sleep(250);
  return [told, source.readyState];
}

const eventStreams = {
  'one event': ['data: hello\n\n'],
  'two lines': ['data: a\ndata: b\n\n'],
  'no space': ['data:x\n\n'],
  'two spaces': ['data:  x\n\n'],
  'an id': ['id: 7\ndata: x\n\ndata: y\n\n'],
  'a comment': [': comment\ndata: x\n\n'],
  'an unknown field': ['foo: bar\ndata: x\n\n'],
  'carriage returns': ['data: a\r\n\r\ndata: b\r\rdata: c\n\n'],
  'in pieces': ['da', 'ta: he', 'llo\n', '\n'],
  'a mark at the start': ['\ufeffdata: x\n\n'],
  'no end': ['data: x\n\ndata: lost\n'],
  'data without a colon': ['data\n\n'],
  'only an id': ['id: 1\n\ndata: x\n\n'],
  nothing: [],
};

area(
  'globals, EventSource',
  {},
  all({
    ...Object.fromEntries(
      Object.entries(eventStreams).map(([name, parts]) => [name, () => eventsOf(streamOf(...parts))]),
    ),
    'an event of another type': () => eventsOf(streamOf('event: mine\ndata: x\n\n'), ['message', 'mine']),
    'an assigned onmessage': async () => {
      const source = EventSource.from(streamOf('data: x\n\n'));
      const told = [];
      Reflect.set(source, 'onmessage', ({ data }) => told.push(data));
      await sleep(250);
      return told;
    },
    'closed at once': async () => {
      const source = EventSource.from(streamOf('data: x\n\n'));
      const told = [];
      source.addEventListener('message', ({ data }) => told.push(data));
      source.close();
      await sleep(250);
      return [told, source.readyState];
    },
    constants: () => [EventSource.CONNECTING, EventSource.OPEN, EventSource.CLOSED],
    'without a URL': async (world) => (await caught(world, () => typeof new EventSource())).error?.class,
    'a bad URL': (world) => caught(world, () => new EventSource('nonsense')),
    'with credentials': async (world) => {
      const { error } = await caught(
        world,
        () => new EventSource('http://127.0.0.1:1/', { withCredentials: true }),
      );
      return [error?.class, error?.name];
    },
  }),
);

const named = [
  'DurableObject',
  'WorkerEntrypoint',
  'WorkflowEntrypoint',
  'RpcTarget',
  'RpcStub',
  'RpcPromise',
  'RpcProperty',
  'ServiceStub',
  'env',
  'exports',
  'waitUntil',
  'withEnv',
  'withExports',
  'withEnvAndExports',
  'cache',
  'tracing',
  'restore',
  'abortIsolate',
];

area(
  'cloudflare:workers',
  {},
  all({
    names: () => named.map((name) => [name, typeof workers[name]]),
    'the imported env is that of the handler': ({ env }) => workers.env === env,
    'the imported env has the variables': () => [workers.env.GREETING, workers.env.SETTINGS],
    'the imported env has the bindings': () => typeof workers.env.SQL.getByName,
    'keys of env': ({ env }) => [Object.keys(workers.env).sort(), Object.keys(env).sort()],
    'in env': () => ['GREETING' in workers.env, 'nothing' in workers.env],
    'withEnv changes it': () => workers.withEnv({ GREETING: 'other' }, () => workers.env.GREETING),
    'withEnv, keys': () => workers.withEnv({ a: 1 }, () => Object.keys(workers.env)),
    'withEnv across an await': () =>
      workers.withEnv({ GREETING: 'other' }, async () => {
        await sleep(1);
        return workers.env.GREETING;
      }),
    'withEnv ends': () => {
      workers.withEnv({ GREETING: 'other' }, () => {});
      return workers.env.GREETING;
    },
    'withEnv inside withEnv': () =>
      workers.withEnv({ a: 1, b: 1 }, () => [workers.withEnv({ a: 2 }, () => workers.env.a), workers.env.a]),
    'withEnv that throws': (world) =>
      caught(world, () =>
        workers.withEnv({}, () => {
          throw new RangeError('inside');
        }),
      ),
    'withEnv answers': () => workers.withEnv({}, () => 5),
    'withExports changes exports': () => workers.withExports({ mine: 1 }, () => workers.exports.mine),
    'withEnvAndExports changes both': () =>
      workers.withEnvAndExports({ a: 1 }, { b: 2 }, () => [workers.env.a, workers.exports.b]),
    'a stub is a ServiceStub': (world) => world.stub() instanceof workers.ServiceStub,
    'a result is an RpcPromise': (world) => {
      const result = world.env.CALLEE.getByName(world.name).count();
      return [result instanceof workers.RpcPromise, result instanceof workers.RpcProperty];
    },
    'a property is an RpcProperty': (world) => {
      const { property } = world.env.CALLEE.getByName(world.name);
      return [property instanceof workers.RpcProperty, property instanceof workers.RpcPromise];
    },
    'a target that was handed out is an RpcStub': async (world) => {
      const counter = await world.env.CALLEE.getByName(world.name).counter();
      return [counter instanceof workers.RpcStub, counter instanceof workers.RpcTarget];
    },
    'new RpcPromise': async (world) => (await caught(world, () => new workers.RpcPromise())).error?.class,
    'new RpcStub of a target': async () => {
      class Target extends workers.RpcTarget {
        twice(n) {
          return n * 2;
        }
      }
      const stub = new workers.RpcStub(new Target());
      return [stub instanceof workers.RpcStub, await stub.twice(4)];
    },
    'waitUntil returns nothing': () => workers.waitUntil(Promise.resolve(1)),
  }),
);
