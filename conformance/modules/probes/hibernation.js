import { area } from '../registry.js';
import {
  acceptedPair,
  connect,
  hibernating,
  listen,
  next,
  pair,
  settle,
  sleep,
  upgrade,
} from '../sockets.js';

/** Accepts one end with hibernation; answers both. */
function accept({ ctx }, ...tags) {
  const [client, server] = pair();
  ctx.acceptWebSocket(server, ...tags);
  return [client, server];
}

/** Sends two messages; answers what their handlers have noted. */
async function sendTwo(world) {
  const ws = await connect(world);
  ws.send('1');
  ws.send('2');
  await sleep(500);
  return world.ask('notes');
}

const tagLists = {
  none: [],
  undefined: [undefined],
  empty: [[]],
  one: [['a']],
  'two alike': [['a', 'b', 'a']],
  ten: [Array.from({ length: 10 }, (_, i) => `t${i}`)],
  eleven: [Array.from({ length: 11 }, (_, i) => `t${i}`)],
  'eleven, ten of them different': [[...Array.from({ length: 10 }, (_, i) => `t${i}`), 't0']],
  'ten alike and one more': [[...Array.from({ length: 10 }, () => 't'), 'u']],
  'many thousand': [Array.from({ length: 100_000 }, (_, i) => `t${i}`)],
  numbers: [[1, 2, 1.5]],
  'null and undefined': [[null, undefined]],
  objects: [[{}, [1, 2]]],
  'a symbol': [[Symbol('x')]],
  'empty text': [['']],
  '256 characters': [['x'.repeat(256)]],
  '257 characters': [['x'.repeat(257)]],
  '128 wide characters': [['ж'.repeat(128)]],
  '129 wide characters': [['ж'.repeat(129)]],
  null: [null],
  text: ['abc'],
  number: [5],
  object: [{}],
  set: [new Set(['a'])],
};

area(
  'hibernating sockets, tags',
  {},
  {
    ...Object.fromEntries(
      Object.entries(tagLists).map(([name, args]) => [
        name,
        ({ ctx, outcome }) =>
          outcome(() => {
            const [, server] = accept({ ctx }, ...args);
            return ctx.getTags(server);
          }),
      ]),
    ),
    'of a socket that is not accepted': ({ ctx, outcome }) => outcome(() => ctx.getTags(pair()[0])),
    'of an ordinary socket': ({ ctx, outcome }) => outcome(() => ctx.getTags(acceptedPair()[0])),
    'of something else': ({ ctx, outcome }) => outcome(() => ctx.getTags({})),
    'of nothing': ({ ctx, outcome }) => outcome(() => ctx.getTags()),
    'a list of its own each time': ({ ctx }) => {
      const [, server] = accept({ ctx }, ['a']);
      ctx.getTags(server).push('b');
      return ctx.getTags(server);
    },
    'a list that changes later': ({ ctx }) => {
      const tags = ['a'];
      const [, server] = accept({ ctx }, tags);
      tags.push('b');
      return ctx.getTags(server);
    },
    'after a refusal nothing is listed': async ({ ctx, outcome }) => {
      await outcome(() => accept({ ctx }, ['x'.repeat(300)]));
      return ctx.getWebSockets().length;
    },
    'after a refusal it can be accepted': async ({ ctx, outcome }) => {
      const [, server] = pair();
      await outcome(() => ctx.acceptWebSocket(server, ['x'.repeat(300)]));
      return outcome(() => ctx.acceptWebSocket(server, ['short']));
    },
  },
);

const uses = {
  nothing: ({ ctx }) => ctx.acceptWebSocket(),
  'something else': ({ ctx }) => ctx.acceptWebSocket({}),
  null: ({ ctx }) => ctx.acceptWebSocket(null),
  'a pair': ({ ctx }) => ctx.acceptWebSocket(new WebSocketPair()),
  'an accepted one': ({ ctx }) => ctx.acceptWebSocket(acceptedPair()[0]),
  'one whose other end is accepted': ({ ctx }) => {
    const [client, server] = pair();
    client.accept();
    ctx.acceptWebSocket(server);
  },
  'the same twice': ({ ctx }) => {
    const [, server] = accept({ ctx });
    ctx.acceptWebSocket(server);
  },
  'both ends': ({ ctx }) => {
    const [client] = accept({ ctx });
    ctx.acceptWebSocket(client);
  },
  'and then accept': ({ ctx }) => accept({ ctx })[1].accept(),
  'and accept the other end': ({ ctx }) => accept({ ctx })[0].accept(),
  'an outgoing one': ({ ctx }) => ctx.acceptWebSocket(new WebSocket('ws://127.0.0.1:1/')),
  'state at once': ({ ctx }) => accept({ ctx })[1].readyState,
  'send at once': ({ ctx }) => accept({ ctx })[1].send('x'),
  'close at once': ({ ctx }) => {
    const [, server] = accept({ ctx });
    server.close(1000);
    return [server.readyState, ctx.getWebSockets().length];
  },
  'send after close': ({ ctx }) => {
    const [, server] = accept({ ctx });
    server.close(1000);
    server.send('x');
  },
  'a bad close code': ({ ctx }) => accept({ ctx })[1].close(1),
  'returns nothing': ({ ctx }) => {
    const [, server] = pair();
    return ctx.acceptWebSocket(server);
  },
};

