/**
 * Which addresses the code of a Worker may connect to: those that an origin may have. It holds for every TCP connection of
 * the process, whoever opens it (`fetch`, `WebSocket`, `connect`, modules of Node), and for each redirect, because all of
 * them end in `Socket.connect`. Names are checked by the addresses that are then connected to.
 *
 * It keeps a request from being led to a service that only this machine can reach. It is no sandbox: code that wants to
 * get out can start processes.
 */
import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { type OriginObstacle, OriginRules, type OriginRulesOptions } from '#base';

/** What `fetch` reports as the cause of its failure. */
class ConnectionForbiddenError extends Error {
  override readonly name = 'ConnectionForbiddenError';
  readonly code = 'CONNECTION_FORBIDDEN';

  constructor(host: string, port: number, obstacle: OriginObstacle) {
    super(`cannot connect to ${host} port ${port}: ${reasons[obstacle]}`);
  }
}

const reasons: Readonly<Record<OriginObstacle, string>> = {
  private: 'it is a private address, and allow_private_origins is off',
  metadata: 'it belongs to the metadata service of a cloud',
  unassigned: 'no host has this address',
  'own listener': 'it is a listener of this program',
};

interface ConnectOptions {
  readonly host?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly lookup?: unknown;
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

let rules: OriginRules | undefined;

/** Called once for a process, before the code of the Worker is loaded; a second call replaces the rules. */
export function limitConnections(options: OriginRulesOptions): void {
  const isInstalled = rules !== undefined;
  rules = new OriginRules(options);
  if (isInstalled) return;
  const connect = Reflect.get(Socket.prototype, 'connect') as Connect;
  const limited: Connect = function limited(...args) {
    const given = readOptions(args);
    if (given === undefined) return Reflect.apply(connect, this, args);
    const obstacle = findObstacle(given);
    if (obstacle !== undefined) {
      // As a connection that fails does: later, by an event.
      process.nextTick(() => this.destroy(obstacle));
      return this;
    }
    return Reflect.apply(connect, this, replaceOptions(args, { ...given, lookup: lookUpAllowed(given) }));
  };
  Object.defineProperty(Socket.prototype, 'connect', { value: limited, writable: true, configurable: true });
}

/** Undefined for sockets of the file system. */
function readOptions(args: readonly unknown[]): ConnectOptions | undefined {
  const [first, second] = args;
  // As `net.connect` passes on what it was given.
  if (Array.isArray(first)) return readOptions(first);
  if (typeof first === 'object' && first !== null) {
    const options = first as ConnectOptions;
    return options.path === undefined ? options : undefined;
  }
  const isPort = typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first));
  return isPort ? { port: first, ...(typeof second === 'string' ? { host: second } : {}) } : undefined;
}

function replaceOptions(args: readonly unknown[], options: ConnectOptions): unknown[] {
  const [first] = args;
  if (Array.isArray(first)) {
    // The array is marked as one that Node has made itself, and stays.
    first[0] = options;
    return [...args];
  }
  return [options, ...args.filter((each) => typeof each === 'function')];
}

function readPlace({ host = 'localhost', port }: ConnectOptions): { host: string; port: number } {
  return { host, port: Number(port) };
}

function findObstacle(options: ConnectOptions): ConnectionForbiddenError | undefined {
  const { host, port } = readPlace(options);
  const obstacle = rules!.findObstacle(host, port);
  return obstacle === undefined ? undefined : new ConnectionForbiddenError(host, port, obstacle);
}

type Found = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/** Resolves as Node does, and leaves out what may not be connected to. */
function lookUpAllowed(options: ConnectOptions) {
  const { port } = readPlace(options);
  return (host: string, asked: LookupAllOptions & { readonly all?: boolean }, found: Found): void => {
    lookUp(host, { ...asked, all: true }, (error, all) => {
      if (error !== null) return found(error, []);
      const allowed = all.filter(({ address }) => rules!.findAddressObstacle(address, port) === undefined);
      const [first] = allowed;
      if (first === undefined) {
        const obstacle = rules!.findAddressObstacle(all[0]!.address, port) ?? 'unassigned';
        return found(new ConnectionForbiddenError(host, port, obstacle), []);
      }
      return asked.all ? found(null, allowed) : found(null, first.address, isIP(first.address));
    });
  };
}
