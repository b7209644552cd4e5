/** Functions of the process that a simulation replaces for as long as it lasts. */
import { syncBuiltinESMExports } from 'node:module';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

export class Replacements {
  readonly #restore: Array<() => void> = [];

  /** Puts what `create` makes of a function in its place. */
  replace(place: object, name: string, create: (own: Method) => unknown): void {
    const own = Reflect.get(place, name) as Method;
    const isInherited = !Object.hasOwn(place, name);
    Object.defineProperty(place, name, { value: create(own), configurable: true, writable: true });
    this.#restore.push(() => {
      if (isInherited) Reflect.deleteProperty(place, name);
      else Object.defineProperty(place, name, { value: own, configurable: true, writable: true });
    });
  }

  /** For code that imported them from modules of Node. */
  share(): void {
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.reverse()) restore();
    syncBuiltinESMExports();
  }
}
