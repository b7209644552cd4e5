/** Writes the response of one stream. Its head waits until something follows, because it cannot be discarded after that. */
import { errorCode, type Stream } from '#http2';
import type { HeaderField } from '../../wire/exchange.ts';
import type { ResponseOptions } from '../../wire/forwarded-head.ts';
import {
  listHintFields,
  listOwnFields,
  listResponseFields,
  listSwitchingFields,
} from '../../wire/http2-response.ts';
import type { ResponseHead } from '../../wire/response-head.ts';
import type { ResponseWriter } from '../client-side/response-writer.ts';

export class Http2ResponseWriter implements ResponseWriter {
  readonly #stream: Stream;
  #head: readonly HeaderField[] | undefined;
  bodyBytes = 0;
  /** Set for a request that is malformed: then the stream ends with an error. */
  isMalformed = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  get sentBytes(): number {
    return this.#stream.sentBytes;
  }

  writeHead(head: ResponseHead, options: ResponseOptions): void {
    this.#head = listResponseFields(head, options);
  }

  writeOwnHead(status: number, headers: readonly HeaderField[], options: ResponseOptions): void {
    this.#head = listOwnFields(status, headers, options);
  }

  writeSwitchingHead(head: ResponseHead, options: ResponseOptions, early: Buffer): void {
    this.#head = listSwitchingFields(head, options);
    this.writeBody(early);
  }

  writeContinue(): void {
    this.#stream.sendHead([[':status', '100']]);
  }

  writeHints(head: ResponseHead): void {
    this.#stream.sendHead(listHintFields(head));
  }

  writeBody(bytes: Buffer): void {
    this.#sendHead();
    this.bodyBytes += bytes.length;
    this.#stream.sendData(bytes);
  }

  finish(): void {
    this.#sendHead();
    this.#stream.end(this.isMalformed ? { code: errorCode.protocol } : {});
  }

  flushPart(): boolean {
    this.#sendHead();
    return this.#stream.keepsUp();
  }

  discard(): void {
    this.#head = undefined;
  }

  #sendHead(): void {
    if (this.#head === undefined) return;
    this.#stream.sendHead(this.#head);
    this.#head = undefined;
  }
}
