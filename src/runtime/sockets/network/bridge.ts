/** Joins two transports: what one receives, the other sends. */
import { PipeEnd } from '../pipe.ts';
import { noStatusCode, type Receiver, type Transport } from '../transport.ts';

export function bridge(first: Transport, second: Transport): void {
  if (first instanceof PipeEnd) first.onPressure = (isFull) => (isFull ? second.pause() : second.resume());
  if (second instanceof PipeEnd) second.onPressure = (isFull) => (isFull ? first.pause() : first.resume());
  first.start(new Forwarder(second));
  second.start(new Forwarder(first));
}

class Forwarder implements Receiver {
  readonly #to: Transport;

  constructor(to: Transport) {
    this.#to = to;
  }

  message(data: Parameters<Receiver['message']>[0]): void {
    this.#to.send(data);
  }

  closed(code: number, reason: string): void {
    this.#to.close(code === noStatusCode ? undefined : code, reason);
  }

  lost(): void {
    this.#to.cut();
  }

  failed(error: Error): void {
    this.#to.fail(error);
  }
}
