/** Connections to other entry points, and the names of handlers as methods. */
import { WorkerEntrypoint } from 'cloudflare:workers';

const bytes = (text) => new TextEncoder().encode(text);

async function tell(ask) {
  try {
    return (await ask()) ?? null;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

async function echo(socket, who) {
  const writer = socket.writable.getWriter();
  await writer.write(bytes(`${who} at ${(await socket.opened).localAddress}: `));
  writer.releaseLock();
  await socket.readable.pipeTo(socket.writable);
}

export class Echo extends WorkerEntrypoint {
  connect(socket) {
    return echo(socket, 'echo');
  }
}

export const plain = { connect: (socket, _env, ctx) => echo(socket, `plain ${typeof ctx.waitUntil}`) };

export class Fails extends WorkerEntrypoint {
  async connect(socket) {
    await socket.writable.getWriter().write(bytes('first'));
    throw new Error('lost on the way');
  }
}

const handlers = ['alarm', 'scheduled', 'queue', 'email', 'tail', 'trace', 'test', 'webSocketMessage', 'dup'];

export class Names extends WorkerEntrypoint {}
for (const name of handlers) Names.prototype[name] = (value) => `${name} ${value}`;

async function talk(socket, text) {
  const { remoteAddress } = await socket.opened;
  const answer = new Response(socket.readable).text();
  const writer = socket.writable.getWriter();
  await writer.write(bytes(text));
  await writer.close();
  return [remoteAddress, await answer, socket.upgraded, socket.secureTransport];
}

const questions = {
  '/connect': async (env) => [
    await talk(env.ECHO.connect('some.host:123'), 'hello'),
    await talk(env.PLAIN.connect({ hostname: 'a', port: 5 }), ''),
  ],
  '/fails': async (env) => {
    const socket = env.FAILS.connect('a:1');
    return [await new Response(socket.readable).text(), await tell(() => socket.closed)];
  },
  '/refused': async (env) => [
    await tell(() => env.SELF.connect('a:1').opened),
    await tell(() => env.ECHO.connect('a:1', { secureTransport: 'on' }).opened),
    await tell(() => env.ECHO.connect('a')),
    await tell(() => env.ECHO.connect()),
  ],
  '/names': async (env) => {
    const answers = [];
    for (const name of handlers) answers.push(await tell(() => env.NAMES[name](1)));
    return answers;
  },
};

export default {
  fetch: async (request, env) => Response.json(await questions[new URL(request.url).pathname](env)),
};
