import { area } from '../registry.js';
import { acceptedPair, describeData, listen, next, pair, settle, upgrade } from '../sockets.js';

/** Sockets close otherwise from April 2026 on. */
const newDateToo = { variants: ['', 'date 2026-11-01'] };

const run = (body) => ({ run: (world) => body(world) });
const all = (table) => Object.fromEntries(Object.entries(table).map(([name, body]) => [name, run(body)]));
const errorsOf = async (world, calls) => {
  const told = [];
  for (const call of calls) told.push(await world.outcome(call));
  return told;
};

area(
  'WebSocketPair',
  newDateToo,
  all({
    keys: () => Object.keys(new WebSocketPair()),
    values: () => Object.values(new WebSocketPair()).map((ws) => ws instanceof WebSocket),
    iterable: () => [...new WebSocketPair()].length,
    'the same ends each time': () => {
      const both = new WebSocketPair();
      return [both[0] === both[0], [...both][0] === both[0], both[0] === both[1]];
    },
    'tag of the pair': () => Object.prototype.toString.call(new WebSocketPair()),
    'tag of an end': () => Object.prototype.toString.call(pair()[0]),
    'without new': (world) => world.outcome(() => WebSocketPair()).then(({ error }) => error?.class),
    'name of the class': () => [WebSocketPair.name, WebSocket.name, pair()[0].constructor === WebSocket],
    'an end is an event target': () => pair()[0] instanceof EventTarget,
    readyState: () => pair().map((ws) => ws.readyState),
    url: () => pair()[0].url,
    protocol: () => pair()[0].protocol,
    extensions: () => pair()[0].extensions,
    'binaryType at first': () => pair()[0].binaryType,
    'binaryType blob': () => {
      const [ws] = pair();
      ws.binaryType = 'blob';
      return ws.binaryType;
    },
    'binaryType arraybuffer': () => {
      const [ws] = pair();
      ws.binaryType = 'blob';
      ws.binaryType = 'arraybuffer';
      return ws.binaryType;
    },
    'binaryType unknown': (world) =>
      world.outcome(() => {
        const [ws] = pair();
        ws.binaryType = 'text';
        return ws.binaryType;
      }),
    'no handler attributes': () =>
      ['onmessage', 'onclose', 'onerror', 'onopen'].map((name) => name in pair()[0]),
    'no bufferedAmount': () => 'bufferedAmount' in pair()[0],
    constants: () =>
      ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'].map((name) => [
        WebSocket[name],
        WebSocket[`READY_STATE_${name}`],
        pair()[0][name],
        pair()[0][`READY_STATE_${name}`],
      ]),
    'own properties': () => {
      const [ws] = pair();
      ws.mine = 1;
      Object.defineProperty(ws, 'other', { value: 2 });
      return [ws.mine, ws.other, Object.isExtensible(ws)];
    },
    'methods of the prototype': () =>
      ['accept', 'send', 'close', 'serializeAttachment', 'deserializeAttachment'].map(
        (name) => typeof WebSocket.prototype[name],
      ),
  }),
);

const beforeAccept = (call) => (world) => world.outcome(() => call(pair()[0]));

area(
  'sockets before accept',
  {},
  all({
    'send text': beforeAccept((ws) => ws.send('x')),
    'send nothing': beforeAccept((ws) => ws.send()),
    close: beforeAccept((ws) => ws.close()),
    'close with a code': beforeAccept((ws) => ws.close(1000, 'x')),
    'close with a bad code': beforeAccept((ws) => ws.close(5)),
    'accept twice': beforeAccept((ws) => {
      ws.accept();
      ws.accept();
      return ws.readyState;
    }),
    'accept with options': beforeAccept((ws) => {
      ws.accept({ allowHalfOpen: true });
      return ws.readyState;
    }),
    'accept with null': beforeAccept((ws) => ws.accept(null)),
    'accept with a number': beforeAccept((ws) => ws.accept(5)),
    'accept both ends': () => acceptedPair().map((ws) => ws.readyState),
    'messages wait for accept': async () => {
      const [client, server] = pair();
      server.accept();
      server.send('one');
      server.send('two');
      await settle();
      const heard = listen(client);
      client.accept();
      await settle();
      return heard;
    },
    'a close waits for accept': async () => {
      const [client, server] = pair();
      server.accept();
      server.send('one');
      server.close(1000, 'done');
      await settle();
      const heard = listen(client);
      client.accept();
      await settle();
      return heard;
    },
    'a message without a listener is lost': async () => {
      const [client, server] = acceptedPair();
      server.send('lost');
      await settle();
      const heard = listen(client);
      server.send('heard');
      await settle();
      return heard;
    },
    'a listener added at once hears': async () => {
      const [client, server] = acceptedPair();
      server.send('first');
      return next(client);
    },
  }),
);

