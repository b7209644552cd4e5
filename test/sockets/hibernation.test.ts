import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { closeFrameOf, type Site, startSite } from './site.ts';

/** An object that answers commands; each instance has a unique number. */
const module = `
import { DurableObject } from 'cloudflare:workers';
let instances = 0;
export class Room extends DurableObject {
  instance = ++instances;
  constructor(ctx, env) {
    super(ctx, env);
    this.atStart = ctx.getWebSockets().length;
  }
  async fetch(request) {
    const url = new URL(request.url);
    if (request.headers.get('upgrade') !== 'websocket') return this[url.pathname.slice(1)](url);
    const { 0: client, 1: server } = new WebSocketPair();
    const many = Number(url.searchParams.get('tags') ?? 0);
    const tags = many > 0 ? Array.from({ length: many }, (_, i) => 'tag ' + i) : url.searchParams.getAll('tag');
    this.ctx.acceptWebSocket(server, tags);
    server.serializeAttachment({ tags });
    return new Response(null, { status: 101, webSocket: client });
  }
  instanceNow() { return new Response(String(this.instance)); }
  sockets() { return Response.json(this.ctx.getWebSockets().map((ws) => [ws.readyState, this.ctx.getTags(ws)])); }
  breakIt() { this.ctx.abort('broken'); }
  async webSocketMessage(ws, message) {
    if (typeof message !== 'string') return ws.send(message);
    const [command, ...args] = message.split(' ');
    switch (command) {
      case 'instance': return ws.send(this.instance + ' ' + this.atStart + ' ' + JSON.stringify(ws.deserializeAttachment()));
      case 'all': return this.ctx.getWebSockets(args[0]).forEach((each) => each.send(args[1]));
      case 'put': await this.ctx.storage.put('k', args[0]); return ws.send('put');
      case 'lose': void this.ctx.storage.put('k', 'lost'); ws.send('never'); return this.ctx.abort('lose');
      case 'get': return ws.send(String(await this.ctx.storage.get('k')));
      case 'throw': throw new Error('thrown by the handler');
      case 'auto': this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong')); return ws.send('set');
      case 'autoTime': return ws.send(String(this.ctx.getWebSocketAutoResponseTimestamp(ws)?.getTime()));
      case 'close': return ws.close(Number(args[0]), 'as asked');
      case 'timeout': this.ctx.setHibernatableWebSocketEventTimeout(1000); return ws.send('set');
      case 'afterClose': {
        ws.close(1000, 'enough');
        let problem;
        try { ws.send('never'); } catch (error) { problem = error.message; }
        return this.ctx.storage.put('problem', problem);
      }
      case 'problem': return ws.send(String(await this.ctx.storage.get('problem')));
      case 'slow': await new Promise((resolve) => setTimeout(resolve, 5000)); return ws.send('too late');
      case 'hold': return this.ctx.blockConcurrencyWhile(() => new Promise((resolve) => setTimeout(resolve, 100)));
    }
  }
  async webSocketClose(ws, code, reason, wasClean) {
    (globalThis.closings ??= []).push([this.instance, code, reason, wasClean, ws.readyState, this.ctx.getWebSockets().includes(ws)]);
    if (reason !== 'unanswered') ws.close(code === 1005 || code === 1006 ? 1000 : code, 'answered');
  }
  webSocketError(ws, error) {
    (globalThis.closings ??= []).push([error.message, ws.readyState]);
  }
}
export default {
  fetch(request, env) {
    const name = new URL(request.url).searchParams.get('room') ?? 'a';
    return env.ROOMS.getByName(name).fetch(request);
  },
};`;

/** Each site stores received messages under a separate name: a site that is being closed may still receive some. */
let sites = 0;
const closings = (): unknown[][] =>
  (Reflect.get(globalThis, `closings${sites}`) as unknown[][] | undefined) ?? [];

async function start(t: TestContext): Promise<Site> {
  sites++;
  return await startSite(t, module.replaceAll('globalThis.closings', `globalThis.closings${sites}`));
}

const idleMs = 10_000;

test('an idle object leaves memory while its sockets stay open, and a message wakes it', async (t) => {
  const site = await start(t);
  const client = await site.connect('/?tag=x&tag=y').opened();
  const other = await site.connect('/?tag=y').opened();
  const [first] = String(await client.ask('instance')).split(' ');
  await site.clock.advance(idleMs - 1);
  equal(String(await client.ask('instance')).split(' ')[0], first);
  await site.clock.advance(idleMs + 1);
  equal(site.worker.runtime.stats().objectsAwake.get('Room'), 0);
  equal(await client.ask('instance'), `${Number(first) + 1} 2 {"tags":["x","y"]}`);
  client.send('all y hello');
  deepEqual(await Promise.all([client.next(), other.next()]), ['hello', 'hello']);
  equal(await site.text('/sockets'), '[[1,["y"]],[1,["x","y"]]]');
  deepEqual(await client.ask(Buffer.from([1, 2, 3])), Buffer.from([1, 2, 3]));
});

test('an automatic response does not wake the object, and its time is kept', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  equal(await client.ask('auto'), 'set');
  await site.clock.advance(idleMs + 1);
  equal(await client.ask('ping'), 'pong');
  equal(site.worker.runtime.stats().objectsAwake.get('Room'), 0);
  const time = site.clock.now();
  await site.clock.advance(5);
  equal(await client.ask('autoTime'), String(time));
});

