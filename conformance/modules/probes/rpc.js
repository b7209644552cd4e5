import { RpcTarget } from 'cloudflare:workers';
import { measure, sized, thrown } from '../callee.js';
import { area } from '../registry.js';

const callee = (world) => world.env.CALLEE.getByName(world.name);

/** A probe that is one thing done with a stub of a fresh object, in the worker. */
const call = (body) => ({ run: (world) => world.outcome(() => body(callee(world), world)) });

const cycle = { name: 'loop' };
cycle.self = cycle;

class Plain {
  x = 1;
}

class Local extends RpcTarget {
  constructor(n) {
    super();
    this.n = n;
  }
  get value() {
    return this.n;
  }
  add(n) {
    this.n += n;
    return this.n;
  }
}

const values = {
  undefined: undefined,
  null: null,
  'minus zero': -0,
  NaN: NaN,
  bigint: 2n ** 80n,
  string: 'te\u00dft \u{1f600}',
  Date: new Date(5),
  RegExp: /a/g,
  array: [1, [2], undefined],
  'nested object': { a: { b: null, c: undefined } },
  Map: new Map([[{ k: 1 }, 'v']]),
  Set: new Set([1, 2]),
  ArrayBuffer: new Uint8Array([1, 2]).buffer,
  Uint8Array: new Uint8Array([1, 2, 3]).subarray(1),
  Error: new TypeError('as a value'),
  'Error with properties': Object.assign(new Error('e'), { code: 5 }),
  cycle,
  'Number object': new Number(1),
};

area(
  'rpc values',
  {},
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, call((stub) => stub.echo(value))])),
);

area(
  'rpc arguments',
  {},
  {
    none: call((stub) => stub.count()),
    many: call((stub) => stub.count(1, undefined, null)),
    'class instance': call((stub) => stub.echo(new Plain())),
    'class instance as a result': call((stub) => stub.instance()),
    symbol: call((stub) => stub.echo(Symbol('s'))),
    WeakMap: call((stub) => stub.echo(new WeakMap())),
    Blob: call(async (stub) => {
      const blob = await stub.echo(new Blob(['x'], { type: 'a/b' }));
      return [blob.constructor.name, blob.type, await blob.text()];
    }),
    File: call((stub) => stub.echo(new File(['x'], 'name'))),
    FormData: call((stub) => stub.echo(new FormData())),
    Promise: call(async (stub) => stub.echo(Promise.resolve(5))),
    'null prototype object': call((stub) => stub.echo(Object.assign(Object.create(null), { a: 1 }))),
    'object with a getter': call((stub) =>
      stub.echo({
        get a() {
          return 'computed';
        },
      }),
    ),
    'an array is copied': call(async (stub) => {
      const list = [1];
      const echoed = await stub.echo(list);
      return [echoed, echoed === list];
    }),
    'changed after the call': call(async (stub) => {
      const object = { n: 1 };
      const answer = stub.echo(object);
      object.n = 2;
      return answer;
    }),
    URL: call((stub) => stub.echo(new URL('http://a/'))),
    Headers: call(async (stub) => [...(await stub.echo(new Headers({ a: '1' })))]),
    Request: call((stub) =>
      stub.readRequest(new Request('http://a/b', { method: 'PUT', headers: { 'x-a': 'v' } })),
    ),
    'Response as a result': call(async (stub) => {
      const response = await stub.response();
      return [response.status, response.headers.get('x-made'), await response.text()];
    }),
    'ReadableStream as a result': call(async (stub) => new Response(await stub.stream()).text()),
    'ReadableStream of text as a result': call(async (stub) => {
      const { value, done } = await (
        await stub.textStream()
      )
        .getReader({ mode: 'byob' })
        .read(new Uint8Array(64));
      return [done, new TextDecoder().decode(value)];
    }),
    'a result of 1 MiB': call(async (stub) => (await stub.large(2 ** 20)).byteLength),
    'a result of 33 MiB': call((stub) => stub.large(33 * 2 ** 20)),
  },
);

