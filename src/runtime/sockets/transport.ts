/** Carries the messages of one end to the other: a pipe inside this process, or a connection. */

/** The receiver owns the bytes: no other code changes them. */
export type Data = string | Uint8Array<ArrayBuffer>;

/** The events that an end receives from the other one, in order. */
export interface Receiver {
  message(data: Data): void;
  /** The other end has sent a close frame: no message follows. The code is 1005 if the frame had none. */
  closed(code: number, reason: string): void;
  /** The other end has disconnected without a close frame. */
  lost(): void;
  /** The other end has violated the protocol, and got the reason; no event follows. */
  failed(error: Error): void;
}

export interface Transport {
  readonly protocol: string;
  readonly extensions: string;
  /** Passes everything to the receiver from now on, beginning with what has already arrived. */
  start(receiver: Receiver): void;
  send(data: Data): void;
  /** Sends a close frame, an empty one without a code. */
  close(code: number | undefined, reason: string): void;
  /** Closes at once: the other end gets no reason. */
  cut(): void;
  /** Closes because the peer behind this end has violated the protocol. */
  fail(error: Error): void;
  /** Asks the sender to pause. Data that still arrives is kept, up to a limit. */
  pause(): void;
  resume(): void;
}

/** Reported for a close frame without a code. */
export const noStatusCode = 1005;
export const abnormalCode = 1006;
export const restartCode = 1012;

export function sizeOf(data: Data): number {
  return data.length;
}
