import { setImmediate } from 'node:timers';
import { assert } from '#base';

/** Runs a callback in a macrotask of its own. */
export type Defer = (callback: () => void) => void;

/**
 * An input gate decides when the next event may enter an object, so that code between two awaits of
 * storage never sees the world change under it.
 *
 * Node cannot stop code between two awaits, so the gate works by macrotasks. An `AsyncLocalStorage` tracks what an
 * object starts (timers, `fetch`, calls to other objects), so that its results return through the gate it left by.
 *
 * Each event (a call, an alarm, a timer, an answer) is admitted by a macrotask of its own: by the time the next one is
 * admitted, the microtasks of the previous one have all run. Reads that need the disk, and critical sections, lock the
 * gate across macrotasks; events then queue in order.
 *
 * A critical section is a gate inside a gate. Events that it causes (its timers, answers to its calls) are admitted by
 * the inner gate; all others wait at the outer one until the section ends.
 */
export class InputGate {
  readonly parent: InputGate | undefined;
  readonly depth: number;
  #locks = 0;
  #broken: Error | undefined;
  #ended = false;
  #queueHead = 0;
  #queue: Array<() => void> = [];
  readonly #sections: Array<() => void> = [];
  readonly #defer: Defer;

  /** A simulation schedules its own macrotasks. */
  constructor(defer: Defer = setImmediate, parent?: InputGate) {
    this.#defer = defer;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  get locked(): boolean {
    return this.#locks > 0;
  }

  /** Whether an event or a section is queued. */
  get waiting(): boolean {
    return this.#queue.length > this.#queueHead || this.#sections.length > 0;
  }

  /** Admits `event` in its turn, in a macrotask of its own. A broken gate admits no event. */
  enter(event: () => void): void {
    if (this.#ended) return this.parent!.enter(event);
    if (this.#broken !== undefined) return;
    this.#queue.push(event);
    if (this.#locks === 0) this.#defer(this.#tick);
  }

  /** Keeps events out until the returned function is called. Reads share the lock, without a defined order. */
  lock(): () => void {
    if (this.#ended) return this.parent!.lock();
    this.#locks++;
    let held = true;
    return () => {
      assert(held, 'an input lock is released once');
      held = false;
      this.#locks--;
      if (this.#locks === 0) this.#admit();
    };
  }

  /**
   * Starts a critical section: waits until no other section locks this gate, ahead of ordinary events, then
   * calls `start` with the inner gate and a function that ends the section.
   */
  enterSection(start: (inner: InputGate, leave: () => void) => void): void {
    if (this.#ended) return this.parent!.enterSection(start);
    if (this.#broken !== undefined) return;
    const begin = (): void => {
      const release = this.lock();
      const inner = new InputGate(this.#defer, this);
      start(inner, () => {
        inner.#end();
        release();
      });
    };
    if (this.#locks === 0) begin();
    else this.#sections.push(begin);
  }

  /** Rejects all events, queued and later ones. */
  break(cause: Error): void {
    this.#broken ??= cause;
    this.#queue = [];
    this.#queueHead = 0;
    this.#sections.length = 0;
  }

  /** Ends the section: late events that it caused go through the outer gate. */
  #end(): void {
    this.#ended = true;
    const late = this.#queue.slice(this.#queueHead);
    // Macrotasks already scheduled for this queue must find it empty.
    this.#queue = [];
    this.#queueHead = 0;
    for (const event of late) this.parent!.enter(event);
    for (const section of this.#sections.splice(0)) section();
  }

  #admit(): void {
    const section = this.#sections.shift();
    if (section !== undefined) section();
    else for (let index = this.#queueHead; index < this.#queue.length; index++) this.#defer(this.#tick);
  }

  readonly #tick = (): void => {
    if (this.#locks > 0 || this.#queueHead === this.#queue.length) return;
    const event = this.#queue[this.#queueHead++]!;
    if (this.#queueHead === this.#queue.length) {
      this.#queue = [];
      this.#queueHead = 0;
    }
    event();
  };
}
