/** Server-sent events, read as they come in. Comments, which show that the stream is alive, are left out. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ServerEvent {
  /** `message` unless the server says otherwise. */
  readonly event: string;
  readonly data: string;
}

export async function* readServerEvents(stream: Readable): AsyncGenerator<ServerEvent, void> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { field, value } = splitLine(line);
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
    }
  }
}

function splitLine(line: string): { field: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { field: line, value: '' };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}
