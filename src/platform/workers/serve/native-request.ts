/** Node's own class, before a light one takes its place. */
export const NativeRequest = globalThis.Request;