const sent = {
  text: () => 'text',
  'empty text': () => '',
  'lone surrogate': () => 'a\ud800b',
  emoji: () => '😀',
  'a zero character': () => 'a\0b',
  ArrayBuffer: () => new Uint8Array([1, 2]).buffer,
  'empty ArrayBuffer': () => new ArrayBuffer(0),
  Uint8Array: () => new Uint8Array([1, 2]),
  'part of a buffer': () => new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  Uint16Array: () => new Uint16Array([258]),
  Float64Array: () => new Float64Array([1]),
  DataView: () => new DataView(new Uint8Array([9, 8, 7]).buffer, 1),
  number: () => 5,
  'minus zero': () => -0,
  NaN: () => NaN,
  boolean: () => true,
  null: () => null,
  undefined: () => undefined,
  bigint: () => 5n,
  object: () => ({ a: 1 }),
  array: () => [1, [2, 3]],
  'object with toString': () => ({ toString: () => 'told' }),
  'object without toString': () => Object.create(null),
  symbol: () => Symbol('x'),
  function: () => Math.max,
  Blob: () => new Blob(['x']),
  Date: () => new Date(NaN),
  URL: () => new URL('http://a.test/'),
  'String object': () => new String('boxed'),
  'an error': () => new Error('e'),
};

area(
  'sockets, send',
  newDateToo,
  all({
    ...Object.fromEntries(
      Object.entries(sent).map(([name, make]) => [
        name,
        async (world) => {
          const [client, server] = acceptedPair();
          const got = next(client);
          const end = await world.outcome(() => server.send(make()));
          return end.error === undefined ? [end, await got] : end;
        },
      ]),
    ),
    nothing: (world) => world.outcome(() => acceptedPair()[0].send()),
    'bytes are copied': async () => {
      const [client, server] = acceptedPair();
      const bytes = new Uint8Array([1, 2, 3]);
      server.send(bytes);
      bytes[0] = 9;
      return next(client);
    },
    'returns nothing': () => acceptedPair()[0].send('x'),
    'more arguments do not matter': async () => {
      const [client, server] = acceptedPair();
      server.send('x', 'y', 'z');
      return next(client);
    },
    'to a closed end': async (world) => {
      const [, server] = acceptedPair();
      server.close(1000, 'bye');
      return world.outcome(() => server.send('late'));
    },
    'on something else': (world) =>
      world.outcome(() => WebSocket.prototype.send.call({}, 'x')).then(({ error }) => error?.class),
    'many messages keep their order': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', ({ data }) => heard.push(data));
      for (let i = 0; i < 100; i++) server.send(String(i));
      await settle();
      return heard.every((data, i) => data === String(i)) && heard.length;
    },
    'both ways': async () => {
      const [client, server] = acceptedPair();
      server.addEventListener('message', ({ data }) => server.send(`re ${data}`));
      const got = next(client);
      client.send('x');
      return got;
    },
    'a large text': async () => {
      const [client, server] = acceptedPair();
      const got = new Promise((resolve) =>
        client.addEventListener('message', ({ data }) => resolve(data.length)),
      );
      server.send('x'.repeat(3_000_000));
      return got;
    },
    'a large buffer': async () => {
      const [client, server] = acceptedPair();
      client.binaryType = 'arraybuffer';
      const got = new Promise((resolve) =>
        client.addEventListener('message', ({ data }) => resolve(data.byteLength)),
      );
      server.send(new Uint8Array(3_000_000));
      return got;
    },
    'to a listener of type blob': async () => {
      const [client, server] = acceptedPair();
      client.binaryType = 'blob';
      server.send(new Uint8Array([1, 2, 3]));
      return next(client);
    },
    'text of a blob': async () => {
      const [client, server] = acceptedPair();
      client.binaryType = 'blob';
      const got = new Promise((resolve) =>
        client.addEventListener('message', ({ data }) => resolve(data.text())),
      );
      server.send(new TextEncoder().encode('in a blob'));
      return got;
    },
    'binaryType changes between messages': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.binaryType = 'arraybuffer';
      client.addEventListener('message', ({ data }) => {
        heard.push(describeData(data));
        client.binaryType = 'blob';
      });
      server.send(new Uint8Array([1]));
      server.send(new Uint8Array([2]));
      await settle();
      return heard;
    },
  }),
);

