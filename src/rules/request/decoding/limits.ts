/** What decoding a body may cost. The size of what comes out is what rules look at, whatever goes in. */

/**
 * How many times larger than its compressed form a body may become. Text and JSON reach 3 to 20, dumps of repeated
 * rows 50; deflate can reach 1,032, brotli and Zstandard far more. Without this, a hundred bytes buy as much of the
 * judge's time as 128 KiB.
 */
export const decodedRatioMax = 100;

/** Up to this size the ratio does not matter: judging so little costs less than reading the head. */
export const decodedBytesFree = 16 * 1024;

/** Codings on top of each other. One is common, two happen by mistake. */
export const codingsMax = 3;

/**
 * Bodies that are decompressed at the same time, as many as Node has threads for it. A decoder holds at most 16 MiB
 * (the window of brotli), so all of them hold at most 64 MiB; further bodies wait for their turn.
 */
export const decodersMax = 4;

/** The window of Zstandard that RFC 9659 allows in HTTP: 8 MiB. Others are refused before memory is allocated. */
export const zstdWindowLogMax = 23;

/** Charsets of one body that are tried: the one that it shows and the one that it declares. */
export const charsetsMax = 2;
