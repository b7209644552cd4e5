/**
 * The handles of Node's modules, whose methods make the system calls. `process.binding` would return them, but the
 * permission model refuses it, so their prototypes are taken from unused instances.
 */
import { ChildProcess } from 'node:child_process';
import { Resolver } from 'node:dns';
import { Socket } from 'node:net';

type NativeMethod = (this: object, ...args: never[]) => unknown;
export type HandleMethods = Record<string, NativeMethod>;

export interface Handles {
  readonly tcp: HandleMethods;
  readonly pipe: HandleMethods;
  readonly process: HandleMethods;
  readonly resolver: HandleMethods;
  /** Undefined where the permission model refuses its use. */
  readonly spawnSync: HandleMethods | undefined;
}

export function findHandles(): Handles {
  const binding = Reflect.get(process, 'binding') as (name: string) => HandleMethods;
  return {
    tcp: takeFromSocket((socket) => socket.connect({ host: '127.0.0.1', port: 1 })),
    pipe: takeFromSocket((socket) => socket.connect({ path: '/dev/null/none' })),
    process: prototypeOf(new (ChildProcess as new () => object)()),
    resolver: prototypeOf(new Resolver()),
    spawnSync: process.permission === undefined ? binding('spawn_sync') : undefined,
  };
}

/** Takes it from a socket that is aborted before it connects. */
function takeFromSocket(connect: (socket: Socket) => void): HandleMethods {
  const socket = new Socket().on('error', () => {});
  connect(socket);
  const methods = prototypeOf(socket);
  socket.destroy();
  return methods;
}

function prototypeOf(owner: object): HandleMethods {
  const { _handle: handle } = owner as { readonly _handle: object };
  return Object.getPrototypeOf(handle) as HandleMethods;
}
