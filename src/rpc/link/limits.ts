import { messageBytesMax } from '../limits.ts';

/** A value of the largest allowed size, with room for what its bytes have around it. A larger frame ends the link. */
export const frameBytesMax = messageBytesMax + 4 * 1024 * 1024;

/** Frames are put together in buffers of this size, one system call each. */
export const writeBufferBytes = 64 * 1024;

/** What may wait to be sent; beyond it the other process does not keep up, and calls to it are refused. */
export const queuedBytesMax = 2 * frameBytesMax;

/** What one read of a stream across a link brings at most, besides its last chunk. */
export const streamReadBytes = 64 * 1024;

/** Numbers of one frame: how many there are is one byte. */
export const numbersMax = 255;
