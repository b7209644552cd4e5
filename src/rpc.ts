/**
 * What passes between a caller and an object: copies of values, stubs for what cannot be copied, calls that can be made
 * on an answer before it has come, and errors that say whose they are. Where the parties live, and what has to happen
 * before a message may enter or leave them, is theirs to say: each is a `Side`.
 *
 * ```ts
 * const capability = new Capability({ owner: object, target: () => instance, reserved: new Set(['fetch', 'alarm']) });
 * const stub = createStub(capability, outside);
 * await stub.add(2, 3); // runs instance.add in a turn of the object
 * await stub.open('door').knock(); // one round trip: knock() is on its way before open() has answered
 * ```
 *
 * Differences from the original: a stub given as an argument stays usable by the giver (as in the original under a
 * compatibility date of February 2026), and an `AbortSignal` passes. `Request`, `Response`, streams and `Blob` are
 * handed over as they are, because both sides live in one process.
 */
export { toCallerError } from './rpc/caller-error.ts';
export { Capability, RpcStub, type Stub, createStub } from './rpc/capability.ts';
export { copyForRpc } from './rpc/copy.ts';
export { invokeMethod } from './rpc/invoke.ts';
export { type Side, outside } from './rpc/side.ts';
export { RpcTarget } from './rpc/target.ts';
