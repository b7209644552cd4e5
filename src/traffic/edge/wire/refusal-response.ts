/** The body of the wire's own responses: short, and with the request id that identifies the reason in the logs. */
import { STATUS_CODES } from 'node:http';
import type { HeaderField } from './exchange.ts';
import type { Refusal } from './refusal.ts';

export interface RefusalResponse {
  readonly headers: readonly HeaderField[];
  readonly body: string;
}

/** HTML if the client accepts it, JSON for programs. Neither the message nor the id contains data from the client. */
export function createRefusalResponse(
  refusal: Refusal,
  requestId: string,
  acceptsHtml: boolean,
): RefusalResponse {
  const { status, code, message } = refusal;
  const headers = code === 'uploads_too_busy' ? [noStore, retryLater] : [noStore];
  if (!acceptsHtml) {
    const body = JSON.stringify({ error: { status, code, message, request_id: requestId } });
    return { headers: [['content-type', 'application/json'], ...headers], body: `${body}\n` };
  }
  const title = `${status} ${STATUS_CODES[status]}`;
  const body =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n` +
    `<body><h1>${title}</h1><p>${message}</p><p>Request id: <code>${requestId}</code></p></body></html>\n`;
  return { headers: [['content-type', 'text/html; charset=utf-8'], ...headers], body };
}

const noStore: HeaderField = ['cache-control', 'no-store'];
/** In seconds: the uploads that use the room now are likely to have arrived by then. */
const retryLater: HeaderField = ['retry-after', '10'];
