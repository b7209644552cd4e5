/** One listener over the Worker of this folder. Prints its port. `node bench/serve/listener.ts ours|hono <directory>` */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serveHttp, useLightFetch, Worker } from '../../src/platform/workers.ts';

interface HonoServer {
  getRequestListener(fetch: (request: Request) => Response | Promise<Response>): RequestListener;
}

/** A package of the benchmark, which the type check of the product must not need. */
const honoPackage: string = '@hono/node-server';

const [, , which, directory] = process.argv;

const start = (): Promise<Worker> =>
  Worker.start({
    path: join(import.meta.dirname, 'worker.js'),
    directory: directory!,
    log: { info() {}, warn() {}, error: (error) => console.error(error) },
  });

function listenWith(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 75_000 }, listener);
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}

if (which === 'ours') {
  useLightFetch();
  const worker = await start();
  const { url } = await serveHttp({ fetch: (request) => worker.fetch(request), port: 0 });
  console.log(new URL(url).port);
} else {
  const { getRequestListener } = (await import(honoPackage)) as HonoServer;
  // It replaces the global classes, which the Worker must find in their place.
  const listener = getRequestListener((request) => worker.fetch(request));
  const worker = await start();
  listenWith(listener);
}