const codes = [
  0,
  1,
  999,
  1000,
  1001,
  1002,
  1003,
  1004,
  1005,
  1006,
  1007,
  1008,
  1009,
  1010,
  1011,
  1012,
  1013,
  1014,
  1015,
  1016,
  2000,
  2999,
  3000,
  3999,
  4000,
  4999,
  5000,
  65535,
  65536,
  -1,
  1000.9,
  '1000',
  '4001',
  'abc',
  null,
  NaN,
  true,
  {},
  [],
  Infinity,
];

area(
  'sockets, close codes',
  {},
  all(
    Object.fromEntries(
      codes.map((code) => [
        `${typeof code} ${typeof code === 'number' ? `${code}` : JSON.stringify(code)}`,
        async (world) => {
          const [client, server] = acceptedPair();
          const got = next(client, 'close');
          const end = await world.outcome(() => server.close(code));
          return end.error === undefined ? [end, await got] : end;
        },
      ]),
    ),
  ),
);

const reasons = {
  none: undefined,
  empty: '',
  text: 'why',
  null: null,
  number: 5,
  object: {},
  emoji: '😀'.repeat(10),
};

area(
  'sockets, close',
  newDateToo,
  all({
    ...Object.fromEntries(
      Object.entries(reasons).flatMap(([name, reason]) => [
        [
          `reason ${name}`,
          async (world) => {
            const [client, server] = acceptedPair();
            const got = next(client, 'close');
            const end = await world.outcome(() => server.close(4000, reason));
            return end.error === undefined ? [end, await got] : end;
          },
        ],
        [
          `reason ${name} and no code`,
          (world) => world.outcome(() => acceptedPair()[0].close(undefined, reason)),
        ],
      ]),
    ),
    'without arguments': async () => {
      const [client, server] = acceptedPair();
      const got = next(client, 'close');
      server.close();
      return got;
    },
    'states of the end that closes': async () => {
      const [client, server] = acceptedPair();
      const states = [server.readyState];
      server.close(1000);
      states.push(server.readyState);
      await settle();
      states.push(server.readyState, client.readyState);
      client.close(1000);
      states.push(client.readyState);
      await settle();
      states.push(server.readyState, client.readyState);
      return states;
    },
    'events of both ends, answered': async () => {
      const [client, server] = acceptedPair();
      const heard = [listen(client), listen(server)];
      client.addEventListener('close', () => client.close(3001, 'answer'));
      server.close(3000, 'question');
      await settle();
      return heard;
    },
    'events of both ends, not answered': async () => {
      const [client, server] = acceptedPair();
      const heard = [listen(client), listen(server)];
      server.close(3000, 'question');
      await settle();
      return heard;
    },
    'both close at once': async () => {
      const [client, server] = acceptedPair();
      const heard = [listen(client), listen(server)];
      server.close(3000, 's');
      client.close(3001, 'c');
      await settle();
      return [heard, client.readyState, server.readyState];
    },
    twice: async (world) => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      const ends = await errorsOf(world, [() => server.close(1000, 'a'), () => server.close(1001, 'b')]);
      await settle();
      return [ends, heard];
    },
    'twice, the second one bad': (world) => {
      const [, server] = acceptedPair();
      return errorsOf(world, [() => server.close(1000, 'a'), () => server.close(5)]);
    },
    'send to an end that has closed': async (world) => {
      const [client, server] = acceptedPair();
      const heard = listen(server);
      server.close(1000, 'bye');
      await settle();
      const end = await world.outcome(() => client.send('still'));
      await settle();
      return [end, heard];
    },
    'send after both have closed': async (world) => {
      const [client, server] = acceptedPair();
      server.close(1000);
      await settle();
      client.close(1000);
      await settle();
      return errorsOf(world, [
        () => client.send('x'),
        () => server.send('x'),
        () => client.close(),
        () => server.close(5),
      ]);
    },
    'half open: the other may still send': async () => {
      const [client, server] = acceptedPair({ allowHalfOpen: true });
      const heard = listen(server);
      server.close(1000, 'bye');
      await settle();
      client.send('still');
      client.close(1001, 'now');
      await settle();
      return [heard, client.readyState, server.readyState];
    },
    'half open: states': async () => {
      const [client, server] = acceptedPair({ allowHalfOpen: true });
      server.close(1000, 'bye');
      await settle();
      return [client.readyState, server.readyState];
    },
    'messages before the close arrive': async () => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      server.send('one');
      server.close(1000);
      await settle();
      return heard;
    },
    'a reason of 123 bytes': async () => {
      const [client, server] = acceptedPair();
      const got = next(client, 'close');
      server.close(1000, 'x'.repeat(123));
      return got;
    },
    'a reason of 124 bytes': async (world) => {
      const [client, server] = acceptedPair();
      const got = next(client, 'close');
      const end = await world.outcome(() => server.close(1000, 'x'.repeat(124)));
      return end.error === undefined ? [end, await got] : end;
    },
    'a symbol as reason': (world) => world.outcome(() => acceptedPair()[0].close(1000, Symbol('x'))),
    'a bigint as code': (world) => world.outcome(() => acceptedPair()[0].close(1000n)),
  }),
);

