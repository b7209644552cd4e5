/** Parses a stream of server-sent events incrementally. */

interface ServerSentEvent {
  readonly type: string;
  /** Undefined if the block only sets the reconnection time or the last event id. */
  readonly data: string | undefined;
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
}

export class EventStreamParser {
  #rest = '';
  #isFirst = true;
  #type = '';
  #data: string[] = [];
  #lastEventId = '';
  #retryMs: number | undefined;

  *read(text: string): Generator<ServerSentEvent> {
    let source = this.#rest + text;
    if (this.#isFirst && source !== '') {
      this.#isFirst = false;
      if (source.startsWith('\ufeff')) source = source.slice(1);
    }
    // A trailing carriage return may be the first half of a line end.
    const isHalf = source.endsWith('\r');
    const lines = (isHalf ? source.slice(0, -1) : source).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    for (const line of lines) {
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

  #finish(): ServerSentEvent {
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
