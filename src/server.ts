/**
 * Serving a fetch handler over HTTP: `node:http` on the outside, `Request` and `Response` on the inside.
 *
 * ```ts
 * useLightFetch();
 * const server = await serveHttp({ fetch: () => new Response('hello'), port: 8787 });
 * console.log(server.url); // http://127.0.0.1:8787
 * await server.close({ graceMs: 5_000 });
 * ```
 *
 * `useLightFetch` is worth calling once at the start of a program that serves: it replaces the global `Request`,
 * `Response` and `fetch` by ones that behave the same and build the costly parts (streams, headers) only
 * when somebody looks at them. `serveHttp` works without it, at about half the speed.
 */
export { useLightFetch } from './server/light-fetch.ts';
export {
  type FetchHandler,
  type HttpServer,
  type HttpServerOptions,
  serveHttp,
} from './server/http-server.ts';
