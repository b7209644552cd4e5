/** The part of `cloudflare:workers` that depends on the Worker that is loaded. */
export const platform = {
  env: {} as Record<string, unknown>,
  exports: {} as Record<string, unknown>,
  waitUntil: (_promise: Promise<unknown>): void => {
    throw new Error('waitUntil() was called while no Worker is running');
  },
};

export function usePlatform(next: typeof platform): void {
  replaceProperties(platform.env, next.env);
  replaceProperties(platform.exports, next.exports);
  platform.waitUntil = next.waitUntil;
}

/** Keeps getters getters: a binding that is absent explains itself only when it is used. */
function replaceProperties(target: object, source: object): void {
  for (const key of Reflect.ownKeys(target)) Reflect.deleteProperty(target, key);
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(source));
}
