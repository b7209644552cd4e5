/**
 * Applies the rules to every connection of this process, in two places. `Socket.connect` is shared by `fetch`,
 * WebSockets, `cloudflare:sockets` and Node's modules: there a refusal has a reason, and forbidden addresses of a name
 * are omitted. Below it, the handles that make the system calls get the final address, however the connection was
 * requested: nothing forbidden passes there. DNS resolvers only query servers that are allowed, or those of the system.
 */
import { getServers } from 'node:dns';
import net, { isIP, type LookupFunction, Socket } from 'node:net';
import { constants } from 'node:os';
import { findEdgeSocket } from '#base';
import { startOwn } from '#work';
import { lookUpGuarded, type LookUp } from '#outbound';
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

/** Node's normalized arguments of `connect`: options and a callback. Node accepts such an array instead of them. */
type NormaliseArguments = (args: readonly unknown[]) => [ConnectOptions, ((...args: never[]) => void) | null];

const normaliseArguments = Reflect.get(net, '_normalizeArgs') as NormaliseArguments;

/** A name that no host has (RFC 2606). */
const refusedName = 'refused.invalid';

/** `rules` is called for each connection. */
export function limitConnections(rules: () => OutboundRules, handles: Handles): void {
  limitSockets(rules);
  limitHandles(rules, handles);
  limitResolvers(rules, handles);
}

function limitSockets(rules: () => OutboundRules): void {
  const connect = Reflect.get(Socket.prototype, 'connect') as Connect;
  const limited: Connect = function limited(...args) {
    const [given, callback] = readArguments(args);
    // Read once, so that the checked values are those that are used, even if a property has a getter.
    const copied = { ...given };
    // Node's own check: its HTTP agents pass `path: null`.
    const isFileSystem = Boolean(copied.path);
    const edge = copied.host === zoneOriginHost ? findEdge(rules()) : undefined;
    if (edge !== undefined)
      return startOwn(() => Reflect.apply(connect, this, [normaliseArguments([{ path: edge }, callback])]));
    const refusal = isFileSystem
      ? rules().refuseSocket(`${copied.path as string}`)
      : refusePlace(rules(), copied);
    // Through a failing lookup, so that the socket has the states of any failed connection.
    const refused = {
      host: refusedName,
      port: 1,
      lookup: (...[, , found]: Parameters<LookupFunction>) => found(refusal!, []),
    };
    if (refusal !== undefined) return Reflect.apply(connect, this, [normaliseArguments([refused, callback])]);
    const passed = isFileSystem ? copied : { ...copied, ...guard(rules, copied) };
    return Reflect.apply(connect, this, [normaliseArguments([passed, callback])]);
  };
  seal(Socket.prototype, 'connect', limited);
}

/** A socket through which an origin is reached. */
function findEdge({ edgeSockets }: OutboundRules): string | undefined {
  return edgeSockets === undefined ? undefined : findEdgeSocket(edgeSockets);
}

function readArguments(args: readonly unknown[]): ReturnType<NormaliseArguments> {
  const [first] = args;
  // In the form in which `net.connect` passes its arguments.
  return Array.isArray(first)
    ? (first as unknown as ReturnType<NormaliseArguments>)
    : normaliseArguments(args);
}

/** The address that Node connects to: without a host, this machine. */
function readPlace({ host, port }: ConnectOptions): { host: string; port: number } {
  return { host: `${(host || 'localhost') as string}`, port: Number(port) };
}

/** Resolves with the caller's function, or Node's, and omits forbidden addresses. */
function guard(rules: () => OutboundRules, options: ConnectOptions): object {
  const { host, port } = readPlace(options);
  const resolve = typeof options.lookup === 'function' ? (options.lookup as LookUp) : undefined;
  return {
    host,
    lookup: lookUpGuarded((found, name) => rules().chooseAddresses(found, name, port), resolve),
  };
}

function refusePlace(rules: OutboundRules, options: ConnectOptions): Error | undefined {
  const { host, port } = readPlace(options);
  return isIP(host) === 0 ? rules.refuseHost(host, port) : rules.refuseAddress(host, port);
}

/** A number instead of an error: the reason is reported above. */
const refused = -constants.errno.EACCES;

function limitHandles(rules: () => OutboundRules, { tcp, pipe }: Handles): void {
  for (const name of ['connect', 'connect6']) {
    guardMethod(
      tcp,
      name,
      (_request, address, port) => rules().refuseAddress(`${address}`, Number(port)) === undefined,
    );
  }
  guardMethod(pipe, 'connect', (_request, path) => rules().refuseSocket(`${path}`) === undefined);
}

function guardMethod(
  prototype: HandleMethods,
  name: string,
  isAllowed: (...args: readonly string[]) => boolean,
): void {
  const method = prototype[name]!;
  seal(prototype, name, function guarded(this: object, ...args: string[]) {
    // As text and number, which cannot change before the call.
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