area(
  'sockets, events',
  newDateToo,
  all({
    'an assigned onmessage is called': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      Reflect.set(client, 'onmessage', ({ data }) => heard.push(data));
      server.send('x');
      await settle();
      return heard;
    },
    'an assigned onclose is called': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      Reflect.set(client, 'onclose', ({ code }) => heard.push(code));
      server.close(3000);
      await settle();
      return heard;
    },
    'assigned and added, in order': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', () => heard.push('added'));
      Reflect.set(client, 'onmessage', () => heard.push('assigned'));
      client.addEventListener('message', () => heard.push('added later'));
      server.send('x');
      await settle();
      return heard;
    },
    once: async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', ({ data }) => heard.push(data), { once: true });
      server.send('1');
      server.send('2');
      await settle();
      return heard;
    },
    'removed listener': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      const listener = ({ data }) => heard.push(data);
      client.addEventListener('message', listener);
      client.removeEventListener('message', listener);
      server.send('1');
      await settle();
      return heard;
    },
    'the same listener twice': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      const listener = ({ data }) => heard.push(data);
      client.addEventListener('message', listener);
      client.addEventListener('message', listener);
      server.send('1');
      await settle();
      return heard;
    },
    'listener object': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', { handleEvent: ({ data }) => heard.push(data) });
      server.send('1');
      await settle();
      return heard;
    },
    'signal of a listener': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      const controller = new AbortController();
      client.addEventListener('message', ({ data }) => heard.push(data), { signal: controller.signal });
      server.send('1');
      await settle();
      controller.abort();
      server.send('2');
      await settle();
      return heard;
    },
    'classes of events': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', (event) =>
        heard.push([event.constructor.name, event instanceof MessageEvent]),
      );
      client.addEventListener('close', (event) =>
        heard.push([event.constructor.name, event instanceof CloseEvent]),
      );
      server.send('x');
      server.close(1000);
      await settle();
      return heard;
    },
    'target of an event': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', (event) =>
        heard.push(event.target === client, event.currentTarget === client),
      );
      server.send('x');
      await settle();
      return heard;
    },
    'this of a listener': async () => {
      const [client, server] = acceptedPair();
      const heard = [];
      client.addEventListener('message', function () {
        heard.push(this === client);
      });
      server.send('x');
      await settle();
      return heard;
    },
    'a listener that throws': async () => {
      const [client, server] = acceptedPair();
      const heard = [listen(client), listen(server)];
      client.addEventListener('message', () => {
        throw new Error('thrown');
      });
      client.addEventListener('message', () => heard[0].push('the next one'));
      server.send('x');
      await settle();
      return [heard, client.readyState, server.readyState];
    },
    'a listener that throws a text': async () => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      client.addEventListener('message', () => {
        throw 'text'; // oxlint-disable-line no-throw-literal
      });
      server.send('x');
      await settle();
      return heard;
    },
    'after a listener threw, send and close': async (world) => {
      const [client, server] = acceptedPair();
      client.addEventListener('message', () => {
        throw new TypeError('thrown');
      });
      server.send('x');
      await settle();
      return errorsOf(world, [
        () => client.send('y'),
        () => client.close(1000),
        () => server.send('y'),
        () => server.close(1000),
      ]);
    },
    'a close listener that throws': async () => {
      const [client, server] = acceptedPair();
      const heard = [listen(client), listen(server)];
      client.addEventListener('close', () => {
        throw new Error('in close');
      });
      server.close(3000);
      await settle();
      return [heard, client.readyState, server.readyState];
    },
    'an async listener that rejects': async () => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      client.addEventListener('message', async () => {
        await Promise.resolve();
        throw new Error('rejected');
      });
      server.send('x');
      await settle();
      server.send('y');
      await settle();
      return [heard, client.readyState];
    },
    'an event of one’s own': () => {
      const [client] = acceptedPair();
      const heard = [];
      client.addEventListener('mine', (event) => heard.push(event.type));
      return [client.dispatchEvent(new Event('mine')), heard];
    },
    'messages are not delivered at once': () => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      server.send('x');
      return heard;
    },
    'messages are not delivered in microtasks': async () => {
      const [client, server] = acceptedPair();
      const heard = listen(client);
      server.send('x');
      for (let i = 0; i < 3; i++) await Promise.resolve();
      return heard;
    },
  }),
);

