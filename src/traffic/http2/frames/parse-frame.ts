/**
 * The content of a frame, as far as the frame alone determines it. Throws a `ConnectionError` for a frame that no
 * connection allows.
 */
import { ConnectionError } from '../connection-error.ts';
import type { Frame } from './frame-reader.ts';
import { frameFlag, frameType, windowBytesMax } from './frame-types.ts';
import { parseSettings, type PeerSettings } from './settings.ts';

export type ParsedFrame =
  /** `length` includes the padding: all of it counts for the windows. */
  | { kind: 'data'; streamId: number; body: Buffer; length: number; isEnd: boolean }
  | { kind: 'headers'; streamId: number; fragment: Buffer; isEnd: boolean; isLast: boolean }
  | { kind: 'continuation'; streamId: number; fragment: Buffer; isLast: boolean }
  | { kind: 'priority'; streamId: number; isWhole: boolean }
  | { kind: 'reset'; streamId: number }
  | { kind: 'settings'; settings: PeerSettings }
  | { kind: 'settings acknowledged' }
  | { kind: 'ping'; payload: Buffer; isAnswer: boolean }
  | { kind: 'goaway' }
  | { kind: 'window'; streamId: number; bytes: number }
  | { kind: 'unknown' };

export function parseFrame(frame: Frame): ParsedFrame {
  switch (frame.type) {
    case frameType.data:
      return parseData(frame);
    case frameType.headers:
      return parseHeaders(frame);
    case frameType.continuation:
      return {
        kind: 'continuation',
        streamId: frame.streamId,
        fragment: frame.payload,
        isLast: hasFlag(frame, frameFlag.endHeaders),
      };
    case frameType.priority:
      return parsePriority(frame);
    case frameType.resetStream:
      requireLength(frame, 4);
      return { kind: 'reset', streamId: frame.streamId };
    case frameType.settings:
      return parseSettingsFrame(frame);
    case frameType.ping:
      requireConnection(frame);
      requireLength(frame, 8);
      return { kind: 'ping', payload: frame.payload, isAnswer: hasFlag(frame, frameFlag.ack) };
    case frameType.goaway:
      requireConnection(frame);
      if (frame.payload.length < 8) throw ConnectionError.frameSize();
      return { kind: 'goaway' };
    case frameType.windowUpdate:
      requireLength(frame, 4);
      return {
        kind: 'window',
        streamId: frame.streamId,
        bytes: frame.payload.readUInt32BE(0) & windowBytesMax,
      };
    case frameType.pushPromise:
      throw ConnectionError.protocol('A client must not push.');
    default:
      return { kind: 'unknown' };
  }
}

function parseData(frame: Frame): ParsedFrame {
  const { streamId, payload } = frame;
  if (streamId === 0) throw ConnectionError.protocol('DATA belongs to a stream.');
  const isEnd = hasFlag(frame, frameFlag.endStream);
  return { kind: 'data', streamId, body: removePadding(frame, 0), length: payload.length, isEnd };
}

/** A dependency and a weight, before the fields. */
const priorityBytes = 5;

function parseHeaders(frame: Frame): ParsedFrame {
  const { streamId, payload } = frame;
  if (streamId % 2 === 0) throw ConnectionError.protocol('Streams of clients have odd numbers.');
  const hasPriority = hasFlag(frame, frameFlag.priority);
  const fragment = removePadding(frame, hasPriority ? priorityBytes : 0);
  if (hasPriority) requireOther(payload.readUInt32BE(hasFlag(frame, frameFlag.padded) ? 1 : 0), streamId);
  const isEnd = hasFlag(frame, frameFlag.endStream);
  return { kind: 'headers', streamId, fragment, isEnd, isLast: hasFlag(frame, frameFlag.endHeaders) };
}

function parsePriority({ streamId, payload }: Frame): ParsedFrame {
  if (streamId === 0) throw ConnectionError.protocol('PRIORITY belongs to a stream.');
  const isWhole = payload.length === priorityBytes;
  if (isWhole) requireOther(payload.readUInt32BE(0), streamId);
  return { kind: 'priority', streamId, isWhole };
}

function requireOther(dependency: number, streamId: number): void {
  if ((dependency & 0x7fff_ffff) === streamId) throw ConnectionError.protocol('A stream depends on itself.');
}

function parseSettingsFrame(frame: Frame): ParsedFrame {
  requireConnection(frame);
  if (hasFlag(frame, frameFlag.ack)) {
    requireLength(frame, 0);
    return { kind: 'settings acknowledged' };
  }
  return { kind: 'settings', settings: parseSettings(frame.payload) };
}

function hasFlag({ flags }: Frame, flag: number): boolean {
  return (flags & flag) !== 0;
}

function requireConnection({ streamId }: Frame): void {
  if (streamId !== 0) throw ConnectionError.protocol('The frame belongs to the connection.');
}

function requireLength({ payload }: Frame, length: number): void {
  if (payload.length !== length) throw ConnectionError.frameSize();
}

/** Also removes the first `before` bytes. */
function removePadding(frame: Frame, before: number): Buffer {
  const { payload } = frame;
  const isPadded = hasFlag(frame, frameFlag.padded);
  // Nearly every frame: another view of the same bytes costs as much as the rest of parsing.
  if (!isPadded && before === 0) return payload;
  const start = isPadded ? before + 1 : before;
  if (start > payload.length) throw ConnectionError.frameSize();
  const padding = start > before ? payload[0]! : 0;
  if (start + padding > payload.length) throw ConnectionError.protocol('Padding is longer than its frame.');
  return payload.subarray(start, payload.length - padding);
}
