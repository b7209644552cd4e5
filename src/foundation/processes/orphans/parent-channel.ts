/**
 * A child's connection to its parent: a pipe, and after the end of that parent a connection to its successor, if the
 * child may outlive it (`orphans.ts`). Messages sent in between wait.
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
  /** The connection to the parent that started this process, or to the last one that adopted it. */
  #parent = new Socket({ fd: channelFd });
  #isFirst = true;
  readonly #held: Held[] = [];
  #heldLines = 0;

  constructor(take: (message: ToChild) => void) {
    this.#take = take;
    this.#read(this.#parent);
  }

  /** Whether there is a connected parent. */
  get isOpen(): boolean {
    return !this.#parent.destroyed;
  }

  /** Whether it is the parent that reads this process's output. */
  get isFirst(): boolean {
    return this.#isFirst && this.isOpen;
  }

  /**
   * Resolves when the message has left this process. Without a parent, it waits. Senders wait for answers, which bounds
   * the amount; log lines beyond a limit are dropped.
   */
  tell(message: ToParent): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.isOpen) writeFrame(this.#parent, message, resolve);
    else if (message.kind !== 'printed' || this.#heldLines++ < heldLinesMax)
      this.#held.push({ message, onSent: resolve });
    return promise;
  }

  /** Resolves when a successor of the parent has adopted this process. */
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

  /** Resolves when the parent has disconnected. */
  async lost(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // A parent that was about to end may have reset the connection: `once` of events would reject.
    if (this.isOpen) this.#parent.once('close', () => resolve());
    else resolve();
    await promise;
  }

  #read(parent: Socket): void {
    parent.on('error', () => {});
    // Messages of a parent have no size limit.
    const frames = new Frames(Infinity);
    parent.on('data', (piece: Buffer) => {
      frames.add(piece);
      for (let next = frames.next(); next !== undefined; next = frames.next())
        this.#take(next.message as ToChild);
    });
  }
}
