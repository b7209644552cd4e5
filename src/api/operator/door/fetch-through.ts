/** Requests through the socket of a directory: the `fetch` of a client, and forwarding another process's answers. */
import { request, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { connectPrivately, type HttpAnswer, type PrivateSocketPlace } from '#listeners';
import { fault, operatorCodes, writeFault } from '#contract';
import { type ClientOptions, ConnectionError } from '#client';

type Fetch = NonNullable<ClientOptions['fetch']>;

export function fetchThrough(place: PrivateSocketPlace): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const socket = await connectPrivately(place);
    if (socket === undefined)
      throw new ConnectionError(`no program listens on ${place.directory}/${place.name}`);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { pathname, search } = new URL(url);
    const outgoing = request({
      method,
      path: `${pathname}${search}`,
      headers: { ...Object.fromEntries(new Headers(headers)), host: 'gatehouse' },
      createConnection: () => socket,
      ...(signal === null || signal === undefined ? {} : { signal }),
    });
    outgoing.once('response', resolve).on('error', reject);
    if (body instanceof ReadableStream) void pipeline(body, outgoing).catch(reject);
    else outgoing.end(body as string | undefined);
    const incoming = await promise;
    return new Response(incoming.statusCode === 204 ? null : toStream(incoming), {
      status: incoming.statusCode!,
      headers: incoming.headers as Record<string, string>,
    });
  };
}

/** Memory does not grow with the answer, and if the reader stops, the rest is not transferred. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next().catch((cause: unknown) => {
        throw new ConnectionError(
          'the server closed the connection before the work was complete: it may have been stopped',
          { cause },
        );
      });
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void incoming.destroy(),
  });
}

/** Forwards the answers of another process of this program. */
export function passOn(place: PrivateSocketPlace): HttpAnswer {
  return async (incoming, outgoing) => {
    const socket = await connectPrivately(place).catch(() => undefined);
    if (socket === undefined) {
      const { status, body } = writeFault(fault(operatorCodes.operatorAway));
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ method, path, headers, createConnection: () => socket });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    onward.once('response', resolve).on('error', reject);
    outgoing.once('close', () => onward.destroy());
    try {
      void pipeline(incoming, onward).catch(reject);
      const answer = await promise;
      outgoing.writeHead(answer.statusCode!, answer.headers).flushHeaders();
      await pipeline(answer, outgoing);
    } catch {
      // The client sees that the answer was cut off.
      outgoing.destroy();
    }
  };
}
