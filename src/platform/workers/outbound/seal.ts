/** Puts a function in the place of another for the life of the process: no code that runs later can put it back. */
export function seal(target: object, name: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(target, name, {
    value,
    writable: false,
    configurable: false,
    enumerable: Object.getOwnPropertyDescriptor(target, name)?.enumerable ?? false,
  });
}
