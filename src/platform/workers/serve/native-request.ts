/** Node's own class, before a light one replaces it. */
export const NativeRequest = globalThis.Request;
