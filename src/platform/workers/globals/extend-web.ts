/** Methods that workerd adds to standard classes which Node implements. */
const methods: readonly (readonly [prototype: object, name: string, method: Function])[] = [
  [ReadableStreamBYOBReader.prototype, 'readAtLeast', readAtLeast],
  [Headers.prototype, 'getAll', getAll],
];

export function extendWebClasses(): void {
  for (const [prototype, name, value] of methods)
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Waits for at least this many bytes, unless the stream ends before. */
function readAtLeast(
  this: ReadableStreamBYOBReader,
  min: number,
  view: Uint8Array<ArrayBuffer>,
): ReturnType<ReadableStreamBYOBReader['read']> {
  return this.read(view, { min });
}

function getAll(this: Headers, name: string): string[] {
  if (String(name).toLowerCase() !== 'set-cookie')
    throw new TypeError('getAll() can only be used with the header name "Set-Cookie".');
  return this.getSetCookie();
}
