/**
 * Origins that protect the paths below `/admin`, each in the way of its framework. All answer `protected` there and
 * `open` elsewhere; the list has those that read paths most differently.
 */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';

export interface PathOrigin extends AsyncDisposable {
  readonly url: string;
}

/** The body of a response when a handler of a protected path has run. */
export const protectedText = 'protected';
const openText = 'open';

/** A directory of files for file servers: `admin/secret` is protected. */
export async function writeFiles(directory: string): Promise<void> {
  await mkdir(join(directory, 'admin'), { recursive: true });
  await mkdir(join(directory, 'x'), { recursive: true });
  await mkdir(join(directory, 'public'), { recursive: true });
  await writeFile(join(directory, 'admin', 'secret'), protectedText);
  await writeFile(join(directory, 'admin', 'index.html'), protectedText);
}

async function listen(server: Server): Promise<PathOrigin> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isBelowAdmin(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/');
}

type Start = (files: string) => Promise<PathOrigin>;

/** A plain Node server. `read` is how its application gets at the path. */
function startNode(read: (url: string) => string): Start {
  return () =>
    listen(
      createServer((request, response) => {
        try {
          response.end(isBelowAdmin(read(request.url!)) ? protectedText : openText);
        } catch {
          response.writeHead(400).end();
        }
      }),
    );
}

const startExpress: Start = () => {
  const app = express();
  app.all('/admin/*path', (_, response) => void response.send(protectedText));
  app.use('/admin', (_, response) => void response.send(protectedText));
  app.use((_, response) => void response.send(openText));
  return listen(createServer(app));
};

const startExpressStatic: Start = (files) => {
  const app = express();
  app.use(express.static(files));
  app.use((_, response) => void response.send(openText));
  return listen(createServer(app));
};

const startHono: Start = () => {
  const app = new Hono();
  app.all('/admin', (context) => context.text(protectedText));
  app.all('/admin/*', (context) => context.text(protectedText));
  app.all('*', (context) => context.text(openText));
  return listen(
    createServer((incoming, outgoing) => {
      void (async () => {
        const { method = 'GET', url = '/' } = incoming;
        const response = await app.fetch(new Request(new URL(url, 'http://origin.example'), { method }));
        outgoing.writeHead(response.status).end(await response.text());
      })().catch(() => outgoing.writeHead(400).end());
    }),
  );
};

/** `isLenient`: with all options that make the router read more paths as the same. */
function startFastify(isLenient: boolean): Start {
  return async () => {
    const routerOptions = {
      ignoreDuplicateSlashes: isLenient,
      ignoreTrailingSlash: isLenient,
      useSemicolonDelimiter: isLenient,
    };
    const app = fastify({ forceCloseConnections: true, routerOptions });
    app.get('/admin', () => protectedText);
    app.get('/admin/*', () => protectedText);
    app.get('/*', () => openText);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => app.close() };
  };
}

export const origins: Readonly<Record<string, Start>> = {
  'Node, by URL': startNode((url) => new URL(url, 'http://origin.example').pathname),
  'Node, decoded': startNode((url) =>
    posix.normalize(decodeURIComponent(new URL(url, 'http://origin.example').pathname)),
  ),
  'Node, decoded twice': startNode((url) =>
    posix.normalize(decodeURIComponent(decodeURIComponent(url.split('?', 1)[0]!))),
  ),
  'Node, backslashes as slashes': startNode((url) =>
    posix.normalize(decodeURIComponent(url.split('?', 1)[0]!).replaceAll('\\', '/')),
  ),
  Express: startExpress,
  'Express, static files': startExpressStatic,
  Hono: startHono,
  Fastify: startFastify(false),
  'Fastify, lenient': startFastify(true),
};
