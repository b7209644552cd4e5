/** For tests: the same small application in every framework, behind the firewall, on a real socket. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { type Firewall, fastifyHook, honoMiddleware, nodeMiddleware } from '#edge';

/**
 * Every application has: `GET` anything → `hello`; `POST /json` and `/form` → what its own parser makes of the body, as
 * JSON; `POST /raw` → length and hash of the body; `GET /missing` → 404.
 */
export interface App extends AsyncDisposable {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  /** Requests that passed the firewall. */
  readonly reached: readonly string[];
}

type Start = (firewall: Firewall, reached: string[]) => Promise<Server>;

export function digestOf(bytes: Uint8Array): string {
  return `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
}

async function bytesOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function fieldsOf(text: string): object {
  return Object.fromEntries(new URLSearchParams(text));
}

async function plainApp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.statusCode = request.url!.startsWith('/missing') ? 404 : 200;
    response.end('hello');
    return;
  }
  const bytes = await bytesOf(request);
  if (request.url === '/raw') response.end(digestOf(bytes));
  else if (request.url === '/json') response.end(JSON.stringify(JSON.parse(bytes.toString())));
  else response.end(JSON.stringify(fieldsOf(bytes.toString())));
}

const startNode: Start = async (firewall, reached) => {
  const judge = nodeMiddleware(firewall);
  return listening(
    createServer((request, response) => {
      judge(request, response, () => {
        reached.push(`${request.method} ${request.url}`);
        plainApp(request, response).catch(() => response.destroy());
      });
    }),
  );
};

const startExpress: Start = async (firewall, reached) => {
  const app = express();
  app.use(nodeMiddleware(firewall));
  app.use((request, _, next) => {
    reached.push(`${request.method} ${request.originalUrl}`);
    next();
  });
  app.post('/json', express.json({ limit: '10mb' }), (request, response) => void response.send(request.body));
  app.post('/form', express.urlencoded(), (request, response) => void response.send(request.body));
  app.post('/raw', express.raw({ type: () => true, limit: '10mb' }), (request, response) => {
    // Without a body the parser sets nothing.
    response.send(digestOf(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)));
  });
  app.get('/missing', (_, response) => void response.status(404).send('hello'));
  app.get('/{*path}', (_, response) => void response.send('hello'));
  return listening(createServer(app));
};

const startFastify: Start = async (firewall, reached) => {
  const app = fastify({ bodyLimit: 10 * 1024 * 1024, forceCloseConnections: true });
  app.addHook('onRequest', fastifyHook(firewall));
  app.addHook('preParsing', async (request) => {
    reached.push(`${request.method} ${request.url}`);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/json', (request) => request.body);
  app.post<{ Body: Buffer }>('/form', (request) => fieldsOf(request.body.toString()));
  app.post<{ Body: Buffer | undefined }>('/raw', (request) => digestOf(request.body ?? Buffer.alloc(0)));
  app.get('/missing', (_, reply) => reply.code(404).send('hello'));
  app.get('/*', () => 'hello');
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
};

const startHono: Start = async (firewall, reached) => {
  const app = new Hono();
  app.use(honoMiddleware(firewall));
  app.use(async (context, next) => {
    reached.push(`${context.req.method} ${context.req.path}`);
    await next();
  });
  app.post('/json', async (context) => context.json(await context.req.json()));
  app.post('/form', async (context) => context.json(await context.req.parseBody()));
  app.post('/raw', async (context) =>
    context.text(digestOf(new Uint8Array(await context.req.arrayBuffer()))),
  );
  app.get('/missing', (context) => context.text('hello', 404));
  app.get('/*', (context) => context.text('hello'));
  return listening(
    createServer((incoming, outgoing) => {
      serveFetch(app, incoming, outgoing).catch(() => outgoing.destroy());
    }),
  );
};

/** A minimal version of Hono's adapter for Node. */
async function serveFetch(app: Hono, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method!,
    headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
      values!.map((value): [string, string] => [name, value]),
    ),
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}),
  });
  const response = await app.fetch(request, { incoming });
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

export const frameworks: Readonly<Record<string, Start>> = {
  'node:http': startNode,
  express: startExpress,
  fastify: startFastify,
  hono: startHono,
};

export async function startApp(framework: string, firewall: Firewall): Promise<App> {
  const reached: string[] = [];
  const server = await frameworks[framework]!(firewall, reached);
  // A client that is busy for longer than that notices too late that its connection was closed.
  server.keepAliveTimeout = 0;
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    port,
    reached,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
