import { refuseToStore } from '#values';

/** The base of classes whose instances are passed by reference: the other side gets a stub. */
export class RpcTarget {}

refuseToStore(RpcTarget.prototype, 'Remote RPC references can only be serialized for RPC.');
