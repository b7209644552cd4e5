/**
 * Reads messages of child processes, in turns of the event loop: however much one of them sends, and however fast, all
 * of them together take a few milliseconds of a turn, and the rest waits for the next one. A single message can take
 * longer: then its sender is not read for as long again. A child that sends faster blocks in the kernel, so unread data
 * takes no memory.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
// Not the global functions: objects replace those.
import { setImmediate, setTimeout } from 'node:timers';
import { intakeMsMax } from '../limits.ts';

/** Splits the incoming data into items. */
interface Splitter<Piece, Item> {
  add(piece: Piece): void;
  /** The next complete item; undefined if there is none yet. */
  next(): Item | undefined;
}

export interface IntakeOptions<Piece, Item> {
  readonly splitter: Splitter<Piece, Item>;
  readonly take: (item: Item) => void;
  /** Called with the error of the splitter or of `take`; nothing more is read then. */
  readonly onFault: (error: unknown) => void;
}

/** Intakes with unread items, in the order of their next turn. */
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
  /** The turn of another child also runs this. */
  readonly #inContext = AsyncLocalStorage.snapshot();
  #isBroken = false;

  constructor(stream: Readable, options: IntakeOptions<Piece, Item>) {
    this.#stream = stream;
    this.#options = options;
    stream.on('data', (piece: Piece) => this.#add(piece));
    // From the pipe of a process that was ended.
    stream.on('error', () => {});
    // The splitter of an adopted process may already contain data.
    setImmediate(() => this.takeTurn());
  }

  /** Takes at least one item, so that none waits forever; called by the event loop. */
  takeTurn(): void {
    waiting.delete(this as never);
    if (this.#isBroken) return;
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
    const startMs = performance.now();
    try {
      do {
        const item = splitter.next();
        if (item === undefined) return void this.#stream.resume();
        take(item);
      } while (isTimeLeft());
      this.#wait(performance.now() - startMs);
    } catch (error) {
      this.#isBroken = true;
      this.#stream.destroy();
      onFault(error);
    }
  }

  #wait(tookMs = 0): void {
    this.#stream.pause();
    if (tookMs <= 2 * intakeMsMax) return void waiting.add(this as never);
    setTimeout(() => this.takeTurn(), tookMs).unref();
  }
}
