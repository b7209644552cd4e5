import { area } from '../registry.js';

const encoder = new TextEncoder();

/** A stream of bytes, as code that passes a body on has it. */
const streamOf = (...parts) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });

/** A stream that has nothing before it is asked for, and then fails. */
const failing = () =>
  new ReadableStream({
    pull(controller) {
      controller.error(new RangeError('the source failed'));
    },
  });

const url = 'http://object/echo';
const post = (body, more) => ({ method: 'POST', body, ...more });
const echoed = async (answer) => {
  const { method, body } = await (await answer).json();
  return [method, body];
};
const call = (body) => ({
  run: (world) => world.outcome(() => body(world.env.CALLEE.getByName(world.name), world)),
});

area(
  'stub fetch, bodies',
  {},
  {
    'a stream': call((stub) => echoed(stub.fetch(url, post(streamOf('a', 'b'))))),
    'a stream and duplex half': call((stub) =>
      echoed(stub.fetch(url, post(streamOf('a', 'b'), { duplex: 'half' }))),
    ),
    'a stream and duplex undefined': call((stub) =>
      echoed(stub.fetch(url, post(streamOf('a', 'b'), { duplex: undefined }))),
    ),
    'the readable side of a transform': call(async (stub) => {
      const { readable, writable } = new TransformStream();
      const answer = stub.fetch(url, post(readable));
      const writer = writable.getWriter();
      await writer.write(encoder.encode('written later'));
      await writer.close();
      return echoed(answer);
    }),
    'a piped stream': call((stub) =>
      echoed(stub.fetch(url, post(streamOf('one', 'two').pipeThrough(new TransformStream())))),
    ),
    'a stream of bytes': call((stub) =>
      echoed(
        stub.fetch(
          url,
          post(
            new ReadableStream({
              start(controller) {
                controller.enqueue(encoder.encode('x'));
                controller.close();
              },
              type: 'bytes',
            }),
          ),
        ),
      ),
    ),
    'the body of a response': call((stub) =>
      echoed(stub.fetch(url, post(new Response('from response').body))),
    ),
    'the stream of a blob': call((stub) => echoed(stub.fetch(url, post(new Blob(['blob']).stream())))),
    'a stream with PUT': call((stub) => echoed(stub.fetch(url, { method: 'PUT', body: streamOf('put') }))),
    'a stream with GET': call((stub) => echoed(stub.fetch(url, { body: streamOf('get') }))),
    'text with GET': call((stub) => echoed(stub.fetch(url, { body: 'get' }))),
    'a stream that was read': call(async (stub, { outcome }) => {
      const stream = streamOf('once');
      await new Response(stream).text();
      return outcome(() => echoed(stub.fetch(url, post(stream)))).then(({ error }) => error?.class);
    }),
    'a locked stream': call(async (stub, { outcome }) => {
      const stream = streamOf('locked');
      stream.getReader();
      return outcome(() => echoed(stub.fetch(url, post(stream)))).then(({ error }) => error?.class);
    }),
    'a stream that fails': call(async (stub, { outcome }) => {
      const { error } = await outcome(() => echoed(stub.fetch(url, post(failing()))));
      return error?.class;
    }),
    'a request with a stream': call((stub) =>
      echoed(stub.fetch(new Request(url, post(streamOf('in a request'))))),
    ),
    'a request made from a request with a stream': call((stub) =>
      echoed(stub.fetch(new Request(new Request(url, post(streamOf('twice wrapped')))))),
    ),
    'a request with a stream and other headers': call((stub) =>
      echoed(stub.fetch(new Request(url, post(streamOf('kept'))), { headers: { 'x-test': 'v' } })),
    ),
    'a request whose body is replaced by a stream': call((stub) =>
      echoed(stub.fetch(new Request(url, post('old')), { body: streamOf('new') })),
    ),
    'a clone of a request with a stream': call(async (stub) => {
      const request = new Request(url, post(streamOf('cloned')));
      const copy = request.clone();
      return [await echoed(stub.fetch(request)), await echoed(stub.fetch(copy))];
    }),
    'a request is used once': call(async (stub, { outcome }) => {
      const request = new Request(url, post('once'));
      await stub.fetch(request).then((answer) => answer.text());
      const second = await outcome(() => echoed(stub.fetch(request)));
      return [request.bodyUsed, second.error?.class];
    }),
    'a URL object': call((stub) => echoed(stub.fetch(new URL(url), post('text')))),
    'init null': call((stub) => echoed(stub.fetch(url, null))),
    'init undefined': call((stub) => echoed(stub.fetch(url, undefined))),
    'a request and init null': call((stub) => echoed(stub.fetch(new Request(url, post('text')), null))),
    'body null': call((stub) => echoed(stub.fetch(url, post(null)))),
    'body undefined': call((stub) => echoed(stub.fetch(url, post(undefined)))),
    'headers null': call((stub) => echoed(stub.fetch(url, post('x', { headers: null })))),
    'signal null': call((stub) => echoed(stub.fetch(url, post('x', { signal: null })))),
    'method null': call((stub) => echoed(stub.fetch(url, { method: null }))),
    'a method in small letters': call((stub) => echoed(stub.fetch(url, { method: 'post', body: 'x' }))),
    bytes: call((stub) => echoed(stub.fetch(url, post(encoder.encode('bytes'))))),
    'search parameters': call((stub) => echoed(stub.fetch(url, post(new URLSearchParams({ a: '1' }))))),
    'a number as body': call((stub) => echoed(stub.fetch(url, post(5)))),
    'a stream from inside an object': {
      steps: {
        async pass({ env, ctx }) {
          const stub = env.CALLEE.getByName(ctx.id.name);
          return echoed(stub.fetch(url, post(streamOf('from ', 'an object'))));
        },
      },
      run: (world) => world.ask('pass'),
    },
    'a request that is passed on': {
      steps: {
        fetch: ({ env, ctx }, request) => env.CALLEE.getByName(ctx.id.name).fetch(request),
      },
      run: (world) => echoed(world.stub().fetch(url, post(streamOf('passed on')))),
    },
    'the body of a request that is passed on': {
      steps: {
        fetch: ({ env, ctx }, request) =>
          env.CALLEE.getByName(ctx.id.name).fetch(url, { method: request.method, body: request.body }),
      },
      run: (world) => echoed(world.stub().fetch(url, post(streamOf('taken over')))),
    },
    'a response with the body of another': call(async (stub) => {
      const answer = await stub.fetch('http://object/stream');
      return new Response(answer.body, answer).text();
    }),
  },
);

area(
  'Request',
  {},
  {
    'with a stream': {
      run: async () => {
        const request = new Request(url, post(streamOf('a', 'b')));
        return [request.method, request.bodyUsed, await request.text(), request.bodyUsed];
      },
    },
    'from a request, with a stream': {
      run: () => new Request(new Request(url, post('old')), post(streamOf('new'))).text(),
    },
    'with init null': { run: () => new Request(url, null).method },
    'subclass with a stream': {
      run: () => {
        class Mine extends Request {}
        const request = new Mine(url, post(streamOf('mine')));
        return [request instanceof Mine, request instanceof Request, request.constructor.name];
      },
    },
  },
);
