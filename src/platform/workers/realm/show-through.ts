/** Objects that look like another one, and keep writes to themselves. */

/** Shows properties of `source`. Getters are evaluated on each read. */
export function showThrough<Target extends object>(
  target: Target,
  source: object,
  names: readonly PropertyKey[],
): Target {
  for (const name of names) {
    const described = Object.getOwnPropertyDescriptor(source, name);
    if (described === undefined) continue;
    const { enumerable = false } = described;
    if ('value' in described) {
      const { value } = described as { value: unknown };
      Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
    } else showLive(target, name, { enumerable, read: () => Reflect.get(source, name) as unknown });
  }
  return target;
}

/** Shows what `read` returns, until another value is written. */
export function showLive(
  target: object,
  name: PropertyKey,
  { enumerable, read }: { readonly enumerable: boolean; readonly read: () => unknown },
): void {
  Object.defineProperty(target, name, {
    enumerable,
    configurable: true,
    get: read,
    set(value: unknown) {
      Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
    },
  });
}

/** Shows everything that `source` has or inherits, with methods bound to `source`. */
export function seeThrough<Target extends object>(target: Target, source: object): Target {
  for (const name of listNames(source)) {
    const read = (): unknown => {
      const value = Reflect.get(source, name) as unknown;
      return typeof value === 'function' ? (value.bind(source) as unknown) : value;
    };
    if (name !== 'constructor') showLive(target, name, { enumerable: false, read });
  }
  return target;
}

function listNames(source: object): Set<PropertyKey> {
  const names = new Set<PropertyKey>();
  for (
    let each: object | null = source;
    each !== null && each !== Object.prototype;
    each = Object.getPrototypeOf(each) as object | null
  ) {
    for (const name of Reflect.ownKeys(each)) if (typeof name === 'string') names.add(name);
  }
  return names;
}
