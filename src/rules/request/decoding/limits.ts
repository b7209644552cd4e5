/**
 * Limits on the cost of decoding a body. The size of the output is what rules inspect, whatever the size of the input.
 */

/**
 * How many times larger than its compressed form a body may become. Text and JSON reach 3 to 20, dumps of repeated rows
 * 50; deflate can reach 1,032, brotli and Zstandard far more. Without this limit, a hundred bytes cost as much judging
 * time as 128 KiB.
 */
export const decodedRatioMax = 100;

/** Below this size the ratio does not matter: judging so little costs less than reading the head. */
export const decodedBytesFree = 16 * 1024;

/** Nested codings. One is common, two happen by mistake. */
export const codingsMax = 3;

/**
 * Bodies that are decompressed at the same time, as many as Node has threads for. A decoder holds at most 16 MiB (the
 * window of brotli), so all of them hold at most 64 MiB; further bodies wait for their turn.
 */
export const decodersMax = 4;

/** The window of Zstandard that RFC 9659 allows in HTTP: 8 MiB. Others are refused before memory is allocated. */
export const zstdWindowLogMax = 23;

/** Charsets of one body that are tried: the detected one and the declared one. */
export const charsetsMax = 2;
