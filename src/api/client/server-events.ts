/** Reads server-sent events as they arrive. Comments, which only keep the stream alive, are skipped. */
import { EventStreamReader } from '#streams';
import { readTexts } from './body-texts.ts';

export interface ServerEvent {
  /** `message` unless the server says otherwise. */
  readonly event: string;
  readonly data: string;
}

export async function* readServerEvents({ body }: Pick<Response, 'body'>): AsyncGenerator<ServerEvent, void> {
  const reader = new EventStreamReader();
  for await (const text of readTexts(body))
    for (const { type, data } of reader.read(text)) if (data !== undefined) yield { event: type, data };
}
