/**
 * Inspects the body of a Node request and puts back what it read, so that the application can read all of it. It holds
 * at most the inspection limit and the result of one read.
 *
 * A stream accepts data back only until it has emitted `end`, which it does in the turn after a read past its last
 * byte. So everything is put back in the same turn in which the last byte was read, and a body that is known to be
 * empty is not read at all.
 */
import { inspectedBodyBytesMax } from '#request';
import { type InspectedBody, RequestGone } from '../../wire/exchange.ts';
import type { NodeRequest } from './node-request.ts';

export function inspectNodeBody(
  request: NodeRequest,
  declaredLength: number | undefined,
): Promise<InspectedBody> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new RequestGone());
    if (request.readableEnded || request.readableFlowing === true || request.readableEncoding !== null) {
      return reject(new TypeError('cannot judge a body that other code has read: run the firewall first'));
    }
    const pieces: Buffer[] = [];
    let count = 0;

    const settle = (): void => {
      stop();
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      if (all.length > 0) request.unshift(all);
      resolve({
        bytes: all.subarray(0, inspectedBodyBytesMax),
        isTruncated: count > inspectedBodyBytesMax,
        declaredLength,
      });
    };
    const onReadable = (): void => {
      while (request.readableLength > 0 && count <= inspectedBodyBytesMax) {
        const piece = request.read() as Buffer;
        pieces.push(piece);
        count += piece.length;
      }
      if (count > inspectedBodyBytesMax || hasArrived(request, count, declaredLength)) settle();
    };
    const onGone = (): void => {
      stop();
      reject(new RequestGone());
    };
    const stop = (): void => {
      request.off('readable', onReadable);
      for (const event of goneEvents) request.off(event, onGone);
    };

    if (hasArrived(request, 0, declaredLength) && request.readableLength === 0) return settle();
    request.on('readable', onReadable);
    for (const event of goneEvents) request.on(event, onGone);
  });
}

/** `end` comes first only for a stream that is not a Node request, and then it is too late to put anything back. */
const goneEvents = ['close', 'error', 'end'] as const;

/** Whether the whole body has arrived. */
function hasArrived(request: NodeRequest, count: number, declaredLength: number | undefined): boolean {
  if (declaredLength !== undefined && count >= declaredLength) return true;
  return 'stream' in request ? request.stream.readableEnded : request.complete;
}
