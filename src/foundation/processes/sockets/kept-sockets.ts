/**
 * Sockets that stay open when this process ends: its watchdog holds them, and the program that it starts next goes on
 * with them. So connections wait in the queue of the kernel meanwhile, and are not refused. A program without a watchdog
 * has none.
 */

/** A socket as Node has it inside of a server. */
interface SocketHandle {
  close(): void;
}

interface InheritedSockets {
  /** Where each is bound. */
  readonly names: readonly string[];
  readonly handles: readonly object[];
  /** Lets the watchdog hold another one. */
  readonly hold: (name: string, handle: object) => Promise<void>;
}

class KeptSockets {
  readonly #inherited = new Map<string, SocketHandle>();
  readonly #used = new Set<string>();
  readonly #outlived = new Set<string>();
  #hasPredecessor = false;
  #hold: InheritedSockets['hold'] | undefined;

  /** To be called before anything listens. */
  inherit({ names, handles, hold }: InheritedSockets): void {
    this.#hold = hold;
    this.#hasPredecessor = names.length > 0;
    for (const [index, name] of names.entries()) this.#inherited.set(name, handles[index] as SocketHandle);
  }

  /** Whether the watchdog has started a program before this one. */
  get hasPredecessor(): boolean {
    return this.#hasPredecessor;
  }

  /** The sockets from which processes accept that outlive this one. */
  get outlived(): string[] {
    return [...this.#outlived];
  }

  /** Notes a socket that is in use as one of those. */
  outlive(name: string): void {
    if (this.#used.has(name)) this.#outlived.add(name);
  }

  /** The socket that is bound there, if the program before this one had it. */
  take(name: string): SocketHandle | undefined {
    const handle = this.#inherited.get(name);
    if (handle === undefined) return undefined;
    this.#inherited.delete(name);
    this.#used.add(name);
    return handle;
  }

  /** Resolves when the watchdog will hold it, whatever happens to this process. */
  async hold(name: string, handle: SocketHandle): Promise<void> {
    if (this.#hold === undefined) return;
    this.#used.add(name);
    await this.#hold(name, handle);
  }

  /** Those in use, to be asked when everything listens; the others are closed. */
  settle(): string[] {
    for (const handle of this.#inherited.values()) handle.close();
    this.#inherited.clear();
    return [...this.#used];
  }
}

/** Of this process. */
export const keptSockets = new KeptSockets();
