/**
 * How a child talks to its parent: over the channel of Node, and after the end of that parent to its successor, if the child
 * may outlive it (`orphans.ts`). What is said meanwhile waits.
 */
import type { SendHandle } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Frames, writeFrame } from './frames.ts';
import { adoptionMs, heldLinesMax } from '../limits.ts';
import type { ToChild, ToParent } from '../messages.ts';
import type { OrphanFacts } from './orphans.ts';

interface Held {
  readonly message: ToParent;
  readonly onSent: () => void;
}

export class ParentChannel {
  readonly #take: (message: ToChild) => void;
  #adopted: Socket | undefined;
  readonly #held: Held[] = [];
  #heldLines = 0;

  constructor(take: (message: ToChild) => void) {
    this.#take = take;
  }

  /** Whether there is a parent to talk to. */
  get isOpen(): boolean {
    return process.connected || this.#adopted?.destroyed === false;
  }

  /**
   * Resolves when the message has left this process. While the parent is away, it waits. The sender waits for answers,
   * which bounds how much that is; lines of the log are dropped beyond a bound.
   */
  tell(message: ToParent, handle?: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (process.connected)
      process.send!(message, handle as SendHandle | undefined, undefined, () => resolve());
    else if (this.#adopted?.destroyed === false) writeFrame(this.#adopted, message, resolve);
    else if (message.kind !== 'printed' || this.#heldLines++ < heldLinesMax)
      this.#held.push({ message, onSent: resolve });
    return promise;
  }

  /** Resolves when a successor of the parent has taken this process over. */
  async findParent(path: string, facts: OrphanFacts): Promise<void> {
    for (;;) {
      try {
        const messages = connect(path);
        await once(messages, 'connect');
        messages.on('error', () => {});
        const frames = new Frames((message) => this.#take(message as ToChild));
        messages.on('data', (piece: Buffer) => frames.add(piece));
        writeFrame(messages, facts);
        for (const { message, onSent } of this.#held.splice(0)) writeFrame(messages, message, onSent);
        this.#heldLines = 0;
        this.#adopted = messages;
        return;
      } catch {
        await delay(adoptionMs);
      }
    }
  }

  /** Resolves when the parent that was found is gone. */
  async lost(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // It may have been reset by a parent that was about to end: `once` of events would reject.
    if (this.#adopted?.destroyed === false) this.#adopted.once('close', () => resolve());
    else resolve();
    await promise;
  }
}
