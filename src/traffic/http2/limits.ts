/**
 * How much one client can make a connection hold, and how often it may do what costs the server more than the client.
 * `Http2Limit` names each way to exceed them, for metrics and tests.
 */

export interface Http2Limits {
  /**
   * As HPACK counts a list: 32 bytes for each field besides its text. Also the maximum length of an undecoded block.
   */
  readonly headerListBytesMax: number;
  /** Each part of a split cookie counts as a field. */
  readonly headerCountMax: number;
  readonly concurrentStreamsMax: number;
  /** After this many, the client is asked to open another connection. */
  readonly requestsPerConnectionMax: number;
  /** How much of one body a client may send before it is read. */
  readonly streamWindowBytes: number;
  /** The same for all bodies of a connection. */
  readonly connectionWindowBytes: number;
  /** More frames per block are an attack: eight full ones are twice the size of a list. */
  readonly framesPerBlockMax: number;
  /** Streams that end early because the client, or an error of the client, reset them. */
  readonly resetsBurst: number;
  readonly resetsPerSecond: number;
  /** Frames that carry no request: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, unknown ones. */
  readonly controlFramesBurst: number;
  readonly controlFramesPerSecond: number;
  /** Bytes sent that offset one WINDOW_UPDATE, so that large downloads need no budget. */
  readonly bytesPerWindowUpdate: number;
  /** Answers to control frames that wait for a client that does not read. */
  readonly unreadControlBytesMax: number;
  /** How much may wait in one stream before its source is paused. */
  readonly queuedBytesMax: number;
}

export const defaultHttp2Limits: Http2Limits = {
  headerListBytesMax: 64 * 1024,
  headerCountMax: 128,
  // Nearly all servers allow this, and browsers expect it.
  concurrentStreamsMax: 100,
  // Large enough that the cost of a new handshake is negligible, and small enough that connections move to a new
  // process soon.
  requestsPerConnectionMax: 10_000,
  // An upload of 100 Mbit/s over 20 ms.
  streamWindowBytes: 256 * 1024,
  connectionWindowBytes: 1024 * 1024,
  framesPerBlockMax: 8,
  // A browser that leaves a page resets all its streams at once: it may do so twice in ten seconds.
  resetsBurst: 200,
  resetsPerSecond: 20,
  // Browsers stay far below: an occasional PING, and two WINDOW_UPDATE for each upload or download.
  controlFramesBurst: 2_000,
  controlFramesPerSecond: 200,
  bytesPerWindowUpdate: 1_024,
  unreadControlBytesMax: 64 * 1024,
  queuedBytesMax: 64 * 1024,
};

/** The reason why a connection, a stream or a request was closed: an exceeded limit, or a protocol error. */
export const http2Limits = [
  // Rapid Reset: streams that the client opens and resets.
  'resets',
  // Made You Reset, and series of malformed requests: streams that the client makes the server reset.
  'forced_resets',
  // More streams at once than allowed; the surplus is refused.
  'streams',
  'continuation',
  // HPACK bombs: the decoded fields are too many or too long.
  'header_list',
  'ping',
  'settings',
  'priority',
  'window_update',
  'empty_data',
  'unknown_frames',
  // Control frames whose answers the client does not read.
  'unread_answers',
  // The client reads none of a response.
  'write_stall',
  'preface_timeout',
  'protocol_error',
  'flow_control_error',
  'frame_size_error',
  'compression_error',
  'stream_closed_error',
] as const;

export type Http2Limit = (typeof http2Limits)[number];
