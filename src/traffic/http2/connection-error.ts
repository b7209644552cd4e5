/** Closes a connection: the client has broken the protocol, or exceeded a limit. */
import { type ErrorCode, errorCode } from './frames/frame-types.ts';
import type { Http2Limit } from './limits.ts';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ErrorCode;
  readonly limit: Http2Limit;

  private constructor(code: ErrorCode, limit: Http2Limit, reason: string) {
    super(reason);
    this.code = code;
    this.limit = limit;
  }

  static protocol(reason: string): ConnectionError {
    return new ConnectionError(errorCode.protocol, 'protocol_error', reason);
  }

  static frameSize(): ConnectionError {
    return new ConnectionError(errorCode.frameSize, 'frame_size_error', 'A frame has a wrong length.');
  }

  static window(): ConnectionError {
    return new ConnectionError(
      errorCode.flowControl,
      'flow_control_error',
      'A window is larger than allowed, or more was sent than it allows.',
    );
  }

  static compression(): ConnectionError {
    return new ConnectionError(
      errorCode.compression,
      'compression_error',
      'A block of fields cannot be decoded.',
    );
  }

  static streamClosed(): ConnectionError {
    return new ConnectionError(errorCode.streamClosed, 'stream_closed_error', 'The stream has ended.');
  }

  static tooMuch(limit: Http2Limit): ConnectionError {
    return new ConnectionError(errorCode.enhanceYourCalm, limit, `Too much of this: ${limit}.`);
  }
}