area(
  'hibernating sockets, acceptWebSocket',
  {},
  Object.fromEntries(
    Object.entries(uses).map(([name, body]) => [name, (tools) => tools.outcome(() => body(tools))]),
  ),
);

area(
  'hibernating sockets, getWebSockets',
  {},
  {
    none: ({ ctx }) => ctx.getWebSockets(),
    'is an array': ({ ctx }) => Array.isArray(ctx.getWebSockets()),
    'the newest first': ({ ctx }) => {
      for (const tag of ['a', 'b', 'c']) accept({ ctx }, [tag]);
      return ctx.getWebSockets().map((ws) => ctx.getTags(ws));
    },
    'by tag the oldest first': ({ ctx }) => {
      for (const tag of ['a', 'b', 'c']) accept({ ctx }, [tag, 'all']);
      return ctx.getWebSockets('all').map((ws) => ctx.getTags(ws));
    },
    'by an unknown tag': ({ ctx }) => ctx.getWebSockets('unknown'),
    'by an empty tag': ({ ctx }) => {
      accept({ ctx }, ['']);
      accept({ ctx });
      return ctx.getWebSockets('').length;
    },
    'by null': ({ ctx }) => {
      accept({ ctx }, [null]);
      accept({ ctx });
      return ctx.getWebSockets(null).length;
    },
    'by undefined': ({ ctx }) => {
      accept({ ctx }, [undefined]);
      accept({ ctx });
      return ctx.getWebSockets(undefined).length;
    },
    'by a number': ({ ctx }) => {
      accept({ ctx }, ['5']);
      return ctx.getWebSockets(5).length;
    },
    'by a symbol': ({ ctx, outcome }) => outcome(() => ctx.getWebSockets(Symbol('x'))),
    'the same object each time': ({ ctx }) => {
      const [, server] = accept({ ctx }, ['a']);
      server.mine = 1;
      return [
        ctx.getWebSockets()[0] === server,
        ctx.getWebSockets('a')[0] === server,
        ctx.getWebSockets()[0].mine,
      ];
    },
    'a new array each time': ({ ctx }) => {
      accept({ ctx });
      ctx.getWebSockets().pop();
      return ctx.getWebSockets().length;
    },
    'without ordinary sockets': ({ ctx }) => {
      acceptedPair();
      return ctx.getWebSockets().length;
    },
    'with closed ones': ({ ctx }) => {
      const [, server] = accept({ ctx });
      server.close(1000);
      return ctx.getWebSockets().map((ws) => ws.readyState);
    },
  },
);

const pairs = {
  'a and b': ['a', 'b'],
  numbers: [1, 2],
  null: [null, null],
  undefined: [undefined, undefined],
  object: [{}, []],
  symbol: [Symbol('x'), 'b'],
  one: ['a'],
  nothing: [],
};

area(
  'hibernating sockets, automatic responses',
  {},
  {
    ...Object.fromEntries(
      Object.entries(pairs).map(([name, args]) => [
        `a pair of ${name}`,
        ({ outcome }) =>
          outcome(() => {
            const made = new WebSocketRequestResponsePair(...args);
            return [made.request, made.response];
          }),
      ]),
    ),
    'none at first': ({ ctx }) => ctx.getWebSocketAutoResponse(),
    'set and get': ({ ctx }) => {
      const made = new WebSocketRequestResponsePair('a', 'b');
      ctx.setWebSocketAutoResponse(made);
      const got = ctx.getWebSocketAutoResponse();
      return [got.request, got.response, got instanceof WebSocketRequestResponsePair];
    },
    unset: ({ ctx }) => {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('a', 'b'));
      ctx.setWebSocketAutoResponse();
      return ctx.getWebSocketAutoResponse();
    },
    'unset with undefined': ({ ctx }) => {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('a', 'b'));
      ctx.setWebSocketAutoResponse(undefined);
      return ctx.getWebSocketAutoResponse();
    },
    'set null': ({ ctx, outcome }) => outcome(() => ctx.setWebSocketAutoResponse(null)),
    'set an object': ({ ctx, outcome }) =>
      outcome(() => ctx.setWebSocketAutoResponse({ request: 'a', response: 'b' })),
    'a request of 2,048 bytes': ({ ctx, outcome }) =>
      outcome(() => ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('x'.repeat(2048), 'b'))),
    'a request of 2,049 bytes': ({ ctx, outcome }) =>
      outcome(() => ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('x'.repeat(2049), 'b'))),
    'a response of 2,049 bytes': ({ ctx, outcome }) =>
      outcome(() => ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('a', 'ж'.repeat(1025)))),
    'the properties cannot be set': ({ outcome }) =>
      outcome(() => {
        const made = new WebSocketRequestResponsePair('a', 'b');
        made.request = 'c';
        return made.request;
      }),
    'time of a socket without one': ({ ctx }) => ctx.getWebSocketAutoResponseTimestamp(accept({ ctx })[1]),
    'time of an ordinary socket': ({ ctx, outcome }) =>
      outcome(() => ctx.getWebSocketAutoResponseTimestamp(pair()[0])),
    'time of something else': ({ ctx, outcome }) => outcome(() => ctx.getWebSocketAutoResponseTimestamp({})),
  },
);

