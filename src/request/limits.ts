/** The part of a body that fields show: the most that any of Cloudflare's plans shows. */
export const bodyBytesMax = 128 * 1024;
