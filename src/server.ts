/**
 * The program around the rooms: listeners, configuration, health, measurements, the log, certificates.
 *
 * ```ts
 * const config = readConfig({ flags: { port: '0' }, environment: process.env, directory: process.cwd() });
 * await using program = await Program.start({ config, log, version: '1.0.0' });
 * console.log(program.ready.api); // http://127.0.0.1:40123/client/v4
 * ```
 *
 * And serving a fetch handler: `node:http` on the outside, `Request` and `Response` on the inside.
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
export { type Config, ConfigurationError, readConfig } from './server/config/read-config.ts';
export { settingFlags, showConfig } from './server/config/show-config.ts';
export { type Client, clients, clientSetup, type Reachable } from './server/client-setup.ts';
export { EdgeProgram } from './server/edge/edge-program.ts';
export { Program } from './server/program.ts';
export { renewOwner } from './server/renew-owner.ts';
export { readReady, type Ready } from './server/ready-file.ts';
