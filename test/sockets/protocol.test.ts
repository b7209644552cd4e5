import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { closeFrameOf, type Site, startSite } from './site.ts';

const module = `
import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  fetch(request) {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }
  async webSocketMessage(ws, message) {
    if (message === 'flood') { const part = 'x'.repeat(1024 * 1024); for (let i = 0; i < 100; i++) ws.send(part); return; }
    if (message === 'heard') return ws.send(JSON.stringify(globalThis.heard ?? []));
    if (message === 'many') { for (let i = 0; i < 1000; i++) ws.send('part ' + i); return; }
    ws.send(message);
  }
  webSocketClose(ws, code, reason, wasClean) { (globalThis.heard ??= []).push(['close', code, reason]); ws.close(); }
  webSocketError(ws, error) { (globalThis.heard ??= []).push(['error', error.message, ws.readyState]); }
}
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    switch (url.pathname) {
      case '/signal': {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        request.signal.addEventListener('abort', () => server.send('aborted'));
        server.addEventListener('message', () => server.send('aborted: ' + request.signal.aborted));
        return new Response(null, { status: 101, webSocket: client });
      }
      case '/refused': return new Response('not today', { status: 403, headers: { 'x-why': 'because' } });
      case '/throw': throw new Error('thrown');
      case '/protocol': {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.send(server.protocol + '|' + request.headers.get('sec-websocket-protocol'));
        const headers = { 'Sec-WebSocket-Protocol': 'two', 'Set-Cookie': 'a=1', Connection: 'nothing', 'X-Own': 'yes' };
        return new Response(null, { status: 101, webSocket: client, headers });
      }
      case '/worker': {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.binaryType = 'arraybuffer';
        server.addEventListener('message', ({ data }) => {
          if (data === 'throw') throw new Error('in a listener');
          server.send(typeof data === 'string' ? 'echo ' + data : data);
        });
        server.addEventListener('error', (event) => (globalThis.heard ??= []).push(['error', event.message, server.readyState]));
        server.addEventListener('close', (event) => (globalThis.heard ??= []).push(['close', event.code, event.reason]));
        return new Response(null, { status: 101, webSocket: client });
      }
      case '/accepted': {
        const { 0: client, 1: server } = new WebSocketPair();
        client.accept();
        return new Response(null, { status: 101, webSocket: client });
      }
      case '/out': {
        const target = new URL(url.searchParams.get('to'), url);
        const told = [];
        target.protocol = 'ws:';
        const ws = new WebSocket(target, ['one', 'two']);
        ws.binaryType = 'arraybuffer';
        const ended = new Promise((resolve) => ws.addEventListener('close', resolve));
        for (const type of ['open', 'error', 'close', 'message']) {
          ws.addEventListener(type, (event) => told.push([type, event.code ?? event.data ?? ws.protocol]));
        }
        ws.addEventListener('message', () => ws.close(1000, 'enough'));
        ws.addEventListener('open', () => ws.send('hello'));
        await ended;
        return Response.json(told);
      }
      case '/fetched': {
        const response = await fetch(new URL(url.searchParams.get('to'), url), { headers: { Upgrade: 'websocket' } });
        if (response.webSocket === null) return new Response(response.status + ' ' + response.headers.get('x-why') + ' ' + await response.text());
        return response;
      }
      default: return env.ROOMS.getByName('a').fetch(request);
    }
  },
};`;

/** Each site stores received messages under a separate name: a site that is being closed may still receive some. */
let sites = 0;
const heard = (): unknown[][] => (Reflect.get(globalThis, `heard${sites}`) as unknown[][] | undefined) ?? [];

