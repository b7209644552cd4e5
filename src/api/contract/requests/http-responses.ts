/** Routes the target of a request, and turns an answer into the response. */
import { genericCodes } from '../codes/generic.ts';
import { entryOf, Fault, fault } from '../fault.ts';
import type { ApiResponse } from '../http.ts';
import { targetCharactersMax } from '../limits.ts';
import type { PlainReply, WrittenResponse } from '../reply.ts';

export function splitTarget(target: string): { path: string; query: string } {
  if (target.length > targetCharactersMax) {
    throw fault(genericCodes.targetTooLong, { fill: { characters: targetCharactersMax } });
  }
  const [path, query = ''] = target.split(/\?(.*)/s, 2);
  return { path: path!, query };
}

export function createNotRouted(path: string): Fault {
  const { couldNotRoute, noRoute } = genericCodes;
  const shown = path.length > 200 ? `${path.slice(0, 197)}...` : path;
  return new Fault(404, [entryOf(couldNotRoute, { fill: { path: shown } }), entryOf(noRoute)]);
}

export function toHttpResponse(
  answer: WrittenResponse | PlainReply,
  headers: Record<string, string>,
): ApiResponse {
  const { status, body } = answer;
  if ('contentType' in answer) Object.assign(headers, answer.headers, { 'content-type': answer.contentType });
  else {
    if (body !== null) headers['content-type'] = 'application/json';
    if (answer.version !== undefined) headers['etag'] = `"${answer.version}"`;
  }
  return { status, headers, body };
}
