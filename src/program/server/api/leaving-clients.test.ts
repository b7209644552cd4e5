import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { bytesMax, echo, exchange, last, open, serve } from './testing.ts';

test('serveApi reports a client that leaves in the middle of a request to the handler only', async (t) => {
  const begun = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const server = await serve(t, {
    answer: async (request) => {
      begun.resolve();
      await request.readBody(bytesMax).catch((error: unknown) => failed.resolve(error));
      return { status: 200, headers: {}, body: 'x' };
    },
  });
  const socket = await open(t, server);
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  await begun.promise;
  socket.resetAndDestroy();
  assert.match(String(await failed.promise), /Fault: 10410 /);
});

test('serveApi does no work for clients that leave after their first request, and all for one that stays', async (t) => {
  const asked: string[] = [];
  const server = await serve(t, {
    answer: async (request) => {
      asked.push(request.target);
      return echo(request);
    },
  });
  for (let count = 0; count < 20; count++) {
    const socket = await open(t, server);
    socket.write('GET /left HTTP/1.1\r\nHost: h\r\n\r\n', () => socket.destroy());
    await once(socket, 'close');
  }
  const twice = `GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n${last}`;
  const answers = await exchange(t, server, twice);
  assert.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 2);
  assert.deepEqual(asked, ['/1', '/2']);
});

test('serveApi streams, and ends the stream when the client leaves', async (t) => {
  const returned = Promise.withResolvers<void>();
  async function* ticks(): AsyncGenerator<string> {
    try {
      for (let tick = 0; ; tick++) {
        yield `tick ${tick}\n`;
        await new Promise((resolve) => void setImmediate(resolve));
      }
    } finally {
      returned.resolve();
    }
  }
  const server = await serve(t, { answer: async () => ({ status: 200, headers: {}, body: ticks() }) });
  const socket = await open(t, server);
  socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  let seen = '';
  while (!seen.includes('tick 3')) seen += String(((await once(socket, 'data')) as [Buffer])[0]);
  socket.destroy();
  await returned.promise;
  while (server.inFlight > 0) await new Promise((resolve) => void setImmediate(resolve));
});

test('serveApi ends a stream whose client left before its answer was ready, and one that cannot be begun', async (t) => {
  const ended: string[] = [];
  const errors: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const server = await serve(t, {
    onError: (error) => errors.push(error),
    async answer(request) {
      const { target } = request;
      const isGone = target === '/gone';
      if (isGone) begun.resolve();
      // Rejects when the server has noticed that the client has disconnected.
      if (isGone) await request.readBody(bytesMax).catch(() => {});
      if (isGone) await new Promise((resolve) => void setImmediate(resolve));
      const body = {
        next: async () => ({ done: false as const, value: 'piece' }),
        async return() {
          ended.push(target);
          return { done: true as const, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
      return { status: 200, headers: isGone ? {} : { 'x-name': 'a\nb' }, body };
    },
  });
  assert.match(await exchange(t, server, `GET /flaw HTTP/1.1\r\nHost: h\r\n${last}`), /^HTTP\/1.1 500 /);
  assert.deepEqual(ended, ['/flaw']);
  assert.equal((errors[0] as NodeJS.ErrnoException).code, 'ERR_INVALID_CHAR');
  const socket = await open(t, server);
  socket.write('POST /gone HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  await begun.promise;
  socket.destroy();
  while (server.inFlight > 0) await new Promise((resolve) => void setImmediate(resolve));
  assert.ok(ended.includes('/gone'));
});
