import { messageBytesMax } from '../limits.ts';

/** A value of the largest allowed size, with room for the framing. A larger frame breaks the link. */
export const frameBytesMax = messageBytesMax + 4 * 1024 * 1024;

/** Frames are assembled in buffers of this size, one system call each. */
export const writeBufferBytes = 64 * 1024;

/** Bytes that may wait to be sent; beyond it the other process is too slow, and calls to it are refused. */
export const queuedBytesMax = 2 * frameBytesMax;

/** The part that is kept of each oversized text of an error: name, message and stack, at two bytes per character. */
export const errorCharactersMax = messageBytesMax / 8;

/** A larger chunk of a stream is sent in pieces: a body can have any size, a message cannot. */
export const streamPieceBytes = 4 * 1024 * 1024;

/** A larger message of a socket is sent in parts. */
export const socketPartBytes = 8 * 1024 * 1024;

/** The most that one read of a stream across a link returns, besides its last chunk. */
export const streamReadBytes = 64 * 1024;

/** Smaller chunks count as this many bytes: thousands of them would make one long turn. */
export const streamChunkBytesMin = 1024;

/** Numbers in one frame: their count is one byte. */
export const numbersMax = 255;
