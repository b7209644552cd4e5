/** The numbers of RFC 9113: frame heads, flags, settings and error codes on the wire. */

export const clientPreface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export const frameHeadBytes = 9;

/** The size that every peer accepts, and that this side asks for: larger frames would delay others. */
export const framePayloadBytesMax = 16_384;

export const windowBytesMax = 0x7fff_ffff;
export const initialWindowBytes = 65_535;

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const frameFlag = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  concurrentStreamsMax: 3,
  initialWindowSize: 4,
  frameSizeMax: 5,
  headerListSizeMax: 6,
  enableConnectProtocol: 8,
} as const;

export const errorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export type ErrorCode = (typeof errorCode)[keyof typeof errorCode];

export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
}

export function writeFrameHead(
  target: Buffer,
  offset: number,
  length: number,
  { type, flags, streamId }: FrameHead,
): void {
  target[offset] = length >> 16;
  target[offset + 1] = length >> 8;
  target[offset + 2] = length;
  target[offset + 3] = type;
  target[offset + 4] = flags;
  target.writeUInt32BE(streamId, offset + 5);
}
