import { messageBytesMax } from '../limits.ts';

/** A value of the largest allowed size, with room for what its bytes have around it. A larger frame ends the link. */
export const frameBytesMax = messageBytesMax + 4 * 1024 * 1024;

/** Frames are put together in buffers of this size, one system call each. */
export const writeBufferBytes = 64 * 1024;

/** What may wait to be sent; beyond it the other process does not keep up, and calls to it are refused. */
export const queuedBytesMax = 2 * frameBytesMax;

/** What is kept of each text of an error that does not fit: name, message and stack, at two bytes for a character. */
export const errorCharactersMax = messageBytesMax / 8;

/** A chunk of a stream that is larger crosses in pieces: a body can have any size, a message cannot. */
export const streamPieceBytes = 4 * 1024 * 1024;

/** A message of a socket that is larger crosses in parts. */
export const socketPartBytes = 8 * 1024 * 1024;

/** What one read of a stream across a link brings at most, besides its last chunk. */
export const streamReadBytes = 64 * 1024;

/** What a smaller chunk counts as there: thousands of them would be one long turn. */
export const streamChunkBytesMin = 1024;

/** Numbers of one frame: how many there are is one byte. */
export const numbersMax = 255;
