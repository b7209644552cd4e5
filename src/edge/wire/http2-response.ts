/** The fields of responses by HTTP/2: the same as by HTTP/1.1, with the status among them and without framing. */
import { checkAddedFields } from './added-fields.ts';
import type { HeaderField } from './exchange.ts';
import { checkStatus, isForwardedToClient, type ResponseOptions } from './forwarded-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Of an origin's response. */
export function listResponseFields(
  head: ResponseHead,
  { requestIdHeader, requestId, framing }: ResponseOptions,
): HeaderField[] {
  const fields: HeaderField[] = [[':status', String(head.status)]];
  listForwarded(head, requestIdHeader, fields);
  fields.push([requestIdHeader, requestId]);
  if (framing.kind === 'length') fields.push(['content-length', String(framing.length)]);
  return fields;
}

/** Of early hints. */
export function listHintFields(head: ResponseHead): HeaderField[] {
  const fields: HeaderField[] = [[':status', '103']];
  listForwarded(head, '', fields);
  return fields;
}

/** Of the switch to WebSocket, which HTTP/2 calls a success. The key was ours. */
export function listSwitchingFields(head: ResponseHead, options: ResponseOptions): HeaderField[] {
  const fields = listResponseFields(head, options);
  fields[0] = [':status', '200'];
  return fields.filter(([name]) => name !== 'sec-websocket-accept');
}

function listForwarded(head: ResponseHead, requestIdHeader: string, fields: HeaderField[]): void {
  const { headers, names } = head;
  for (let index = 0; index < headers.length; index++)
    if (isForwardedToClient(head, index, requestIdHeader))
      fields.push([names[index]!.lower, headers[index]![1]]);
}

/** Of the edge's own response. Throws a `TypeError` if it is not valid. */
export function listOwnFields(
  status: number,
  headers: readonly HeaderField[],
  { requestIdHeader, requestId, framing }: ResponseOptions,
): HeaderField[] {
  checkStatus(status);
  checkAddedFields(headers);
  const fields: HeaderField[] = [[':status', String(status)]];
  for (const [name, value] of headers) fields.push([name.toLowerCase(), value]);
  fields.push([requestIdHeader, requestId]);
  if (framing.kind === 'length') fields.push(['content-length', String(framing.length)]);
  return fields;
}
