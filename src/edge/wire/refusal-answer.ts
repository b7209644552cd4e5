/** The body of what the wire itself answers: short, and with the request id, by which the reason can be found. */
import { STATUS_CODES } from 'node:http';
import type { HeaderField } from './exchange.ts';
import type { Refusal } from './refusal.ts';

export interface RefusalAnswer {
  readonly headers: readonly HeaderField[];
  readonly body: string;
}

/** HTML for whoever asks for it, JSON for programs. Neither the message nor the id holds anything a client wrote. */
export function refusalAnswer(refusal: Refusal, requestId: string, acceptsHtml: boolean): RefusalAnswer {
  const { status, code, message } = refusal;
  if (!acceptsHtml) {
    const body = JSON.stringify({ error: { status, code, message, request_id: requestId } });
    return { headers: [['content-type', 'application/json'], noStore], body: `${body}\n` };
  }
  const title = `${status} ${STATUS_CODES[status]}`;
  const body =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n` +
    `<body><h1>${title}</h1><p>${message}</p><p>Request id: <code>${requestId}</code></p></body></html>\n`;
  return { headers: [['content-type', 'text/html; charset=utf-8'], noStore], body };
}

const noStore: HeaderField = ['cache-control', 'no-store'];
