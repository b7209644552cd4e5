/** How calls from another process reach a capability: data that was sent as bytes is a copy already. */
import type { Transport } from '../capability.ts';
import { encodeMessage } from './encode-message.ts';

/** A result that was encoded when its method returned it. */
export class PackedResult {
  readonly bytes: Uint8Array;
  /** Only an object has members that can be called, and a disposer. */
  readonly isObject: boolean;

  constructor(bytes: Uint8Array, isObject: boolean) {
    this.bytes = bytes;
    this.isObject = isObject;
  }
}

/** A result with a disposer is kept, so that it can be called. */
function packResult(value: unknown): PackedResult | undefined {
  if ((value as Partial<Disposable>)[Symbol.dispose] !== undefined) return undefined;
  const bytes = encodeMessage(value);
  return bytes === undefined ? undefined : new PackedResult(bytes, typeof value === 'object');
}

/** For arguments that are plain data. */
export const plainTransport: Transport = { ownsArguments: true, packResult };

/** For arguments with stubs, which must be passed to the side of the object. */
export const copyingTransport: Transport = { ownsArguments: false, packResult };