test('an object hears of the end of its sockets, awake or not', async (t) => {
  const site = await start(t);
  const clients = await Promise.all([1, 2, 3].map(() => site.connect().opened()));
  await site.clock.advance(idleMs + 1);
  clients[0]!.socket.close(4005, 'mine');
  deepEqual(await clients[0]!.closed, [4005, 'answered']);
  deepEqual(closings().at(-1)!.toSpliced(0, 1), [4005, 'mine', true, 2, true]);
  clients[1]!.socket.close();
  deepEqual(await clients[1]!.closed, [1000, 'answered']);
  deepEqual(closings().at(-1)!.toSpliced(0, 1), [1005, '', true, 2, true]);
  clients[2]!.end();
  await eventually(() => closings().length === 3);
  const lost = 'WebSocket disconnected without sending Close frame.';
  deepEqual(closings().at(-1)!.toSpliced(0, 1), [1006, lost, false, 3, true]);
  equal(await site.text('/sockets'), '[]');
});

test('a close frame that the object does not answer ends the socket when the object is put away', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  client.socket.close(1000, 'unanswered');
  await eventually(() => closings().length === 1);
  await eventually(async () => (await site.text('/sockets')) === '[]');
  await site.clock.advance(idleMs + 1);
  // The client has received no close frame, so it reports its own.
  equal((await client.closed)[0], 1006);
});

test('an object that closes a socket hears the answer of the client', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  client.send('close 4242');
  deepEqual(await client.closed, [4242, 'as asked']);
  await eventually(() => closings().length === 1);
  deepEqual(closings()[0]!.toSpliced(0, 1), [4242, 'as asked', true, 3, true]);
});

test('an object that throws in webSocketMessage goes on with all its sockets', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  const instance = await client.ask('instance');
  client.send('throw');
  equal(await client.ask('instance'), instance);
  match(site.said.join('\n'), /thrown by the handler/);
});

test('what an object sends waits for its writes, and is not sent if they are lost', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  const other = await site.connect('/?room=b').opened();
  equal(await client.ask('put 1'), 'put');
  client.send('lose');
  equal((await client.closed)[0], 1006);
  const again = await site.connect().opened();
  equal(await again.ask('get'), '1');
  ok(String(await other.ask('instance')).includes('{"tags":[]}'));
});

test('an object that breaks cuts its sockets and has none in its next life', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  await site.text('/breakIt');
  equal((await client.closed)[0], 1006);
  equal(await site.text('/sockets'), '[]');
});

test('a handler that takes longer than the event timeout is dropped, and the socket lives', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  equal(await client.ask('timeout'), 'set');
  client.send('slow');
  equal(await client.ask('get'), 'undefined');
  await site.clock.advance(1_000);
  await site.clock.advance(10_000);
  equal(await client.ask('get'), 'undefined');
});

test('messages wait while the object lets nothing in, and are not lost', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  client.send('hold');
  const large = Buffer.alloc(700_000, 7);
  for (let i = 0; i < 6; i++) client.send(large);
  client.send('get');
  const heard: (string | Buffer)[] = [];
  const all = (async () => {
    for (let i = 0; i < 7; i++) heard.push(await client.next());
  })();
  // Time must pass for the section to end; the amount sent by then is irrelevant.
  await eventually(async () => {
    await site.clock.advance(100);
    return heard.length === 7;
  });
  await all;
  deepEqual(
    heard.map((each) => each.length),
    [...Array(6).fill(700_000), 'undefined'.length],
  );
});

test('a reload and the end of the program close sockets with 1012', async (t) => {
  const site = await start(t);
  const client = await site.connect().opened();
  await client.ask('instance');
  await site.worker.reload();
  equal((await client.closed)[0], 1012);
  const second = await site.connect().opened();
  await second.ask('instance');
  await site.close();
  equal((await second.closed)[0], 1012);
});

test('the end of the program waits for no client that does not answer a close frame', async (t) => {
  const site = await start(t);
  const client = await site.connectRaw();
  await site.close({ keepsRaw: true });
  equal(closeFrameOf(await client.ended)[0], 1012);
});

test('100,000 tags are refused, and no other socket is harmed', async (t) => {
  const site = await start(t);
  const witness = await site.connect().opened();
  const greedy = site.connect('/?tags=100000');
  equal((await greedy.closed)[0], 1006);
  ok(site.said.some((text) => text.includes('a Hibernatable WebSocket cannot have more than 10 tags')));
  deepEqual(JSON.parse(await site.text('/sockets')), [[1, []]]);
  const ten = await site.connect('/?tags=10').opened();
  match(String(await ten.ask('instance')), /"tag 9"/);
  match(String(await witness.ask('instance')), /\{"tags":\[\]\}/);
});

test('a message to a socket that was closed is refused, and one to a client that is gone is dropped', async (t) => {
  const site = await start(t);
  const [client, witness] = await Promise.all([1, 2].map(() => site.connect().opened()));
  client!.send('afterClose');
  deepEqual(await client!.closed, [1000, 'enough']);
  equal(await witness!.ask('problem'), "Can't call WebSocket send() after close().");
  const gone = await site.connectRaw();
  gone.end();
  equal(await witness!.ask('all'), 'undefined');
  equal(await witness!.ask('get'), 'undefined');
});