const attached = {
  undefined: () => undefined,
  null: () => null,
  text: () => 'x',
  object: () => ({ a: [1, { b: 2 }], d: new Date(5) }),
  map: () => new Map([[1, new Set([2])]]),
  bytes: () => new Uint8Array([1, 2]),
  'class instance': () =>
    new (class Mine {
      x = 1;
    })(),
  bigint: () => 5n,
  error: () => new RangeError('r'),
  function: () => () => 1,
  symbol: () => Symbol('s'),
  promise: () => Promise.resolve(1),
  socket: () => pair()[0],
  '16,379 characters': () => 'x'.repeat(16_379),
  '16,380 characters': () => 'x'.repeat(16_380),
  '8,190 wide characters': () => 'ж'.repeat(8_190),
  'a large object': () => ({ text: 'x'.repeat(20_000) }),
};

area(
  'sockets, attachments',
  {},
  all({
    ...Object.fromEntries(
      Object.entries(attached).map(([name, make]) => [
        name,
        (world) =>
          world.outcome(() => {
            const [ws] = pair();
            ws.serializeAttachment(make());
            const value = ws.deserializeAttachment();
            return typeof value === 'string' && value.length > 100 ? value.length : value;
          }),
      ]),
    ),
    'none yet': () => pair()[0].deserializeAttachment(),
    'without an argument': (world) => world.outcome(() => pair()[0].serializeAttachment()),
    'a fresh copy each time': () => {
      const [ws] = pair();
      ws.serializeAttachment({ a: 1 });
      return ws.deserializeAttachment() === ws.deserializeAttachment();
    },
    'as of the call': () => {
      const [ws] = pair();
      const value = { a: 1 };
      ws.serializeAttachment(value);
      value.a = 2;
      return ws.deserializeAttachment();
    },
    replaced: () => {
      const [ws] = pair();
      ws.serializeAttachment(1);
      ws.serializeAttachment(2);
      return ws.deserializeAttachment();
    },
    'a failed one leaves the one before': async (world) => {
      const [ws] = pair();
      ws.serializeAttachment(1);
      await world.outcome(() => ws.serializeAttachment(() => 1));
      return ws.deserializeAttachment();
    },
    'of the other end': () => {
      const [client, server] = pair();
      client.serializeAttachment(1);
      return server.deserializeAttachment();
    },
    'after close': () => {
      const [client] = acceptedPair();
      client.close();
      client.serializeAttachment('late');
      return client.deserializeAttachment();
    },
    'through the prototype': () => {
      const [ws] = pair();
      WebSocket.prototype.serializeAttachment.call(ws, 5);
      return WebSocket.prototype.deserializeAttachment.call(ws);
    },
  }),
);

