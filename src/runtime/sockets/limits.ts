/** Limits of sockets. Those that a program can observe are Cloudflare's. */

/** The largest message that is accepted; a larger one closes its socket with 1009. */
export const messageBytesMax = 32 * 1024 * 1024;

/** The space for a reason in a close frame. */
export const closeReasonBytesMax = 123;

export const attachmentBytesMax = 16_384;

export const tagsMax = 10;
export const tagBytesMax = 256;

/** Hibernating sockets of one object. */
export const socketsPerObjectMax = 32_768;

/** Bytes of each half of an automatic response. */
export const autoResponseBytesMax = 2_048;

export const eventTimeoutMsMax = 7 * 24 * 60 * 60_000;

/** Bytes that may wait for a reader that is slower than its writer. A sender that exceeds this loses the connection. */
export const unreadBytesMax = 16 * 1024 * 1024;

/** Bytes of received messages that wait for their object: beyond that, reading from the connection pauses. */
export const arrivedBytesMax = 1024 * 1024;

/** A message of the largest size in pieces of half a kilobyte: smaller pieces cost more memory than they contain. */
export const fragmentsMax = 65_536;

/** A message at least this long is worth compressing. */
export const compressBytesMin = 1024;

/** Longer messages are compressed and expanded outside the event loop. */
export const compressInlineBytesMax = 64 * 1024;

/** How long a connection is silent before the kernel checks whether the other end is still there. */
export const keepAliveMs = 60_000;

/** How long the other end may take to answer a close frame. */
export const closeMsMax = 30_000;

/** The same limit when this process ends: a client that has vanished must not delay that. */
export const retireMsMax = 1_000;
