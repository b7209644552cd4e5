/** The fields of HTTP/2 responses: as in HTTP/1.1, with the status as a field and without framing. */
import { checkAddedFields } from '../added-fields.ts';
import type { HeaderField } from '../exchange.ts';
import { checkStatus, isForwardedToClient, removeReplaced, type ResponseOptions } from '../forwarded-head.ts';
import type { ResponseHead } from '../response-head.ts';

/** For an origin's response. */
export function listResponseFields(head: ResponseHead, options: ResponseOptions): HeaderField[] {
  const listed: HeaderField[] = [[':status', String(head.status)]];
  listForwarded(head, options, listed);
  listEdgeFields(options, listed);
  return listed;
}

function listEdgeFields(
  { fields, requestIdHeader, requestId, framing }: ResponseOptions,
  listed: HeaderField[],
): void {
  if (fields !== undefined) listed.push(...fields.list);
  listed.push([requestIdHeader, requestId]);
  if (framing.kind === 'length') listed.push(['content-length', String(framing.length)]);
}

/** For early hints. */
export function listHintFields(head: ResponseHead): HeaderField[] {
  const listed: HeaderField[] = [[':status', '103']];
  listForwarded(head, { requestIdHeader: '', fields: undefined }, listed);
  return listed;
}

/** For the switch to WebSocket, which HTTP/2 reports as a success. The key was ours. */
export function listSwitchingFields(head: ResponseHead, options: ResponseOptions): HeaderField[] {
  const fields = listResponseFields(head, options);
  fields[0] = [':status', '200'];
  return fields.filter(([name]) => name !== 'sec-websocket-accept');
}

function listForwarded(
  head: ResponseHead,
  options: Pick<ResponseOptions, 'requestIdHeader' | 'fields'>,
  listed: HeaderField[],
): void {
  const { headers, names } = head;
  for (let index = 0; index < headers.length; index++)
    if (isForwardedToClient(head, index, options)) listed.push([names[index]!.lower, headers[index]![1]]);
}

/** For the edge's own response. Throws a `TypeError` if it is not valid. */
export function listOwnFields(
  status: number,
  headers: readonly HeaderField[],
  options: ResponseOptions,
): HeaderField[] {
  checkStatus(status);
  const own = removeReplaced(headers, options.fields);
  checkAddedFields(own);
  const listed: HeaderField[] = [[':status', String(status)]];
  for (const [name, value] of own) listed.push([name.toLowerCase(), value]);
  listEdgeFields(options, listed);
  return listed;
}