const timeouts = {
  none: [],
  undefined: [undefined],
  zero: [0],
  one: [1],
  text: ['5'],
  fraction: [1.9],
  null: [null],
  negative: [-1],
  NaN: [NaN],
  'a week': [604_800_000],
  'more than a week': [604_800_001],
  'far too much': [2 ** 40],
  object: [{}],
};

area(
  'hibernating sockets, event timeout',
  {},
  {
    'at first': ({ ctx }) => ctx.getHibernatableWebSocketEventTimeout(),
    ...Object.fromEntries(
      Object.entries(timeouts).map(([name, args]) => [
        name,
        ({ ctx, outcome }) =>
          outcome(() => {
            ctx.setHibernatableWebSocketEventTimeout(7);
            ctx.setHibernatableWebSocketEventTimeout(...args);
            return ctx.getHibernatableWebSocketEventTimeout();
          }),
      ]),
    ),
  },
);

/** Keeps what the handlers of an object were called with. */
const note = ({ self }, ...what) => (self.notes ??= []).push(what);
const notes = ({ self }) => self.notes ?? [];
const shown = (message) => (typeof message === 'string' ? message : [...new Uint8Array(message)]);

const echoing = {
  steps: { fetch: hibernating(), notes },
  message: (_tools, ws, message) => ws.send(message),
};

