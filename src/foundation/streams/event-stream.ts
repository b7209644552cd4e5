/** Reads a stream of server-sent events, as the HTML standard describes it. */
import { Lines } from './lines.ts';

export interface EventStreamEvent {
  readonly type: string;
  /** Undefined if the block only sets the reconnection time or the last event id. */
  readonly data: string | undefined;
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
}

export class EventStreamReader {
  readonly #lines = new Lines();
  #isFirst = true;
  /** The line feed after a carriage return belongs to the same line end. */
  #hasReturned = false;
  #type = '';
  #data: string[] = [];
  #lastEventId = '';
  #retryMs: number | undefined;

  /** The events that are complete with this piece. An event without an empty line after it was cut off. */
  *read(piece: string): Generator<EventStreamEvent> {
    if (piece === '') return;
    const start =
      (this.#isFirst && piece[0] === '\uFEFF') || (this.#hasReturned && piece[0] === '\n') ? 1 : 0;
    this.#isFirst = false;
    this.#hasReturned = piece.endsWith('\r');
    this.#lines.add(piece.slice(start).replaceAll(/\r\n?/g, '\n'));
    for (let line = this.#lines.next(); line !== undefined; line = this.#lines.next()) {
      if (line !== '') this.#readField(line);
      else if (this.#data.length > 0 || this.#retryMs !== undefined) yield this.#finish();
      else this.#type = '';
    }
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    switch (name) {
      case 'event':
        this.#type = value;
        break;
      case 'data':
        this.#data.push(value);
        break;
      case 'id':
        if (!value.includes('\0')) this.#lastEventId = value;
        break;
      case 'retry':
        if (/^\d+$/.test(value)) this.#retryMs = Number(value);
        break;
    }
  }

  #finish(): EventStreamEvent {
    const data = this.#data.join('\n');
    const event = {
      type: this.#type === '' ? 'message' : this.#type,
      // As in workerd, an event without data is not dispatched.
      data: data === '' ? undefined : data,
      lastEventId: this.#lastEventId,
      retryMs: this.#retryMs,
    };
    this.#type = '';
    this.#data = [];
    this.#retryMs = undefined;
    return event;
  }
}
