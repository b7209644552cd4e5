/** Permanently replaces a function: code that runs later cannot restore it. */
export function seal(target: object, name: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(target, name, {
    value,
    writable: false,
    configurable: false,
    enumerable: Object.getOwnPropertyDescriptor(target, name)?.enumerable ?? false,
  });
}