area(
  'hibernating sockets, events',
  { variants: ['', 'date 2026-11-01'] },
  {
    'a message comes and goes': {
      ...echoing,
      async run(world) {
        const ws = await connect(world);
        ws.send('hello');
        return next(ws);
      },
    },
    'bytes are an ArrayBuffer': {
      steps: { fetch: hibernating() },
      message: (_tools, ws, message) => ws.send(String(message instanceof ArrayBuffer) + shown(message)),
      async run(world) {
        const ws = await connect(world);
        ws.send(new Uint8Array([1, 2, 3]));
        return next(ws);
      },
    },
    'bytes whatever binaryType says': {
      steps: {
        fetch: ({ ctx }) => {
          const [client, server] = pair();
          server.binaryType = 'blob';
          ctx.acceptWebSocket(server);
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      message: (_tools, ws, message) => ws.send(String(message instanceof ArrayBuffer)),
      async run(world) {
        const ws = await connect(world);
        ws.send(new Uint8Array([1]));
        return next(ws);
      },
    },
    'the socket of the handler is the listed one': {
      steps: { fetch: hibernating(() => ['a']) },
      message: ({ ctx }, ws) =>
        ws.send(JSON.stringify([ctx.getWebSockets()[0] === ws, ctx.getTags(ws), ws.readyState, ws.url])),
      async run(world) {
        const ws = await connect(world);
        ws.send('x');
        return next(ws);
      },
    },
    'messages sent before the answer follow it': {
      steps: {
        fetch: ({ ctx }) => {
          const [client, server] = accept({ ctx });
          server.send('early');
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      async run(world) {
        return next(await connect(world));
      },
    },
    'a listener is never called': {
      steps: {
        fetch: ({ ctx, self }) => {
          const [client, server] = accept({ ctx });
          server.addEventListener('message', () => (self.notes ??= []).push('listener'));
          return new Response(null, { status: 101, webSocket: client });
        },
        notes,
      },
      message: (tools) => note(tools, 'handler'),
      async run(world) {
        (await connect(world)).send('x');
        await settle();
        return world.ask('notes');
      },
    },
    'a handler that throws': {
      steps: { fetch: hibernating() },
      message(_tools, ws, message) {
        if (message === 'throw') throw new Error('in the handler');
        ws.send('alive');
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        ws.send('throw');
        ws.send('x');
        await settle();
        return heard;
      },
    },
    'order of many messages': {
      ...echoing,
      async run(world) {
        const ws = await connect(world);
        const heard = [];
        ws.addEventListener('message', ({ data }) => heard.push(data));
        for (let i = 0; i < 50; i++) ws.send(String(i));
        await settle();
        await settle();
        return heard.length === 50 && heard.every((each, i) => each === String(i));
      },
    },
    'handlers overlap at timers': {
      steps: { fetch: hibernating(), notes },
      async message(tools, _ws, message) {
        note(tools, 'start', message);
        await sleep(20);
        note(tools, 'end', message);
      },
      run: sendTwo,
    },
    'storage keeps the next message out': {
      steps: { fetch: hibernating(), notes },
      async message(tools, _ws, message) {
        note(tools, 'start', message);
        await tools.storage.get('x');
        await tools.storage.put('x', message);
        note(tools, 'end', message);
      },
      run: sendTwo,
    },
    'a section keeps the next message out': {
      steps: { fetch: hibernating(), notes },
      async message(tools, _ws, message) {
        note(tools, 'start', message);
        await tools.ctx.blockConcurrencyWhile(() => sleep(20));
        note(tools, 'end', message);
      },
      run: sendTwo,
    },
    'to all with a tag': {
      steps: { fetch: hibernating((request) => [new URL(request.url).search.slice(1)]) },
      message({ ctx }, _ws, message) {
        for (const each of ctx.getWebSockets('even')) each.send(message);
      },
      async run(world) {
        const sockets = [];
        for (const tag of ['even', 'odd', 'even']) sockets.push(await connect(world, `?${tag}`));
        const heard = sockets.map(listen);
        sockets[1].send('hello');
        await settle();
        return heard;
      },
    },
    'two handlers write and send': {
      steps: { fetch: hibernating() },
      async message({ storage }, ws) {
        const value = ((await storage.get('n')) ?? 0) + 1;
        void storage.put('n', value);
        ws.send(String(value));
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        for (let i = 0; i < 5; i++) ws.send('x');
        await settle();
        return heard;
      },
    },
    'write, send, abort: not sent': {
      steps: { fetch: hibernating() },
      message({ storage, ctx }, ws) {
        void storage.put('n', 1);
        ws.send('never');
        ctx.abort('gone');
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        ws.send('x');
        await settle();
        return heard;
      },
    },
    'abort cuts every socket': {
      steps: {
        fetch: hibernating(),
        end: ({ ctx }) => ctx.abort('cut'),
        count: ({ ctx }) => ctx.getWebSockets().length,
      },
      async run(world) {
        const sockets = [await connect(world), await connect(world)];
        const heard = sockets.map(listen);
        await world.message(() => world.ask('end'));
        await settle();
        return [heard, await world.ask('count')];
      },
    },
    'a failing section cuts every socket': {
      steps: {
        fetch: hibernating(),
        end: ({ ctx }) =>
          ctx.blockConcurrencyWhile(() => {
            throw new Error('section');
          }),
        count: ({ ctx }) => ctx.getWebSockets().length,
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        await world.message(() => world.ask('end'));
        await settle();
        return [heard, await world.ask('count')];
      },
    },
    'an automatic response': {
      steps: {
        fetch: ({ ctx }) => {
          ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
          const [client] = accept({ ctx });
          return new Response(null, { status: 101, webSocket: client });
        },
        times: ({ ctx }) =>
          ctx.getWebSockets().map((ws) => ctx.getWebSocketAutoResponseTimestamp(ws) instanceof Date),
        notes,
      },
      message: (tools, _ws, message) => note(tools, shown(message)),
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        ws.send('ping');
        ws.send('Ping');
        ws.send(new TextEncoder().encode('ping'));
        await settle();
        return [heard, await world.ask('notes'), await world.ask('times')];
      },
    },
    'an automatic response set later, then unset': {
      steps: {
        fetch: hibernating(),
        set: ({ ctx }) => ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('a', 'b')),
        unset: ({ ctx }) => ctx.setWebSocketAutoResponse(),
        times: ({ ctx }) =>
          ctx.getWebSockets().map((ws) => ctx.getWebSocketAutoResponseTimestamp(ws) instanceof Date),
      },
      message: (_tools, ws, message) => ws.send(`handled ${message}`),
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        await world.ask('set');
        ws.send('a');
        await settle();
        await world.ask('unset');
        ws.send('a');
        await settle();
        return [heard, await world.ask('times')];
      },
    },
    'no automatic response for ordinary sockets': {
      steps: {
        fetch: ({ ctx }) => {
          ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
          const [client, server] = pair();
          server.accept();
          server.addEventListener('message', ({ data }) => server.send(`heard ${data}`));
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      async run(world) {
        const ws = await connect(world);
        ws.send('ping');
        return next(ws);
      },
    },
    'a handler that takes too long is dropped': {
      steps: { fetch: hibernating(), notes },
      async message(tools, ws, message) {
        if (message === 'set') return tools.ctx.setHibernatableWebSocketEventTimeout(50);
        note(tools, 'start', message);
        if (message === 'slow') await sleep(200);
        note(tools, 'end', message);
        ws.send(message);
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        for (const message of ['set', 'slow', 'quick']) ws.send(message);
        await sleep(900);
        ws.send('later');
        await settle();
        return [heard, await world.ask('notes')];
      },
    },
  },
);

const closing = {
  steps: {
    fetch: hibernating(),
    notes,
    states: ({ ctx }) => ctx.getWebSockets().map((ws) => ws.readyState),
    closeAll: ({ ctx }, code, reason) => ctx.getWebSockets().forEach((ws) => ws.close(code, reason)),
    sendAll: ({ ctx, outcome }, text) =>
      Promise.all(ctx.getWebSockets().map((ws) => outcome(() => ws.send(text)))),
  },
  message: (tools, ws, message) => note(tools, 'message', shown(message), ws.readyState),
  close: (tools, ws, code, reason, wasClean) =>
    note(tools, 'close', code, reason, wasClean, ws.readyState, tools.ctx.getWebSockets().includes(ws)),
  error: (tools, ws, error) => note(tools, 'error', String(error), ws.readyState),
};

/** What the client and the object hear when the client closes, and the object answers as the probe says. */
const clientCloses = (code, reason, answer) => ({
  ...closing,
  close(tools, ws, ...args) {
    closing.close(tools, ws, ...args);
    return answer?.(ws, tools);
  },
  async run(world) {
    const ws = await connect(world);
    const heard = listen(ws);
    ws.close(code, reason);
    await settle();
    return {
      heard,
      notes: await world.ask('notes'),
      states: await world.ask('states'),
      client: ws.readyState,
    };
  },
});

area(
  'hibernating sockets, closing',
  { variants: ['', 'date 2026-11-01'] },
  {
    'by the client, not answered': clientCloses(1000, 'bye'),
    'by the client without a code, not answered': clientCloses(),
    'by the client, answered': clientCloses(4000, 'bye', (ws) => ws.close(4001, 'answer')),
    'by the client, answered without a code': clientCloses(4000, 'bye', (ws) => ws.close()),
    'by the client, answered later': clientCloses(4000, 'bye', async (ws) => {
      await sleep(10);
      ws.close(4002, 'later');
    }),
    'by the client, and the object sends': clientCloses(4000, 'bye', (ws) => {
      ws.send('last words');
      ws.close(4003, 'then closed');
    }),
    'by the client, and the handler throws': clientCloses(4000, 'bye', () => {
      throw new Error('in close');
    }),
    'by the client, seen while the handler runs': clientCloses(4000, 'bye', async (ws, { ctx, self }) => {
      await sleep(10);
      self.notes.push(['later', ws.readyState, ctx.getWebSockets().length]);
    }),
    'by the object, answered': {
      ...closing,
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        ws.addEventListener('close', () => ws.close(4011, 'answer'));
        await world.ask('closeAll', 4010, 'from the object');
        await settle();
        return [heard.slice(0, 1), await world.ask('notes'), await world.ask('states')];
      },
    },
    'by the object, not answered': {
      ...closing,
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        await world.ask('closeAll', 4010, 'from the object');
        await settle();
        const states = await world.ask('states');
        ws.send('still');
        await settle();
        return [heard, states, await world.ask('notes'), await world.ask('sendAll', 'x')];
      },
    },
    'by both at once': {
      ...closing,
      async run(world) {
        const ws = await connect(world);
        ws.close(4020, 'client');
        await world.ask('closeAll', 4021, 'object');
        await settle();
        return [await world.ask('notes').then((all) => all.length), await world.ask('states')];
      },
    },
    'the client vanishes': {
      ...closing,
      async run(world) {
        const ws = await connect(world);
        ws.addEventListener('message', () => {
          throw new Error('gone');
        });
        await world.ask('sendAll', 'x');
        await settle();
        return [await world.ask('notes'), await world.ask('states')];
      },
    },
    'the client vanishes, and the object sends and closes': {
      ...closing,
      async close(tools, ws, ...args) {
        closing.close(tools, ws, ...args);
        note(
          tools,
          await tools.outcome(() => ws.send('x')),
          await tools.outcome(() => ws.close(1000)),
          ws.readyState,
        );
      },
      async run(world) {
        const ws = await connect(world);
        ws.addEventListener('message', () => {
          throw new Error('gone');
        });
        await world.ask('sendAll', 'x');
        await settle();
        return [await world.ask('notes'), await world.ask('states')];
      },
    },
    'messages before the close come first': {
      ...closing,
      async run(world) {
        const ws = await connect(world);
        ws.send('one');
        ws.send('two');
        ws.close(1000);
        await settle();
        return (await world.ask('notes')).map(([what]) => what);
      },
    },
    'attachments are there in the end': {
      ...closing,
      steps: {
        ...closing.steps,
        fetch: ({ ctx }) => {
          const [client, server] = accept({ ctx });
          server.serializeAttachment({ who: 'me' });
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      close: (tools, ws) => note(tools, ws.deserializeAttachment()),
      async run(world) {
        (await connect(world)).close(1000);
        await settle();
        return world.ask('notes');
      },
    },
  },
);

/** How long an object stays in memory after its last event, and a little more. */
const evictionMs = 12_000;

/** Connects, waits until the object has left memory, and asks. */
const afterEviction = (probe, body) => ({
  slow: true,
  ...probe,
  steps: {
    mark: ({ self }) => (self.mark ??= 'new instance'),
    keep: ({ self }) => void (self.mark = 'old instance'),
    ...probe.steps,
  },
  async run(world) {
    const ws = await connect(world, '?tag');
    const heard = listen(ws);
    await world.ask('keep');
    await body?.before?.(world, ws);
    await sleep(evictionMs);
    await body?.after?.(world, ws);
    await settle();
    return [heard, await world.ask('mark')];
  },
});

area(
  'hibernating sockets, eviction',
  {},
  {
    'a message wakes the object': afterEviction(
      {
        steps: { fetch: hibernating(() => ['a', 'b']) },
        message: ({ self, ctx }, ws, message) =>
          ws.send(
            `${message} ${self.mark} ${ctx.getTags(ws)} ${ctx.getWebSockets('a').length} ${ws.readyState}`,
          ),
      },
      { after: (_world, ws) => ws.send('hello') },
    ),
    'the sockets are there in the constructor': afterEviction(
      {
        construct({ ctx, self }) {
          self.atStart = ctx.getWebSockets().map((ws) => ctx.getTags(ws));
        },
        steps: { fetch: hibernating(() => ['a']) },
        message: ({ self }, ws) => ws.send(JSON.stringify(self.atStart)),
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'the attachment is kept, own properties are not': afterEviction(
      {
        steps: {
          fetch: ({ ctx }) => {
            const [client, server] = accept({ ctx });
            server.serializeAttachment({ a: new Date(1) });
            server.mine = 1;
            server.binaryType = 'blob';
            return new Response(null, { status: 101, webSocket: client });
          },
        },
        message: (_tools, ws) =>
          ws.send(JSON.stringify([ws.deserializeAttachment(), ws.mine ?? null, ws.binaryType])),
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'a Blob in the attachment is kept': afterEviction(
      {
        steps: {
          fetch: ({ ctx }) => {
            const [client, server] = accept({ ctx });
            server.serializeAttachment({ blob: new Blob(['x'], { type: 'a/b' }) });
            return new Response(null, { status: 101, webSocket: client });
          },
        },
        message: async (_tools, ws) => {
          const { blob } = ws.deserializeAttachment();
          ws.send(JSON.stringify([blob.constructor.name, blob.type, await blob.text()]));
        },
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'automatic responses keep the object asleep': afterEviction(
      {
        steps: {
          fetch: ({ ctx }) => {
            ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
            const [client] = accept({ ctx });
            return new Response(null, { status: 101, webSocket: client });
          },
        },
        message: ({ self, ctx }, ws) =>
          ws.send(
            JSON.stringify([
              self.mark ?? null,
              ctx.getWebSocketAutoResponse()?.request,
              ctx.getWebSocketAutoResponseTimestamp(ws) instanceof Date,
            ]),
          ),
      },
      {
        async after(_world, ws) {
          ws.send('ping');
          await settle();
          ws.send('x');
        },
      },
    ),
    'the event timeout is kept': afterEviction(
      {
        steps: {
          fetch: ({ ctx }) => {
            ctx.setHibernatableWebSocketEventTimeout(1234);
            const [client] = accept({ ctx });
            return new Response(null, { status: 101, webSocket: client });
          },
        },
        message: ({ ctx }, ws) => ws.send(String(ctx.getHibernatableWebSocketEventTimeout())),
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'a close wakes the object': afterEviction(
      {
        steps: { fetch: hibernating() },
        close: ({ self }, ws, code, reason) => ws.close(code, `${reason} ${self.mark}`),
      },
      { after: (_world, ws) => ws.close(4000, 'bye') },
    ),
    'an end that was closed stays closed': afterEviction(
      {
        steps: {
          fetch: hibernating(),
          closeAll: ({ ctx }) => ctx.getWebSockets().forEach((ws) => ws.close(4000, 'before')),
        },
        message: ({ ctx, self }) => {
          self.mark = JSON.stringify(ctx.getWebSockets().map((ws) => ws.readyState));
        },
      },
      {
        before: (world) => world.ask('closeAll'),
        after: (_world, ws) => ws.send('x'),
      },
    ),
    'a close that was not answered ends with the life': afterEviction(
      { steps: { fetch: hibernating() } },
      { before: (_world, ws) => ws.close(4000, 'bye') },
    ),
    'an ordinary socket keeps the object': afterEviction(
      {
        steps: {
          fetch: ({ self }) => {
            const [client, server] = pair();
            server.accept();
            server.addEventListener('message', ({ data }) => server.send(`${data} ${self.mark}`));
            return new Response(null, { status: 101, webSocket: client });
          },
        },
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'a timer keeps the object': afterEviction(
      {
        steps: {
          fetch: (tools) => {
            setInterval(() => {}, 1000);
            return hibernating()(tools);
          },
        },
        message: ({ self }, ws) => ws.send(String(self.mark)),
      },
      { after: (_world, ws) => ws.send('x') },
    ),
    'the constructor fails when a message wakes the object': {
      slow: true,
      construct({ ctx, storage }) {
        void ctx.blockConcurrencyWhile(async () => {
          if (await storage.get('fail')) {
            await storage.delete('fail');
            await storage.sync();
            throw new Error('constructor');
          }
        });
      },
      steps: {
        fetch: hibernating(),
        prepare: ({ storage }) => storage.put('fail', true),
        count: ({ ctx }) => ctx.getWebSockets().length,
      },
      async run(world) {
        const ws = await connect(world);
        const heard = listen(ws);
        await world.ask('prepare');
        await sleep(evictionMs);
        ws.send('x');
        await settle();
        await settle();
        return [heard, await world.ask('count')];
      },
    },
    'an alarm finds the sockets': {
      slow: true,
      steps: {
        fetch: hibernating(),
        set: ({ storage, self }) => {
          self.mark = 'old instance';
          return storage.setAlarm(Date.now() + evictionMs + 1_000);
        },
      },
      alarm: ({ ctx, self }) => ctx.getWebSockets().forEach((ws) => ws.send(String(self.mark))),
      async run(world) {
        const ws = await connect(world);
        const got = next(ws);
        await world.ask('set');
        return got;
      },
    },
  },
);

const requests = {
  'with the header': upgrade,
  'without the header': {},
  'with another protocol': { headers: { Upgrade: 'h2c' } },
  'with capitals': { headers: { Upgrade: 'WebSocket' } },
  'with POST': { method: 'POST', ...upgrade },
};

area(
  'sockets through stubs',
  {},
  {
    ...Object.fromEntries(
      Object.entries(requests).map(([name, init]) => [
        `a request ${name}`,
        {
          steps: { fetch: hibernating() },
          run: (world) =>
            world.outcome(async () => {
              const response = await world.stub().fetch('http://object/', init);
              return [response.status, response.webSocket instanceof WebSocket, response.body];
            }),
        },
      ]),
    ),
    'a response without a socket': {
      steps: { fetch: () => new Response('no', { status: 403 }) },
      run: async (world) => {
        const response = await world.stub().fetch('http://object/', upgrade);
        return [response.status, response.webSocket, await response.text()];
      },
    },
    'headers of the response': {
      steps: {
        fetch: () =>
          new Response(null, {
            status: 101,
            statusText: 'Mine',
            webSocket: pair()[0],
            headers: { 'x-a': '1', 'Sec-WebSocket-Protocol': 'chat', 'Set-Cookie': 'a=1', Connection: 'x' },
          }),
      },
      run: async (world) => {
        const response = await world.stub().fetch('http://object/', upgrade);
        return [response.status, response.statusText, [...response.headers].map(([name]) => name)];
      },
    },
    'headers of the request': {
      steps: {
        fetch: (_tools, request) => Response.json([...request.headers.keys()]),
      },
      run: async (world) =>
        (
          await world.stub().fetch('http://object/', {
            headers: { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': 'a, b', 'X-Own': '1' },
          })
        ).json(),
    },
    'the end must be accepted': {
      steps: { fetch: hibernating() },
      run: async (world) => {
        const { webSocket } = await world.stub().fetch('http://object/', upgrade);
        return [
          webSocket.readyState,
          webSocket.url,
          webSocket.protocol,
          await world.outcome(() => webSocket.send('x')),
        ];
      },
    },
    'an end accepted before': {
      steps: {
        fetch: () => {
          const [client] = acceptedPair();
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      run: (world) =>
        world.outcome(async () => {
          const { status, webSocket } = await world.stub().fetch('http://object/', upgrade);
          return [status, webSocket instanceof WebSocket];
        }),
    },
    'the same end returned twice': {
      steps: {
        fetch: ({ self }) => {
          self.client ??= pair()[0];
          return new Response(null, { status: 101, webSocket: self.client });
        },
      },
      run: async (world) => [
        await world.outcome(async () => (await world.stub().fetch('http://object/', upgrade)).status),
        await world.outcome(async () => (await world.stub().fetch('http://object/', upgrade)).status),
      ],
    },
    'accept of an end that was returned': {
      steps: {
        fetch: ({ self, ctx }) => {
          const [client, server] = pair();
          ctx.acceptWebSocket(server);
          self.client = client;
          return new Response(null, { status: 101, webSocket: client });
        },
        use: ({ self, outcome }) =>
          Promise.all([outcome(() => self.client.accept()), outcome(() => self.client.send('x'))]),
      },
      async run(world) {
        await connect(world);
        return world.ask('use');
      },
    },
    'acceptWebSocket after the other end was returned': {
      steps: {
        fetch: ({ self }) => {
          const [client, server] = pair();
          self.server = server;
          return new Response(null, { status: 101, webSocket: client });
        },
        use: ({ self, ctx, outcome }) => outcome(() => ctx.acceptWebSocket(self.server)),
      },
      async run(world) {
        const response = await world.stub().fetch('http://object/', upgrade);
        response.webSocket.accept();
        return world.ask('use');
      },
    },
    'an object that accepts without hibernation': {
      steps: {
        fetch: () => {
          const [client, server] = pair();
          server.accept();
          server.addEventListener('message', ({ data }) => server.send(`echo ${data}`));
          return new Response(null, { status: 101, webSocket: client });
        },
      },
      async run(world) {
        const ws = await connect(world);
        ws.send('x');
        return next(ws);
      },
    },
    'passed on by another object': {
      steps: {
        fetch: ({ ctx, env }, request) =>
          ctx.id.name.endsWith('#inner')
            ? hibernating()({ ctx })
            : env.SQL.getByName(`${ctx.id.name}#inner`).fetch(request),
      },
      message: ({ ctx }, ws, message) => ws.send(`${ctx.id.name.split('#')[1]} ${message}`),
      async run(world) {
        const ws = await connect(world);
        ws.send('x');
        return next(ws);
      },
    },
    'opened by another object': {
      steps: {
        fetch: hibernating(),
        async open({ ctx, env }) {
          const { webSocket } = await env.SQL.getByName(`${ctx.id.name}#inner`).fetch(
            'http://object/',
            upgrade,
          );
          webSocket.accept();
          webSocket.send('from an object');
          return next(webSocket);
        },
      },
      message: (_tools, ws, message) => ws.send(`re ${message}`),
      run: (world) => world.ask('open'),
    },
    'a socket as an argument': {
      steps: { take: () => 'taken' },
      run: (world) => world.outcome(() => world.ask('take', pair()[0])),
    },
    'a socket as a result': {
      steps: { give: () => pair()[0] },
      run: (world) => world.outcome(() => world.ask('give')),
    },
    'a socket in storage': ({ storage, how }) => how(() => storage.put('ws', pair()[0])),
    'handlers cannot be called': {
      run: async (world) => {
        const told = [];
        for (const name of ['webSocketMessage', 'webSocketClose', 'webSocketError']) {
          told.push(await world.outcome(() => world.stub()[name]('x')));
        }
        return told;
      },
    },
    'structuredClone of a socket': ({ outcome }) =>
      outcome(() => structuredClone(pair()[0])).then(({ error }) => error?.name ?? 'copied'),
  },
);

/** Shared by the objects of one process, as globals are. */
const shared = {};

area(
  'sockets of another object',
  {},
  Object.fromEntries(
    Object.entries({
      send: (ws) => ws.send('x'),
      close: (ws) => ws.close(1000),
      accept: (ws) => ws.accept(),
      readyState: (ws) => ws.readyState,
      addEventListener: (ws) => ws.addEventListener('message', () => {}),
      serializeAttachment: (ws) => ws.serializeAttachment(1),
    }).map(([name, use]) => [
      name,
      {
        steps: {
          make: () => {
            const [client, server] = pair();
            if (name !== 'accept') server.accept();
            shared[name] = [client, server];
          },
          use: ({ outcome }) => outcome(() => use(shared[name][1])),
        },
        async run(world) {
          await world.ask('make');
          const { error } = await world.stub('other').step('use');
          return error === undefined ? 'no error' : [error.class, error.message.split('(')[0]];
        },
      },
    ]),
  ),
);
