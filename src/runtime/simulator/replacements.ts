/** Functions of the process that a simulation replaces for its duration. */
import { syncBuiltinESMExports } from 'node:module';

export type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

export class Replacements {
  readonly #restore: Array<() => void> = [];

  /** Replaces a function with the result of `create`. */
  replace(place: object, name: string, create: (own: AnyMethod) => unknown): void {
    const own = Reflect.get(place, name) as AnyMethod;
    const isInherited = !Object.hasOwn(place, name);
    Object.defineProperty(place, name, { value: create(own), configurable: true, writable: true });
    this.#restore.push(() => {
      if (isInherited) Reflect.deleteProperty(place, name);
      else Object.defineProperty(place, name, { value: own, configurable: true, writable: true });
    });
  }

  /** Updates the named exports of Node's modules, for code that imported the functions. */
  share(): void {
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.reverse()) restore();
    syncBuiltinESMExports();
  }
}
