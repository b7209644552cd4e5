/** Reads server-sent events as they arrive. Comments, which only keep the stream alive, are skipped. */
import { readParts } from './text-parts.ts';

export interface ServerEvent {
  /** `message` unless the server says otherwise. */
  readonly event: string;
  readonly data: string;
}

export async function* readServerEvents({ body }: Pick<Response, 'body'>): AsyncGenerator<ServerEvent, void> {
  for await (const block of readParts(body, /\r?\n\r?\n/)) {
    const event = parseBlock(block);
    if (event !== undefined) yield event;
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
