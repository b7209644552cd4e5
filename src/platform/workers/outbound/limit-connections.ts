/**
 * Holds every connection of this process to the rules, in two places. `Socket.connect` is what `fetch`, WebSockets,
 * `cloudflare:sockets` and Node's modules share: there a refusal says why, and the addresses of a name that may not be
 * connected to are left out. Below it, the handles that make the system calls are given the final address, however the
 * connection was asked for: there nothing forbidden passes. Resolvers of names ask only servers that may be connected to,
 * or those of the system.
 */
import { getServers, lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns';
import net, { isIP, Socket } from 'node:net';
import { constants } from 'node:os';
import { findEdgeSocket, startOwn } from '#base';
import type { HandleMethods, Handles } from './handles.ts';
import type { OutboundRules } from './outbound-rules.ts';
import { seal } from './seal.ts';
import { zoneOriginHost } from './zone-origin.ts';

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

/** Of no host (RFC 2606). */
const refusedName = 'refused.invalid';

/** `rules` are asked at each connection. */
export function limitConnections(rules: () => OutboundRules, handles: Handles): void {
  limitSockets(rules);
  limitHandles(rules, handles);
  limitResolvers(rules, handles);
}

function limitSockets(rules: () => OutboundRules): void {
  const connect = Reflect.get(Socket.prototype, 'connect') as Connect;
  const limited: Connect = function limited(...args) {
    const [given, callback] = readArguments(args);
    // Read once: what is checked is what is connected to, also where a property has a getter.
    const copied = { ...given };
    // As Node decides it: its agents for HTTP pass `path: null`.
    const isFileSystem = Boolean(copied.path);
    const edge = copied.host === zoneOriginHost ? findEdge(rules()) : undefined;
    if (edge !== undefined)
      return startOwn(() => Reflect.apply(connect, this, [normaliseArguments([{ path: edge }, callback])]));
    const refusal = isFileSystem
      ? rules().refuseSocket(`${copied.path as string}`)
      : refusePlace(rules(), copied);
    // By way of a lookup that fails, so that the socket is in the states of any connection that fails.
    const refused = {
      host: refusedName,
      port: 1,
      lookup: (_host: string, _asked: object, found: Found) => found(refusal!, []),
    };
    if (refusal !== undefined) return Reflect.apply(connect, this, [normaliseArguments([refused, callback])]);
    const passed = isFileSystem
      ? copied
      : { ...copied, host: readPlace(copied).host, lookup: lookUpAllowed(rules, copied) };
    return Reflect.apply(connect, this, [normaliseArguments([passed, callback])]);
  };
  seal(Socket.prototype, 'connect', limited);
}

/** A socket by which an origin is reached. */
function findEdge({ edgeSockets }: OutboundRules): string | undefined {
  return edgeSockets === undefined ? undefined : findEdgeSocket(edgeSockets);
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

function refusePlace(rules: OutboundRules, options: ConnectOptions): Error | undefined {
  const { host, port } = readPlace(options);
  return isIP(host) === 0 ? rules.refuseHost(host, port) : rules.refuseAddress(host, port);
}

type Found = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

type LookUp = (
  host: string,
  options: LookupAllOptions,
  found: (error: Error | null, all: LookupAddress[] | string, family?: number) => void,
) => void;

/** Resolves as the caller wants it, or as Node does, and leaves out what may not be connected to. */
function lookUpAllowed(rules: () => OutboundRules, options: ConnectOptions) {
  const { port } = readPlace(options);
  const resolve = (typeof options.lookup === 'function' ? options.lookup : lookUp) as LookUp;
  return (host: string, asked: LookupAllOptions & { readonly all?: boolean }, found: Found): void => {
    resolve(host, { ...asked, all: true }, (error, answer, family) => {
      if (error !== null && error !== undefined) return found(error, []);
      // Those who do not know `all` answer with one.
      const all = typeof answer === 'string' ? [{ address: answer, family: family ?? isIP(answer) }] : answer;
      const addresses = all.map(({ address }) => `${address}`);
      const refuse = (address: string): Error | undefined => rules().refuseAddress(address, port, host);
      const allowed = addresses
        .filter((address) => refuse(address) === undefined)
        .map((address) => ({ address, family: isIP(address) }));
      const [first] = allowed;
      if (first === undefined) return found(refuse(addresses[0] ?? '')!, []);
      return asked.all ? found(null, allowed) : found(null, first.address, first.family);
    });
  };
}

/** A number instead of an error: what is wrong is said above. */
const refused = -constants.errno.EACCES;

function limitHandles(rules: () => OutboundRules, { tcp, pipe }: Handles): void {
  for (const name of ['connect', 'connect6']) {
    guard(
      tcp,
      name,
      (_request, address, port) => rules().refuseAddress(`${address}`, Number(port)) === undefined,
    );
  }
  guard(pipe, 'connect', (_request, path) => rules().refuseSocket(`${path}`) === undefined);
}

function guard(
  prototype: HandleMethods,
  name: string,
  isAllowed: (...args: readonly string[]) => boolean,
): void {
  const method = prototype[name]!;
  seal(prototype, name, function guarded(this: object, ...args: string[]) {
    // As text and number, which cannot change between here and the call.
    const [request, place, ...rest] = args;
    const fixed = [request!, `${place}`, ...rest];
    return isAllowed(...fixed) ? Reflect.apply(method, this, fixed) : refused;
  });
}

type Server = readonly [family: number, address: string, port: number];

function limitResolvers(rules: () => OutboundRules, { resolver: prototype }: Handles): void {
  const setServers = prototype['setServers']!;
  const ofSystem = new Set(getServers());
  seal(prototype, 'setServers', function limited(this: object, servers: readonly Server[]) {
    const fixed = servers.map(([family, address, port]) => [family, `${address}`, Number(port)] as const);
    for (const [, address, port] of fixed) {
      const refusal = ofSystem.has(address) ? undefined : rules().refuseAddress(address, port);
      if (refusal !== undefined) throw refusal;
    }
    return Reflect.apply(setServers, this, [fixed]);
  });
}