const responses = {
  '101 without a socket': () => new Response(null, { status: 101 }),
  '101 with webSocket null': () => new Response(null, { status: 101, webSocket: null }),
  '101 with webSocket undefined': () => new Response(null, { status: 101, webSocket: undefined }),
  'a socket and 200': () => new Response(null, { status: 200, webSocket: pair()[0] }),
  'a socket and no status': () => new Response(null, { webSocket: pair()[0] }),
  'a socket and 204': () => new Response(null, { status: 204, webSocket: pair()[0] }),
  'a socket and a body': () => new Response('x', { status: 101, webSocket: pair()[0] }),
  'a socket and an empty body': () => new Response('', { status: 101, webSocket: pair()[0] }),
  'a socket and undefined': () => new Response(undefined, { status: 101, webSocket: pair()[0] }),
  'an object as socket': () => new Response(null, { status: 101, webSocket: {} }),
  'a text as socket': () => new Response(null, { status: 101, webSocket: 'x' }),
  'a pair as socket': () => new Response(null, { status: 101, webSocket: new WebSocketPair() }),
  'an accepted socket': () => new Response(null, { status: 101, webSocket: acceptedPair()[0] }),
  'a good one': () => new Response(null, { status: 101, webSocket: pair()[0], headers: { 'x-a': '1' } }),
};

area(
  'sockets in responses',
  {},
  all({
    ...Object.fromEntries(
      Object.entries(responses).map(([name, make]) => [
        name,
        (world) =>
          world.outcome(() => {
            const response = make();
            const { status, ok, body, bodyUsed, webSocket } = response;
            return [status, ok, body, bodyUsed, webSocket instanceof WebSocket, [...response.headers]];
          }),
      ]),
    ),
    'the same socket': () => {
      const [client] = pair();
      const response = new Response(null, { status: 101, webSocket: client });
      return response.webSocket === client;
    },
    'webSocket of an ordinary response': () => new Response('x').webSocket,
    clone: (world) => world.outcome(() => new Response(null, { status: 101, webSocket: pair()[0] }).clone()),
    'a copy keeps it': () => {
      const [client] = pair();
      const response = new Response(null, { status: 101, webSocket: client, headers: { a: '1' } });
      const copy = new Response(null, response);
      return [copy.status, copy.webSocket === client, [...copy.headers]];
    },
    'text of it': (world) =>
      world.outcome(() => new Response(null, { status: 101, webSocket: pair()[0] }).text()),
  }),
);

const urls = {
  nothing: [],
  empty: [''],
  relative: ['/rel'],
  'no url': ['not a url'],
  http: ['http://a.test/'],
  https: ['https://a.test/'],
  ftp: ['ftp://a.test/'],
  'with a fragment': ['ws://a.test/#x'],
  'with an empty fragment': ['ws://a.test/#'],
  'protocol with a space': ['ws://127.0.0.1:1/', 'a b'],
  'protocol empty': ['ws://127.0.0.1:1/', ''],
  'protocols repeated': ['ws://127.0.0.1:1/', ['a', 'a']],
  'protocols with a comma': ['ws://127.0.0.1:1/', ['a,b']],
};

area(
  'new WebSocket',
  {},
  all({
    ...Object.fromEntries(
      Object.entries(urls).map(([name, args]) => [
        name,
        (world) =>
          world.outcome(() => {
            const ws = new WebSocket(...args);
            return ws.readyState;
          }),
      ]),
    ),
    accept: (world) => world.outcome(() => new WebSocket('ws://127.0.0.1:1/').accept()),
    'states at first': () => {
      const ws = new WebSocket('ws://127.0.0.1:1/path?q=1', ['one', 'two']);
      return [ws.readyState, ws.url, ws.protocol, ws.extensions, ws.binaryType];
    },
    'send at once': (world) => world.outcome(() => new WebSocket('ws://127.0.0.1:1/').send('x')),
    'nobody listens': async () => {
      const ws = new WebSocket('ws://127.0.0.1:1/');
      const heard = listen(ws);
      await next(ws, 'close');
      await settle();
      return [
        heard.map(([type, ...rest]) => (type === 'error' ? [type, rest.at(-1)] : [type, ...rest])),
        ws.readyState,
      ];
    },
  }),
);

area(
  'fetch of a socket',
  {},
  all({
    'a ws URL': (world) => world.outcome(() => fetch('ws://a.test/', upgrade)),
    'a wss URL': (world) => world.outcome(() => fetch('wss://a.test/', upgrade)),
  }),
);
