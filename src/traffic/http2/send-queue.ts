/** The streams of a connection that have data to send. They take turns, as far as the connection's window allows. */
import { createReset } from './frames/control-queue.ts';
import { type ErrorCode, initialWindowBytes } from './frames/frame-types.ts';
import { HeaderEncoder } from './hpack/header-encoder.ts';
import type { Output } from './frames/output.ts';
import type { Stream } from './stream.ts';

interface SendQueueEvents {
  /** The first stream was queued. */
  onReady(): void;
  /** This many bytes of bodies were sent. */
  onSent(bytes: number): void;
  /** The stream has sent its end, and a reset if there is a code. */
  onEnded(stream: Stream, code: ErrorCode | undefined): void;
}

export class SendQueue {
  readonly encoder = new HeaderEncoder();
  readonly #events: SendQueueEvents;
  #ready: Stream[] = [];
  /** Waiting for the window of the connection. */
  #starved: Stream[] = [];
  #window = initialWindowBytes;

  constructor(events: SendQueueEvents) {
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.#ready.length === 0;
  }

  schedule(stream: Stream): void {
    if (stream.isScheduled || stream.isClosed) return;
    stream.isScheduled = true;
    this.#ready.push(stream);
    this.#events.onReady();
  }

  /** Writes until the output has this many bytes or nothing is left that may be sent. */
  writeTo(output: Output, bytesMax: number): void {
    while (this.#ready.length > 0 && output.bytes < bytesMax) {
      const turn = this.#ready;
      this.#ready = [];
      for (const stream of turn) this.#write(stream, output);
    }
  }

  #write(stream: Stream, output: Output): void {
    stream.isScheduled = false;
    if (stream.isClosed) return;
    const windowBefore = stream.sendWindow;
    const progress = stream.produce(output, this.encoder, this.#window);
    const sent = windowBefore - stream.sendWindow;
    this.#window -= sent;
    this.#events.onSent(sent);
    if (progress === 'more') this.schedule(stream);
    else if (progress === 'connection window') {
      stream.isScheduled = true;
      this.#starved.push(stream);
    } else if (progress === 'ended') {
      const code = stream.codeAfterEnd;
      stream.markEnded();
      if (code !== undefined) output.write(createReset(stream.id, code));
      return this.#events.onEnded(stream, code);
    }
    if (stream.takeDrain()) stream.listener?.onDrain();
  }

  /** Returns the window of the connection. */
  growWindow(bytes: number): number {
    this.#window += bytes;
    const starved = this.#starved;
    this.#starved = [];
    for (const stream of starved) {
      stream.isScheduled = false;
      this.schedule(stream);
    }
    return this.#window;
  }

  clear(): void {
    this.#ready = [];
    this.#starved = [];
  }
}
