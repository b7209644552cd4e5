/**
 * Writes the response of one stream. Its head waits until something follows, because it cannot be discarded once it is
 * written.
 */
import { errorCode, type Stream } from '#http2';
import type { HeaderField } from '../../wire/exchange.ts';
import type { ResponseOptions } from '../../wire/forwarded-head.ts';
import {
  listHintFields,
  listOwnFields,
  listResponseFields,
  listSwitchingFields,
} from '../../wire/http2/http2-response.ts';
import type { ResponseHead } from '../../wire/response-head.ts';
import type { ResponseWriter } from '../client-side/response-writer.ts';

export class Http2ResponseWriter implements ResponseWriter {
  readonly #stream: Stream;
  #head: readonly HeaderField[] | undefined;
  bodyBytes = 0;
  /** Set if the request is malformed: then the stream is reset with an error. */
  isMalformed = false;
  /** Set for a request to switch to WebSocket: any success status would mean that the switch happened. */
  isConnect = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  get sentBytes(): number {
    return this.#stream.sentBytes;
  }

  writeHead(head: ResponseHead, options: ResponseOptions): void {
    this.#head = this.#avoidSuccess(listResponseFields(head, options));
  }

  writeOwnHead(status: number, headers: readonly HeaderField[], options: ResponseOptions): void {
    this.#head = this.#avoidSuccess(listOwnFields(status, headers, options));
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

  #avoidSuccess(fields: HeaderField[]): HeaderField[] {
    if (this.isConnect && fields[0]![1].startsWith('2')) fields[0] = [':status', '502'];
    return fields;
  }

  #sendHead(): void {
    if (this.#head === undefined) return;
    this.#stream.sendHead(this.#head);
    this.#head = undefined;
  }
}
