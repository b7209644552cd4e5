/**
 * How much one client can make a connection hold, and how often it may do what costs the server more than the client.
 * `Http2Limit` has a name for each way to exceed them, for metrics and tests.
 */

export interface Http2Limits {
  /** As HPACK counts a list: 32 bytes for each field beside its text. Also how long a block may be before it is decoded. */
  readonly headerListBytesMax: number;
  /** Each part of a cookie that was split is a field. */
  readonly headerCountMax: number;
  readonly concurrentStreamsMax: number;
  /** Then the client is asked to open another connection. */
  readonly requestsPerConnectionMax: number;
  /** What a client may send of one body before it is read. */
  readonly streamWindowBytes: number;
  /** The same, of all bodies of a connection. */
  readonly connectionWindowBytes: number;
  /** A block of fields in more frames than this is an attack: eight full ones are twice what a list may have. */
  readonly framesPerBlockMax: number;
  /** Of streams that end before they are done, because the client or an error of the client ended them. */
  readonly resetsBurst: number;
  readonly resetsPerSecond: number;
  /** Of frames that carry no request: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, unknown ones. */
  readonly controlFramesBurst: number;
  readonly controlFramesPerSecond: number;
  /** Bytes sent that make up for one WINDOW_UPDATE, so that large downloads need no budget. */
  readonly bytesPerWindowUpdate: number;
  /** Answers to control frames that wait for a client that does not read. */
  readonly unreadControlBytesMax: number;
  /** What waits in one stream before its source is paused. */
  readonly queuedBytesMax: number;
}

export const defaultHttp2Limits: Http2Limits = {
  headerListBytesMax: 64 * 1024,
  headerCountMax: 128,
  // What nearly all servers allow, and browsers expect.
  concurrentStreamsMax: 100,
  // Long enough that a new handshake costs nothing beside; short enough that connections move to a new process.
  requestsPerConnectionMax: 10_000,
  // An upload of 100 Mbit/s over 20 ms.
  streamWindowBytes: 256 * 1024,
  connectionWindowBytes: 1024 * 1024,
  framesPerBlockMax: 8,
  // A browser that leaves a page ends all its streams at once: it may do so twice in ten seconds.
  resetsBurst: 200,
  resetsPerSecond: 20,
  // Browsers stay far below: a PING now and then, and two WINDOW_UPDATE for each upload or download.
  controlFramesBurst: 2_000,
  controlFramesPerSecond: 200,
  bytesPerWindowUpdate: 1_024,
  unreadControlBytesMax: 64 * 1024,
  queuedBytesMax: 64 * 1024,
};

/** What ended a connection, a stream or a request that exceeded a limit or broke the protocol. */
export const http2Limits = [
  // Rapid Reset: streams that the client opens and ends.
  'resets',
  // Made You Reset, and malformed requests one after the other: streams that the client makes the server end.
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
  // The client lets no byte of a response through.
  'write_stall',
  'preface_timeout',
  'protocol_error',
  'flow_control_error',
  'frame_size_error',
  'compression_error',
  'stream_closed_error',
] as const;

export type Http2Limit = (typeof http2Limits)[number];