async function start(t: TestContext): Promise<Site> {
  sites++;
  return await startSite(t, module.replaceAll('globalThis.heard', `globalThis.heard${sites}`));
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** An upgrade without the help of a library. */
async function ask(site: Site, path: string, headers: Record<string, string>): Promise<Answer> {
  const outgoing = request(site.url + path, { headers: { connection: 'Upgrade', ...headers }, agent: false });
  outgoing.end();
  const answered = Promise.race([once(outgoing, 'response'), once(outgoing, 'upgrade')]);
  const [incoming, socket] = (await answered) as [
    import('node:http').IncomingMessage,
    import('node:net').Socket?,
  ];
  socket?.destroy();
  const chunks = socket === undefined ? await Array.fromAsync(incoming) : [];
  return {
    status: incoming.statusCode!,
    headers: incoming.headers,
    body: Buffer.concat(chunks as Buffer[]).toString(),
  };
}

const handshake = {
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};

test('the handshake is that of RFC 6455, with the headers of the Worker', async (t) => {
  const site = await start(t);
  const { status, headers } = await ask(site, '/protocol', handshake);
  equal(status, 101);
  equal(headers['sec-websocket-accept'], 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  deepEqual(
    [
      headers['connection'],
      headers['upgrade'],
      headers['x-own'],
      headers['set-cookie'],
      headers['sec-websocket-protocol'],
    ],
    ['Upgrade', 'websocket', 'yes', ['a=1'], 'two'],
  );
  const client = site.connect('/protocol', { protocols: ['one', 'two'] });
  equal(await client.next(), '|one,two');
  equal(client.socket.protocol, 'two');
});

test('the signal of a request is not aborted when its connection becomes a socket', async (t) => {
  const site = await start(t);
  const client = await site.connect('/signal').opened();
  equal(await client.ask('?'), 'aborted: false');
});

test('an upgrade that cannot be one is answered, not hung', async (t) => {
  const site = await start(t);
  const { upgrade } = handshake;
  const missing = await ask(site, '/worker', { upgrade });
  deepEqual([missing.status, missing.body], [400, 'ERROR: Missing Sec-WebSocket-Key']);
  const old = await ask(site, '/worker', { ...handshake, 'sec-websocket-version': '8' });
  deepEqual([old.status, old.headers['sec-websocket-version']], [426, '13']);
  const refused = await ask(site, '/refused', handshake);
  deepEqual([refused.status, refused.headers['x-why'], refused.body], [403, 'because', 'not today']);
  equal((await ask(site, '/throw', handshake)).status, 500);
  const other = await ask(site, '/refused', { upgrade: 'h2c' });
  deepEqual([other.status, other.body], [403, 'not today']);
  equal((await fetch(`${site.url}/worker`)).status, 500);
  match(site.said.join('\n'), /did not contain the header "Upgrade: websocket"/);
  equal((await (await site.connect('/accepted').opened()).closed)[0], 1006);
});

test('messages are compressed for clients that offer it, each by itself', async (t) => {
  const site = await start(t);
  const text = 'a rather compressible text '.repeat(10_000);
  for (const perMessageDeflate of [true, false, { serverMaxWindowBits: 10, clientMaxWindowBits: 10 }]) {
    const client = await site.connect('/worker', { perMessageDeflate }).opened();
    equal(client.socket.extensions, perMessageDeflate === false ? '' : 'permessage-deflate');
    for (const size of [1, 1_000, 2_000, text.length])
      equal(await client.ask(text.slice(0, size)), `echo ${text.slice(0, size)}`);
    const bytes = Buffer.from(text);
    ok(bytes.equals((await client.ask(bytes)) as Buffer));
    client.send('1');
    client.send(text);
    client.send('2');
    deepEqual(
      [await client.next(), await client.next(), await client.next()],
      ['echo 1', `echo ${text}`, 'echo 2'],
    );
    client.socket.close();
    equal((await client.closed)[0], 1005);
  }
});

const violations: Record<
  string,
  [send: (frame: (first: number, payload?: Buffer | string) => void) => void, code: number, text: RegExp]
> = {
  'an unknown opcode': [(frame) => frame(0x83), 1002, /^Unknown opcode 3$/],
  'a reserved bit': [(frame) => frame(0xc1, 'x'), 1002, /RSV/],
  'a continuation of nothing': [(frame) => frame(0x80, 'x'), 1002, /continuation/],
  'a message inside a message': [
    (frame) => {
      frame(0x01, 'part');
      frame(0x81, 'other');
    },
    1002,
    /continuation/,
  ],
  'a control frame in pieces': [(frame) => frame(0x09, 'x'), 1002, /fragmented control frame/],
  'a long ping': [(frame) => frame(0x89, Buffer.alloc(126)), 1002, /payload length/],
  'a close frame of one byte': [(frame) => frame(0x88, 'x'), 1002, /payload length/],
  'more fragments than bytes are worth': [
    (frame) => {
      frame(0x01, 'x');
      for (let i = 0; i < 65_600; i++) frame(0x00, 'x');
    },
    1008,
    /too many fragments/,
  ],
};

for (const path of ['/', '/worker']) {
  test(`frames that break the protocol are answered with their code, by ${path === '/' ? 'an object' : 'a Worker'}`, async (t) => {
    const site = await start(t);
    const witness = await site.connect(path).opened();
    for (const [name, [send, code, text]] of Object.entries(violations)) {
      const before = heard().length;
      const client = await site.connectRaw(path);
      client.socket.cork();
      send((first, payload) => client.frame(first, payload));
      client.socket.uncork();
      const [seenCode, seenText] = closeFrameOf(await client.ended);
      equal(seenCode, code, name);
      match(seenText, text, name);
      await eventually(() => heard().length > before, name);
      const [what, message, state] = heard().at(-1)!;
      equal(what, 'error', name);
      match(
        String(message),
        new RegExp(`^WebSocket protocol error; protocolError.statusCode = ${code}; `),
        name,
      );
      equal(state, path === '/' ? 2 : 3, name);
    }
    equal(heard().length, Object.keys(violations).length, 'nothing follows an error');
    ok(String(await witness.ask('alive')).endsWith('alive'));
  });
}

test('a message over the limit closes its socket with 1009', async (t) => {
  const site = await start(t);
  const client = await site.connectRaw();
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(33_554_433n);
  client.socket.write(
    Buffer.concat([Buffer.from([0x82, 0xff]), length, Buffer.alloc(4), Buffer.alloc(1000)]),
  );
  deepEqual(closeFrameOf(await client.ended), [1009, 'Message is too large: 33554433 > 33554432']);
  await eventually(() => heard().length === 1);
  // A small message that grows when it is expanded.
  const bomb = await site.connect('/', { perMessageDeflate: true }).opened();
  bomb.send(Buffer.alloc(40 * 1024 * 1024));
  equal((await bomb.closed)[0], 1009);
});

test('text that is not UTF-8 is mended, pings are answered without an event', async (t) => {
  const site = await start(t);
  const raw = await site.connectRaw();
  raw.frame(0x81, Buffer.from([0x61, 0xff, 0x62]));
  raw.frame(0x89, 'are you there');
  raw.frame(0x81, 'heard');
  raw.frame(0x88, Buffer.from([0x03, 0xe8]));
  const received = (await raw.ended).toString();
  ok(received.includes('a\ufffdb'));
  ok(received.includes('are you there'));
  ok(received.includes('[]'));
});

test('a reader that is too slow is cut off, and the others hear everything', async (t) => {
  const site = await start(t);
  const slow = await site.connectRaw();
  slow.socket.pause();
  slow.frame(0x81, 'flood');
  await eventually(() => heard().length === 1);
  deepEqual(heard()[0]!.slice(0, 2), ['close', 1006]);
  const client = await site.connect().opened();
  client.send('many');
  for (let i = 0; i < 1000; i++) equal(await client.next(), `part ${i}`);
});

test('a listener that throws ends its socket and no other', async (t) => {
  const site = await start(t);
  const [client, witness] = await Promise.all([1, 2].map(() => site.connect('/worker').opened()));
  client!.send('throw');
  equal((await client!.closed)[0], 1006);
  equal(await witness!.ask('x'), 'echo x');
  deepEqual(heard(), [['error', 'Uncaught Error: in a listener', 3]]);
});

test('new WebSocket and fetch open sockets to other servers', async (t) => {
  const site = await start(t);
  deepEqual(JSON.parse(await site.text('/out?to=/protocol')), [
    ['open', 'two'],
    ['message', '|one, two'],
    ['close', 1000],
  ]);
  deepEqual(JSON.parse(await site.text('/out?to=/refused')), [
    ['error', ''],
    ['close', 1006],
  ]);
  equal(await site.text('/fetched?to=/refused'), '403 because not today');
  const passed = await site.connect('/fetched?to=/worker').opened();
  equal(await passed.ask('through'), 'echo through');
  const large = Buffer.alloc(5_000_000, 3);
  ok(large.equals((await passed.ask(large)) as Buffer));
  passed.socket.close(4000, 'bye');
  deepEqual(await passed.closed, [4000, 'bye']);
});
