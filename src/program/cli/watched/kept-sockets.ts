/** The sockets that a watchdog holds for the program below it: it never accepts connections itself. */
interface Handle {
  close(): void;
}

export class KeptHandles {
  readonly #byName = new Map<string, Handle>();

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  /** In the order of their names. */
  get handles(): object[] {
    return [...this.#byName.values()];
  }

  add(name: string, handle: object): void {
    this.#byName.get(name)?.close();
    this.#byName.set(name, handle as Handle);
  }

  /** From now on, connections to the others are refused. */
  keepOnly(names: readonly string[]): void {
    for (const [name, handle] of this.#byName) {
      if (names.includes(name)) continue;
      handle.close();
      this.#byName.delete(name);
    }
  }
}
