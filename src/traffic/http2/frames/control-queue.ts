/** Frames of the connection itself, which precede those of streams and are not subject to a window. */
import { type ErrorCode, frameHeadBytes, frameType, writeFrameHead } from './frame-types.ts';
import type { Output } from './output.ts';

export class ControlQueue {
  #frames: Buffer[] = [];
  /** Size of the waiting frames. */
  bytes = 0;

  push(type: number, flags: number, streamId: number, payload: Buffer): void {
    const frame = createFrame(type, flags, streamId, payload);
    this.#frames.push(frame);
    this.bytes += frame.length;
  }

  pushReset(streamId: number, code: ErrorCode): void {
    this.push(frameType.resetStream, 0, streamId, toBytes(code));
  }

  pushWindowUpdate(streamId: number, bytes: number): void {
    this.push(frameType.windowUpdate, 0, streamId, toBytes(bytes));
  }

  pushGoaway(lastStreamId: number, code: ErrorCode, reason: string): void {
    this.push(
      frameType.goaway,
      0,
      0,
      Buffer.concat([toBytes(lastStreamId), toBytes(code), Buffer.from(reason)]),
    );
  }

  writeTo(output: Output): void {
    if (this.bytes === 0) return;
    for (const frame of this.#frames) output.write(frame);
    this.clear();
  }

  clear(): void {
    this.#frames = [];
    this.bytes = 0;
  }
}

export function createReset(streamId: number, code: ErrorCode): Buffer {
  return createFrame(frameType.resetStream, 0, streamId, toBytes(code));
}

function createFrame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payload.length);
  writeFrameHead(frame, 0, payload.length, { type, flags, streamId });
  payload.copy(frame, frameHeadBytes);
  return frame;
}

function toBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(number, 0);
  return bytes;
}
