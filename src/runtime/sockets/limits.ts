/** Bounds of sockets. Those that a program can observe are Cloudflare's. */

/** The largest message that is taken; a larger one closes its socket with 1009. */
export const messageBytesMax = 32 * 1024 * 1024;

/** What a close frame has room for beside its code. */
export const closeReasonBytesMax = 123;

export const attachmentBytesMax = 16_384;

export const tagsMax = 10;
export const tagBytesMax = 256;

/** Sockets with hibernation of one object. */
export const socketsPerObjectMax = 32_768;

/** Of each half of an automatic response. */
export const autoResponseBytesMax = 2_048;

export const eventTimeoutMsMax = 7 * 24 * 60 * 60_000;

/** What may wait for a reader that is slower than its writer. A sender that goes beyond that loses the connection. */
export const unreadBytesMax = 16 * 1024 * 1024;

/** Messages that have arrived and wait for their object: beyond that, no more is read from the connection. */
export const arrivedBytesMax = 1024 * 1024;

/** A message of the largest size in pieces of half a kilobyte: smaller ones cost more memory than they carry. */
export const fragmentsMax = 65_536;

/** A message at least this long is worth compressing. */
export const compressBytesMin = 1024;

/** Longer messages are compressed and expanded beside the event loop. */
export const compressInlineBytesMax = 64 * 1024;

/** How long a connection is silent before the kernel asks whether the other end is still there. */
export const keepAliveMs = 60_000;

/** How long the other end may take to answer a close frame. */
export const closeMsMax = 30_000;

/** How long it may take when this process ends: a client that has vanished does not hold it up. */
export const retireMsMax = 1_000;
