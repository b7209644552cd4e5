/**
 * The data between a caller and an object: copies of values, stubs for what cannot be copied, calls on a result that
 * has not arrived yet, and errors that identify their origin. Each party is a `Side`, which decides what must happen
 * before a message may enter or leave it.
 *
 * ```ts
 * const capability = new Capability({ owner: object, target: () => instance, reserved: new Set(['fetch', 'alarm']) });
 * const stub = createStub(capability, outside);
 * await stub.add(2, 3); // runs instance.add in a turn of the object
 * await stub.open('door').knock(); // one round trip: knock() is sent before open() has returned
 * ```
 *
 * Differences from workerd: a stub passed as an argument stays usable by the caller (as in workerd with a compatibility
 * date of February 2026), and an `AbortSignal` can be passed. `Request`, `Response`, streams and `Blob` are passed as they
 * are if both sides are in one process.
 *
 * A `Link` joins the sides of two processes; the stubs are the same:
 *
 * ```ts
 * const link = new Link({ openEntry, createEntryStub });
 * link.attach(socket);
 * const room = createStub(link.entry({ room: 'a' }), outside, { own: {} });
 * await room.enter(guest); // guest stays here, and is called there
 * ```
 */
export {
  type ErrorSettings,
  originOf,
  toBareError,
  toCallerError,
  useErrorSettings,
} from './rpc/caller-error.ts';
export { type Callable, Capability, RpcStub, type Stub, createStub } from './rpc/capability.ts';
export { copyForRpc } from './rpc/copy.ts';
export { explainMissingMembers, invokeMethod } from './rpc/invoke.ts';
export { LaterEntry } from './rpc/later-entry.ts';
export { LocalEntry } from './rpc/local-entry.ts';
export { type LinkEntry, Link, type LinkOptions } from './rpc/link/link.ts';
export type { Address, RemoteCall } from './rpc/reference.ts';
export { RpcPromise, RpcProperty, ServiceStub } from './rpc/reference-classes.ts';
export { type Side, outside } from './rpc/side.ts';
export { RpcTarget } from './rpc/target.ts';
