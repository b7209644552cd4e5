/** The settings that both sides exchange when a connection starts, and may change later. */
import { ConnectionError } from '../connection-error.ts';
import { framePayloadBytesMax, setting, windowBytesMax } from './frame-types.ts';
import type { Http2Limits } from '../limits.ts';

const settingBytes = 6;

/** The payload of our own SETTINGS. */
export function createSettings(limits: Http2Limits): Buffer {
  const settings = [
    [setting.concurrentStreamsMax, limits.concurrentStreamsMax],
    [setting.initialWindowSize, limits.streamWindowBytes],
    [setting.headerListSizeMax, limits.headerListBytesMax],
    [setting.enableConnectProtocol, 1],
  ] as const;
  const payload = Buffer.alloc(settings.length * settingBytes);
  for (const [index, [name, value]] of settings.entries()) {
    payload.writeUInt16BE(name, index * settingBytes);
    payload.writeUInt32BE(value, index * settingBytes + 2);
  }
  return payload;
}

/** The client's settings that this side uses: the last value of each. */
export interface PeerSettings {
  readonly headerTableSize?: number;
  readonly initialWindowSize?: number;
}

/** Throws a `ConnectionError` for values that are not allowed. */
export function parseSettings(payload: Buffer): PeerSettings {
  if (payload.length % settingBytes !== 0) throw ConnectionError.frameSize();
  const settings: { headerTableSize?: number; initialWindowSize?: number } = {};
  for (let at = 0; at < payload.length; at += settingBytes) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case setting.headerTableSize:
        settings.headerTableSize = value;
        break;
      case setting.initialWindowSize:
        if (value > windowBytesMax) throw ConnectionError.window();
        settings.initialWindowSize = value;
        break;
      case setting.enablePush:
      case setting.enableConnectProtocol:
        if (value > 1) throw ConnectionError.protocol('The setting is 0 or 1.');
        break;
      case setting.frameSizeMax:
        if (value < framePayloadBytesMax || value > 0xff_ffff)
          throw ConnectionError.protocol('The size of frames is out of range.');
    }
  }
  return settings;
}
