/**
 * Sockets that stay open when this process ends: its watchdog holds them, and the program that it starts next continues
 * with them. So connections wait in the queue of the kernel meanwhile, and are not refused. A program without a
 * watchdog has none.
 */

/** Node's internal handle of a socket. */
interface SocketHandle {
  close(): void;
}

interface InheritedSockets {
  /** The addresses of the sockets. */
  readonly names: readonly string[];
  readonly handles: readonly object[];
  /** Passes another one to the watchdog. */
  readonly hold: (name: string, handle: object) => Promise<void>;
}

class KeptSockets {
  readonly #inherited = new Map<string, SocketHandle>();
  readonly #used = new Set<string>();
  readonly #outlived = new Set<string>();
  #hasPredecessor = false;
  #hold: InheritedSockets['hold'] | undefined;

  /** Called before any code listens. */
  inherit({ names, handles, hold }: InheritedSockets): void {
    this.#hold = hold;
    this.#hasPredecessor = names.length > 0;
    for (const [index, name] of names.entries()) this.#inherited.set(name, handles[index] as SocketHandle);
  }

  /** Whether the watchdog has started a program before this one. */
  get hasPredecessor(): boolean {
    return this.#hasPredecessor;
  }

  /** The sockets from which processes that outlive this one accept. */
  get outlived(): string[] {
    return [...this.#outlived];
  }

  /** Records a socket in use as one of those. */
  outlive(name: string): void {
    if (this.#used.has(name)) this.#outlived.add(name);
  }

  /** The socket that is bound to this address, if the previous program had it. */
  take(name: string): SocketHandle | undefined {
    const handle = this.#inherited.get(name);
    if (handle === undefined) return undefined;
    this.#inherited.delete(name);
    this.#used.add(name);
    return handle;
  }

  /** Resolves when the watchdog holds the socket, whatever happens to this process. */
  async hold(name: string, handle: SocketHandle): Promise<void> {
    if (this.#hold === undefined) return;
    this.#used.add(name);
    await this.#hold(name, handle);
  }

  /** The sockets in use, called when everything listens; the others are closed. */
  settle(): string[] {
    for (const handle of this.#inherited.values()) handle.close();
    this.#inherited.clear();
    return [...this.#used];
  }
}

/** The sockets of this process. */
export const keptSockets = new KeptSockets();
