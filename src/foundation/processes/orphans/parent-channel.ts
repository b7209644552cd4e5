/**
 * How a child talks to its parent: over a pipe, and after the end of that parent to its successor, if the child may outlive
 * it (`orphans.ts`). What is said meanwhile waits.
 */
import { connect, Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Frames, writeFrame } from '../channel/frames.ts';
import { adoptionMs, heldLinesMax } from '../limits.ts';
import { channelFd, type ToChild, type ToParent } from '../messages.ts';
import type { OrphanFacts } from './orphans.ts';

interface Held {
  readonly message: ToParent;
  readonly onSent: () => void;
}

export class ParentChannel {
  readonly #take: (message: ToChild) => void;
  /** To the parent that has started this process, or to the last that has taken it over. */
  #parent = new Socket({ fd: channelFd });
  #isFirst = true;
  readonly #held: Held[] = [];
  #heldLines = 0;

  constructor(take: (message: ToChild) => void) {
    this.#take = take;
    this.#read(this.#parent);
  }

  /** Whether there is a parent to talk to. */
  get isOpen(): boolean {
    return !this.#parent.destroyed;
  }

  /** Whether that is the one that reads what this process prints. */
  get isFirst(): boolean {
    return this.#isFirst && this.isOpen;
  }

  /**
   * Resolves when the message has left this process. While the parent is away, it waits. The sender waits for answers,
   * which bounds how much that is; lines of the log are dropped beyond a bound.
   */
  tell(message: ToParent): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.isOpen) writeFrame(this.#parent, message, resolve);
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
        this.#read(messages);
        writeFrame(messages, facts);
        for (const { message, onSent } of this.#held.splice(0)) writeFrame(messages, message, onSent);
        this.#heldLines = 0;
        this.#parent = messages;
        this.#isFirst = false;
        return;
      } catch {
        await delay(adoptionMs);
      }
    }
  }

  /** Resolves when the parent is gone. */
  async lost(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // It may have been reset by a parent that was about to end: `once` of events would reject.
    if (this.isOpen) this.#parent.once('close', () => resolve());
    else resolve();
    await promise;
  }

  #read(parent: Socket): void {
    parent.on('error', () => {});
    // A parent can send whatever it has.
    const frames = new Frames(Infinity);
    parent.on('data', (piece: Buffer) => {
      frames.add(piece);
      for (let next = frames.next(); next !== undefined; next = frames.next())
        this.#take(next.message as ToChild);
    });
  }
}
