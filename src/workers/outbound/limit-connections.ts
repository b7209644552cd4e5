/**
 * Which addresses the code of a Worker may connect to: those that an origin may have. It holds for every TCP connection of
 * the process, whoever opens it (`fetch`, `WebSocket`, `connect`, modules of Node), and for each redirect, because all of
 * them end in `Socket.connect`. Names are checked by the addresses that are then connected to.
 *
 * It keeps a request from being led to a service that only this machine can reach. It is no sandbox: code that wants to
 * get out can start processes.
 */
import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns';
import net, { isIP, Socket } from 'node:net';
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
  readonly host?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  readonly lookup?: unknown;
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** What Node makes of the arguments of `connect`: options and a callback. Node takes such an array in their place. */
type NormaliseArguments = (args: readonly unknown[]) => [ConnectOptions, ((...args: never[]) => void) | null];

const normaliseArguments = Reflect.get(net, '_normalizeArgs') as NormaliseArguments;

let rules: OriginRules | undefined;

/** Called once for a process, before the code of the Worker is loaded; a second call replaces the rules. */
export function limitConnections(options: OriginRulesOptions): void {
  const isInstalled = rules !== undefined;
  rules = new OriginRules(options);
  if (isInstalled) return;
  const connect = Reflect.get(Socket.prototype, 'connect') as Connect;
  const limited: Connect = function limited(...args) {
    const [given, callback] = readArguments(args);
    // Read once: what is checked is what is connected to, also where a property has a getter.
    const copied = { ...given };
    // As Node decides it: its agents for HTTP pass `path: null`.
    const isFileSystem = Boolean(copied.path);
    const obstacle = isFileSystem ? undefined : findObstacle(copied);
    if (obstacle !== undefined) {
      // As a connection that fails does: later, by an event.
      process.nextTick(() => this.destroy(obstacle));
      return this;
    }
    const passed = isFileSystem
      ? copied
      : { ...copied, host: readPlace(copied).host, lookup: lookUpAllowed(copied) };
    return Reflect.apply(connect, this, [normaliseArguments([passed, callback])]);
  };
  Object.defineProperty(Socket.prototype, 'connect', { value: limited, writable: true, configurable: true });
}

function readArguments(args: readonly unknown[]): ReturnType<NormaliseArguments> {
  const [first] = args;
  // As `net.connect` passes on what it was given.
  return Array.isArray(first)
    ? (first as unknown as ReturnType<NormaliseArguments>)
    : normaliseArguments(args);
}

/** The place that Node connects to: without a host, this machine. */
function readPlace({ host, port }: ConnectOptions): { host: string; port: number } {
  return { host: `${(host || 'localhost') as string}`, port: Number(port) };
}

function findObstacle(options: ConnectOptions): ConnectionForbiddenError | undefined {
  const { host, port } = readPlace(options);
  const obstacle = isIP(host) === 0 ? rules!.findObstacle(host, port) : findAddressObstacle(host, port);
  return obstacle === undefined ? undefined : new ConnectionForbiddenError(host, port, obstacle);
}

/** The zone of an address (`fe80::1%eth0`) says only through which interface it is reached. */
function findAddressObstacle(address: string, port: number): OriginObstacle | undefined {
  return rules!.findAddressObstacle(address.replace(/%.*$/, ''), port);
}

type Found = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

type LookUp = (
  host: string,
  options: LookupAllOptions,
  found: (error: Error | null, all: LookupAddress[] | string, family?: number) => void,
) => void;

/** Resolves as the caller wants it, or as Node does, and leaves out what may not be connected to. */
function lookUpAllowed(options: ConnectOptions) {
  const { port } = readPlace(options);
  const resolve = (typeof options.lookup === 'function' ? options.lookup : lookUp) as LookUp;
  return (host: string, asked: LookupAllOptions & { readonly all?: boolean }, found: Found): void => {
    resolve(host, { ...asked, all: true }, (error, answer, family) => {
      if (error !== null && error !== undefined) return found(error, []);
      // Those who do not know `all` answer with one.
      const all = typeof answer === 'string' ? [{ address: answer, family: family ?? isIP(answer) }] : answer;
      const allowed = all
        .map(({ address }) => ({ address: String(address), family: isIP(String(address)) }))
        .filter(({ address }) => findAddressObstacle(address, port) === undefined);
      const [first] = allowed;
      if (first === undefined) {
        const obstacle = findAddressObstacle(String(all[0]?.address), port) ?? 'unassigned';
        return found(new ConnectionForbiddenError(host, port, obstacle), []);
      }
      return asked.all ? found(null, allowed) : found(null, first.address, first.family);
    });
  };
}
