/**
 * Two ends of a socket inside one process. Data that one end sends waits until the other has started to receive, and
 * while it is paused. If more data waits than the limit for a slow reader, both ends are lost.
 */
import { unreadBytesMax } from './limits.ts';
import { type Data, noStatusCode, type Receiver, sizeOf, type Transport } from './transport.ts';

interface Delivery {
  readonly bytes: number;
  deliver(receiver: Receiver): void;
}

export class PipeEnd implements Transport {
  readonly protocol = '';
  readonly extensions = '';
  /** Called when the other end pauses, and when it resumes. */
  onPressure: ((isFull: boolean) => void) | undefined;
  #peer!: PipeEnd;
  #receiver: Receiver | undefined;
  #waiting: Delivery[] | undefined;
  #waitingBytes = 0;
  #isPaused = false;
  #isCut = false;

  static createPair(): [PipeEnd, PipeEnd] {
    const pair: [PipeEnd, PipeEnd] = [new PipeEnd(), new PipeEnd()];
    pair[0].#peer = pair[1];
    pair[1].#peer = pair[0];
    return pair;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#deliverWaiting();
  }

  send(data: Data): void {
    if (this.#isCut) return;
    this.#peer.#take(sizeOf(data), (receiver) => receiver.message(data));
  }

  close(code: number | undefined, reason: string): void {
    if (this.#isCut) return;
    this.#peer.#take(0, (receiver) => receiver.closed(code ?? noStatusCode, reason));
  }

  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#waiting = undefined;
    this.#peer.#lose();
  }

  fail(error: Error): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#waiting = undefined;
    this.#peer.#take(0, (receiver) => receiver.failed(error));
  }

  pause(): void {
    this.#isPaused = true;
    this.#peer.onPressure?.(true);
  }

  resume(): void {
    this.#isPaused = false;
    this.#peer.onPressure?.(false);
    this.#deliverWaiting();
  }

  /** The other end has disconnected, or has sent too much. */
  #lose(): void {
    this.#take(0, (receiver) => {
      this.#isCut = true;
      receiver.lost();
    });
  }

  #take(bytes: number, deliver: Delivery['deliver']): void {
    if (this.#isCut) return;
    if (this.#receiver !== undefined && !this.#isPaused && this.#waiting === undefined) {
      deliver(this.#receiver);
      return;
    }
    if (this.#waitingBytes > unreadBytesMax) return this.#overflow();
    this.#waitingBytes += bytes;
    (this.#waiting ??= []).push({ bytes, deliver });
  }

  #overflow(): void {
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    this.#isPaused = false;
    this.#peer.#lose();
    this.#lose();
  }

  #deliverWaiting(): void {
    let next = 0;
    while (this.#receiver !== undefined && !this.#isPaused && next < (this.#waiting?.length ?? 0)) {
      const { bytes, deliver } = this.#waiting![next++]!;
      this.#waitingBytes -= bytes;
      deliver(this.#receiver);
    }
    this.#waiting?.splice(0, next);
    if (this.#waiting?.length === 0) this.#waiting = undefined;
  }
}
