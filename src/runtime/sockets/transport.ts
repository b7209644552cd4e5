/** What carries the messages of one end to the other: a pipe inside this process, or a connection. */

/** Bytes are the receiver's own: no other code changes them. */
export type Data = string | Uint8Array<ArrayBuffer>;

/** What an end hears from the other one, in order. */
export interface Receiver {
  message(data: Data): void;
  /** The other end has sent a close frame: no message follows. The code is 1005 if the frame had none. */
  closed(code: number, reason: string): void;
  /** The other end is gone without a close frame. */
  lost(): void;
  /** The other end has broken the protocol. It has been told; nothing follows. */
  failed(error: Error): void;
}

export interface Transport {
  readonly protocol: string;
  readonly extensions: string;
  /** From now on everything goes to the receiver; first what has arrived before. */
  start(receiver: Receiver): void;
  send(data: Data): void;
  /** Sends a close frame, an empty one without a code. */
  close(code: number | undefined, reason: string): void;
  /** Ends at once: the other end is not told why. */
  cut(): void;
  /** Ends because the peer behind this end has broken the protocol. */
  fail(error: Error): void;
  /** Asks the sender to wait. What comes all the same is kept, up to a bound. */
  pause(): void;
  resume(): void;
}

/** What is sent for a close frame without a code. */
export const noStatusCode = 1005;
export const abnormalCode = 1006;
export const restartCode = 1012;

export function sizeOf(data: Data): number {
  return data.length;
}
