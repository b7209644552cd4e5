/**
 * Formats that are read from a stream, however it is cut into pieces: lines, server-sent events, tar archives. One
 * reader of each, for trusted and for hostile senders. They run in browsers as well.
 *
 * ```ts
 * for await (const line of readLines(body.pipeThrough(new TextDecoderStream()))) …
 * for await (const { path, content } of readTar(body)) …
 * ```
 */
export { type EventStreamEvent, EventStreamReader } from './streams/event-stream.ts';
export { Lines, readLines } from './streams/lines.ts';
export { fillBlock, readTar, type ReadTarFile, tarEnd, type TarFile, writeTarHead } from './streams/tar.ts';
