/**
 * A stub's reference to a target in another process: a number that the other process assigned, or, for an entry point,
 * one that this process chose. Calls on it follow the same rules as in one process: arguments are copied when the call
 * is made, the holder's side decides when it leaves, and its result can be called before it has arrived.
 */
import { type Callable, exportTarget } from '../capability.ts';
import { copyForRpc } from '../copy.ts';
import { invokeMethod } from '../invoke.ts';
import { toCallerError } from '../caller-error.ts';
import { PassedValue } from '../passed-value.ts';
import { encodeMessage } from './encode-message.ts';
import type { Address, RemoteCall } from '../reference.ts';
import { type Side, outside } from '../side.ts';

/** The table of the other process that contains a target. */
export const space = { exported: 0, entry: 1, call: 2 } as const;

export interface RemoteTarget {
  readonly space: number;
  readonly number: number;
}

export interface LinkMessage {
  readonly target: RemoteTarget;
  readonly operation: number;
  readonly path: readonly string[];
  /** Already copied. */
  readonly args: readonly unknown[] | undefined;
  /** The bytes of the arguments, if they are plain. */
  readonly bytes?: Uint8Array | undefined;
  readonly holder: Side;
  readonly onResult?: (value: unknown) => void;
}

/** The link's interface for code that calls through it. */
export interface CallSender {
  /** Sends a call. Throws if it cannot be sent as it is. */
  send(message: LinkMessage): { readonly number: number; readonly result: Promise<unknown> };
  /** This process no longer holds it. */
  release(capability: RemoteCapability): void;
}

export const operation = { read: 0, call: 1, fetch: 2 } as const;

export class RemoteCapability implements Callable {
  readonly address: Address | undefined;
  readonly target: RemoteTarget;
  readonly link: CallSender;
  #holders = 0;

  constructor(link: CallSender, target: RemoteTarget, address?: Address) {
    this.link = link;
    this.target = target;
    this.address = address;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.link.release(this);
  }

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return new LinkCall(this.link, holder, () => this.target, path, args);
  }

  /** For an entry point. */
  fetch(holder: Side, request: Request): Promise<Response> {
    const { target } = this;
    return holder.reach(async () => {
      const { result } = this.link.send({
        target,
        operation: operation.fetch,
        path: [],
        args: [request],
        holder,
      });
      return (await result) as Response;
    });
  }
}

/** A call that was sent, or will be when its holder's side permits. */
class LinkCall implements RemoteCall {
  readonly result: Promise<unknown>;
  readonly #link: CallSender;
  readonly #holder: Side;
  #number: number | undefined;
  /** Why it could not be sent. */
  #refusal: unknown;
  #answer: { readonly value: unknown } | undefined;

  constructor(
    link: CallSender,
    holder: Side,
    target: () => RemoteTarget,
    path: readonly string[],
    args: readonly unknown[] | undefined,
  ) {
    this.#link = link;
    this.#holder = holder;
    this.result = this.#send(target, path, args);
  }

  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    // If this call fails, the calls that depend on it report the error.
    this.result.catch(() => {});
    if (this.#answer !== undefined) return new LocalCall(this.#answer.value, path, args);
    return new LinkCall(this.#link, this.#holder, () => this.#asTarget(), path, args);
  }

  #asTarget(): RemoteTarget {
    if (this.#number === undefined) throw this.#refusal;
    return { space: space.call, number: this.#number };
  }

  #send(
    target: () => RemoteTarget,
    path: readonly string[],
    args: readonly unknown[] | undefined,
  ): Promise<unknown> {
    try {
      const bytes = args === undefined ? undefined : encodeMessage(args);
      const message =
        args === undefined || bytes !== undefined
          ? undefined
          : new PassedValue(args, { from: this.#holder, to: outside, exportTarget });
      return this.#holder.reach(async () => {
        try {
          const { number, result } = this.#link.send({
            target: target(),
            operation: args === undefined ? operation.read : operation.call,
            path,
            args: message?.value ?? args,
            bytes,
            holder: this.#holder,
            onResult: (value) => (this.#answer = { value }),
          });
          this.#number = number;
          return await result;
        } catch (error) {
          this.#refusal = error;
          throw error;
        } finally {
          message?.dispose();
        }
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** A call on a result that has already arrived: its stubs know where to send it. */
class LocalCall implements RemoteCall {
  readonly result: Promise<unknown>;

  constructor(value: unknown, path: readonly string[], args: readonly unknown[] | undefined) {
    this.result = invokeMethod(value, path, args).then(copyAgain, (error: unknown) => {
      throw toCallerError(error);
    });
  }

  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    this.result.catch(() => {});
    return new LaterCall(this.result, path, args);
  }
}

class LaterCall implements RemoteCall {
  readonly result: Promise<unknown>;

  constructor(before: Promise<unknown>, path: readonly string[], args: readonly unknown[] | undefined) {
    this.result = before.then((value) => new LocalCall(value, path, args).result);
  }

  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    this.result.catch(() => {});
    return new LaterCall(this.result, path, args);
  }
}

function copyAgain(value: unknown): unknown {
  return copyForRpc(value, { to: outside, exportTarget: (target) => exportTarget(target, outside, outside) });
}
