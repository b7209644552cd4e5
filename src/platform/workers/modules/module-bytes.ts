/** Passes bytes to a module, whose source is text: from the loader to the code that it writes. */
const kept = new Map<string, Uint8Array>();

export function keepModuleBytes(url: string, bytes: Uint8Array): void {
  kept.set(url, bytes);
}

/** A copy, which the module may change. */
export function takeModuleBytes(url: string): Uint8Array {
  const bytes = kept.get(url);
  kept.delete(url);
  return new Uint8Array(bytes!);
}