area(
  'rpc members',
  {},
  {
    'unknown method': call((stub) => stub.nope()),
    'unknown property': call((stub) => stub.nope),
    'own field': call((stub) => stub.field),
    'own function': call((stub) => stub.fieldFunction()),
    'static method': call((stub) => stub.fixed()),
    'underscored method': call((stub) => stub._underscored()),
    'odd name': call((stub) => stub['odd name']()),
    property: call((stub) => stub.property),
    'property, then deeper': call((stub) => stub.property.deep.n),
    'property that is called': call((stub) => stub.property()),
    'failing property': call((stub) => stub.failingProperty),
    'method without a call': call(async (stub) => typeof (await stub.echo)),
    'async method': call((stub) => stub.later('value')),
    toString: call((stub) => stub.toString()),
    hasOwnProperty: call((stub) => stub.hasOwnProperty('x')), // oxlint-disable-line no-prototype-builtins
    '__proto__ method': call((stub) => stub.__proto__()), // oxlint-disable-line no-proto
    'alarm is reserved': call((stub) => stub.alarm()),
    'constructor is reserved': call((stub) => stub.constructor()),
    'webSocketMessage is reserved': call((stub) => stub.webSocketMessage()),
    'ctx is not reachable': call((stub) => stub.ctx),
    'env is not reachable': call((stub) => stub.env),
    'sees its own name, id and env': call(async (stub, world) => {
      const { name, id, hasEnv } = await stub.identity();
      return [name === world.name, id === stub.id.toString(), hasEnv];
    }),
    'a stub is not a promise': call(async (stub) => typeof (await stub).echo),
    'a class without methods': {
      run: (world) => world.outcome(() => world.env.BARE.getByName(world.name).anything()),
    },
  },
);

area(
  'rpc pipelining',
  {},
  {
    'method of a result': call((stub) => stub.counter().add(2)),
    'property of a result': call((stub) => stub.counter().value),
    'three deep': call((stub) => stub.counter().nested().add(7)),
    'field of a plain result': call((stub) => stub.object().n),
    'element of a plain result': call((stub) => stub.object().list[1]),
    'function in a plain result': call((stub) => stub.object().twice(4)),
    'target in a plain result': call((stub) => stub.object().counter.add(3)),
    'missing method of a result': call((stub) => stub.counter().nope()),
    'method of a failing call': call((stub) => stub.throwIt('RangeError').anything()),
    'method of a null result': call((stub) => stub.echo(null).anything()),
    'method of a number': call((stub) => stub.echo(5).toFixed(1)),
    'own field of a target': call((stub) => stub.counter().own),
    'the stub keeps its state': call(async (stub) => {
      const counter = await stub.counter();
      await counter.add(2);
      await counter.add(3);
      return counter.value;
    }),
    'calls on a result keep their order': call(async (stub) => {
      const counter = stub.counter();
      return Promise.all([counter.add(1), counter.add(1), counter.add(1)]);
    }),
    'a promise as an argument': call((stub) => stub.echo(stub.echo(5))),
  },
);

area(
  'rpc functions and targets',
  {},
  {
    'a function as an argument': call((stub) => stub.callBack((n) => n * 3, 4)),
    'an async function as an argument': call((stub) => stub.callBack(async (n) => `got ${n}`, 4)),
    'a throwing function as an argument': call((stub) =>
      stub.callBack(() => {
        throw new SyntaxError('in the callback');
      }),
    ),
    'a function as a result': call(async (stub) => (await stub.function())(41)),
    'a function, called at once': call((stub) => stub.function()(41)),
    'a target as an argument': call(async (stub) => {
      const local = new Local(10);
      return [await stub.useCounter(local), local.n];
    }),
    'a stub given back': call(async (stub) => {
      const counter = await stub.counter();
      return stub.useCounter(counter);
    }),
    'a kept function outlives the call': call(async (stub) => {
      await stub.keep((label) => `called with ${label}`);
      return stub.useKept();
    }),
    'a disposed function': call(async (stub) => {
      await stub.keep(() => 'alive');
      return stub.disposeKept();
    }),
    'a disposed stub': call(async (stub) => {
      const counter = await stub.counter();
      counter[Symbol.dispose]();
      return counter.add(1);
    }),
    'dup of a stub': call(async (stub) => {
      const counter = await stub.counter();
      const second = counter.dup();
      counter[Symbol.dispose]();
      return second.add(1);
    }),
    'kinds of stubs': call(async (stub) => [
      typeof (await stub.counter()),
      typeof (await stub.function()),
      typeof stub.echo,
    ]),
    'a function inside an object argument': call((stub) =>
      stub.callBack(async (o) => o.f(2), { f: (n) => n + 1 }),
    ),
    'a stub of an object as an argument': call((stub, world) =>
      stub.callBack(
        async (other) => other.echo('through'),
        world.env.CALLEE.getByName(`${world.name}#other`),
      ),
    ),
    'a stored function': {
      steps: { store: ({ storage, how }, f) => how(() => storage.put('f', f)) },
      run: (world) => world.ask('store', () => 1),
    },
  },
);

