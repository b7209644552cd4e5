/**
 * Reads what children send, in turns of the event loop: however much one of them sends, and however fast, all of them
 * together take a few milliseconds of a turn, and what is left waits for the next one. A child that sends faster than that
 * waits in the kernel, so what is not read takes no memory here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
// Not the global one: objects put their own in its place.
import { setImmediate } from 'node:timers';
import { intakeMsMax } from '../limits.ts';

/** Cuts what arrives into what is taken. */
export interface Splitter<Piece, Item> {
  add(piece: Piece): void;
  /** The next whole one; undefined if there is none yet. */
  next(): Item | undefined;
}

export interface IntakeOptions<Piece, Item> {
  readonly splitter: Splitter<Piece, Item>;
  readonly take: (item: Item) => void;
  /** Called with what the splitter or `take` has thrown; nothing more is read then. */
  readonly onFault: (error: unknown) => void;
}

/** Those with something left, in the order of their next turn. */
const waiting = new Set<Intake<never, unknown>>();
let isTurnOpen = false;
let turnEndsMs = 0;

function isTimeLeft(): boolean {
  if (!isTurnOpen) {
    isTurnOpen = true;
    turnEndsMs = performance.now() + intakeMsMax;
    setImmediate(endTurn);
  }
  return performance.now() < turnEndsMs;
}

function endTurn(): void {
  isTurnOpen = false;
  for (const each of [...waiting]) each.takeTurn();
}

export class Intake<Piece, Item> {
  readonly #stream: Readable;
  readonly #options: IntakeOptions<Piece, Item>;
  /** The turn of another child calls this, too. */
  readonly #inContext = AsyncLocalStorage.snapshot();
  #isBroken = false;

  constructor(stream: Readable, options: IntakeOptions<Piece, Item>) {
    this.#stream = stream;
    this.#options = options;
    stream.on('data', (piece: Piece) => this.#add(piece));
    // The pipe of a process that was ended.
    stream.on('error', () => {});
  }

  /** At least one, so that nothing waits for ever; called by the event loop. */
  takeTurn(): void {
    waiting.delete(this as never);
    this.#inContext(() => this.#takeAll());
  }

  #add(piece: Piece): void {
    if (this.#isBroken) return;
    this.#options.splitter.add(piece);
    if (isTimeLeft()) this.#takeAll();
    else this.#wait();
  }

  #takeAll(): void {
    const { splitter, take, onFault } = this.#options;
    try {
      do {
        const item = splitter.next();
        if (item === undefined) return void this.#stream.resume();
        take(item);
      } while (isTimeLeft());
      this.#wait();
    } catch (error) {
      this.#isBroken = true;
      this.#stream.destroy();
      onFault(error);
    }
  }

  #wait(): void {
    this.#stream.pause();
    waiting.add(this as never);
  }
}
