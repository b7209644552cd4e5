/**
 * The `node:http` of a Worker. Its servers open no port of the machine: `listen` assigns a number, by which
 * `cloudflare:node` passes requests of the Worker to it.
 */
import http, { type RequestListener, type ServerOptions } from 'node:http';
import { findServers } from './platform-registry.ts';

/** The first of the numbers for servers that accept any port. */
const anyPortMin = 49_152;

/** For the modules of one load. */
export function createHttpModule(load: string): typeof http {
  const servers = findServers(load);

  class Server extends http.Server {
    #port: number | undefined;

    static {
      // It is a property in Node's types.
      Object.defineProperty(this.prototype, 'listening', {
        configurable: true,
        get(this: Server) {
          return this.#port !== undefined;
        },
      });
    }

    override listen(...args: unknown[]): this {
      const [first] = args;
      const asked = typeof first === 'object' && first !== null ? (first as { port?: unknown }).port : first;
      let port = Number(asked ?? 0);
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new RangeError(`a server of a Worker listens on a number, not on ${String(asked)}`);
      if (port === 0) port = [anyPortMin, ...servers.keys()].reduce((most, each) => Math.max(most, each + 1));
      servers.set(port, this);
      this.#port = port;
      const callback = args.at(-1);
      if (typeof callback === 'function') this.once('listening', callback as () => void);
      process.nextTick(() => this.emit('listening'));
      return this;
    }

    override address(): ReturnType<http.Server['address']> {
      return this.#port === undefined ? null : { port: this.#port, family: 'IPv4', address: '127.0.0.1' };
    }

    override close(callback?: (error?: Error) => void): this {
      if (this.#port !== undefined) servers.delete(this.#port);
      this.#port = undefined;
      if (callback !== undefined) this.once('close', callback);
      process.nextTick(() => this.emit('close'));
      return this;
    }
  }

  const createServer = (first?: ServerOptions | RequestListener, second?: RequestListener): Server =>
    typeof first === 'function' ? new Server(first) : new Server(first ?? {}, second);
  const own = { Server, createServer };
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(http),
      ...Object.getOwnPropertyDescriptors(own),
    },
  ) as typeof http;
}