const kinds = Object.keys(thrown);

area(
  'rpc errors',
  // From 2026-04-21 on, errors arrive with their properties.
  { variants: ['', 'date 2026-11-01'] },
  {
    ...Object.fromEntries(kinds.map((kind) => [`throws ${kind}`, call((stub) => stub.throwIt(kind))])),
    ...Object.fromEntries(
      ['own class', 'with properties', 'string'].map((kind) => [
        `rejects ${kind}`,
        call((stub) => stub.rejectIt(kind)),
      ]),
    ),
    'in an order': call(async (stub) => {
      const calls = ['a', 'b', 'c', 'd'].map((label) => stub.record(label));
      await Promise.all(calls);
      return stub.recorded();
    }),
    'the stack is not the object\u2019s': call(async (stub) => {
      try {
        await stub.throwIt('Error');
      } catch (error) {
        return /throwIt/.test(error.stack);
      }
      return 'no error';
    }),
  },
);

area(
  'stub fetch',
  {},
  {
    echo: call(async (stub) =>
      (
        await stub.fetch('http://object/echo?q=1', {
          method: 'POST',
          headers: { 'x-test': 'v' },
          body: 'body text',
        })
      ).json(),
    ),
    'with a Request': call(async (stub) =>
      (await stub.fetch(new Request('http://object/echo', { method: 'PUT', body: 'from request' }))).json(),
    ),
    'status, text and headers': call(async (stub) => {
      const response = await stub.fetch('http://object/status');
      return [response.status, response.headers.get('x-a'), await response.text()];
    }),
    'relative address': call((stub) => stub.fetch('/echo')),
    'a throwing handler': call((stub) => stub.fetch('http://object/throw')),
    'a handler that gives text': call((stub) => stub.fetch('http://object/text')),
    'a handler that gives nothing': call((stub) => stub.fetch('http://object/undefined')),
    'a streaming body': call(async (stub) => (await stub.fetch('http://object/stream')).text()),
    'a redirect is not followed': call(async (stub) => {
      const response = await stub.fetch('http://object/redirect', { redirect: 'manual' });
      return [response.status, response.headers.get('location')];
    }),
    'no handler': {
      run: (world) => world.outcome(() => world.env.BARE.getByName(world.name).fetch('http://object/')),
    },
    'no arguments': call((stub) => stub.fetch()),
  },
);

/** Around the limit of 32 MiB, and a quarter of it. Values have a few bytes around them. */
const sizes = [8_388_608, 8_388_609, 33_554_417, 33_554_426, 40_000_000];
const bodies = ['string', 'Uint8Array', 'ArrayBuffer', 'stream'];

area(
  'rpc sizes',
  {},
  Object.fromEntries(
    sizes.flatMap((size) => [
      ...Object.keys(sized)
        // The size of an error depends on its stack.
        .filter((kind) => kind !== 'stream' && (kind !== 'Error' || size < 2 ** 24))
        .flatMap((kind) => [
          [`${kind} of ${size} as a result`, call(async (stub) => measure(await stub.sized(kind, size)))],
          [`${kind} of ${size} as an argument`, call((stub) => stub.sizeOf(sized[kind](size)))],
        ]),
      ...bodies.flatMap((kind) => [
        [
          `${kind} of ${size} as the body of a response`,
          call(async (stub) => {
            const response = await stub.fetch(`http://object/large?${kind}&${size}`);
            return (await response.arrayBuffer()).byteLength;
          }),
        ],
        [
          `${kind} of ${size} as the body of a request`,
          call(async (stub) =>
            (await stub.fetch('http://object/size', { method: 'POST', body: sized[kind](size) })).json(),
          ),
        ],
      ]),
    ]),
  ),
);

/** What comes first of the messages and ends of a socket. */
const heard = (ws) =>
  new Promise((resolve) => {
    ws.addEventListener('message', ({ data }) => resolve(['message', data.length]), { once: true });
    ws.addEventListener('close', ({ code }) => resolve(['close', code]), { once: true });
  });

area(
  'rpc sizes of messages',
  {},
  Object.fromEntries(
    [8_388_609, 33_554_432].map((size) => [
      `${size} characters`,
      call(async (stub) => {
        const options = { headers: { Upgrade: 'websocket' } };
        const { webSocket: ws } = await stub.fetch(`http://object/socket?${size}`, options);
        const first = heard(ws);
        ws.accept();
        const all = [await first];
        const echo = heard(ws);
        ws.send('y'.repeat(size));
        return [...all, await echo];
      }),
    ]),
  ),
);
