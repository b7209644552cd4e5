/**
 * The server's side of HTTP/2 without sockets: bytes in, requests and bytes out.
 *
 * ```ts
 * const connection = new Connection({
 *   now: Date.now,
 *   handler: {
 *     onRequest(stream, { list }) {
 *       stream.sendHead([[':status', '200']]);
 *       stream.sendData(Buffer.from(`${list.entries.length} fields\n`));
 *       stream.end();
 *       return { onData() {}, onEnd() {}, onReset() {}, onDrain() {}, onSent() {} };
 *     },
 *     onOutput() {},                    // there is something to produce
 *     onLimit(limit) {},                // 'resets', 'ping', 'header_list', …: for metrics
 *     onDone() {},                      // the socket can be closed when everything is sent
 *   },
 * });
 * connection.receive(bytesFromTheClient);
 * for (const bytes of connection.produce() ?? []) send(bytes);
 * ```
 *
 * It implements frames, HPACK, windows and stream states (RFC 9113, RFC 7541), and limits each of them. The caller
 * decides whether a request is valid: `HeaderList` has all fields in their order, and says which of them are malformed.
 * Nothing is dropped silently.
 */
export { Http2Session, type ConnectionHandler } from './http2/http2-session.ts';
export { errorCode } from './http2/frames/frame-types.ts';
export type { HeaderBlock } from './http2/frames/header-blocks.ts';
export type { HeaderList } from './http2/hpack/header-decoder.ts';
export { defaultHttp2Limits, type Http2Limit, http2Limits } from './http2/limits.ts';
export type { Stream, StreamListener } from './http2/stream.ts';
