/**
 * A response that is judged before the client gets any of it. Its body is held until it is complete or has the length
 * that rules inspect; bytes that arrive during judging are held as well, so the writer pauses then.
 */
import type { ResponseInspection, ResponseRuling } from '../../wire/exchange.ts';
import type { ResponseHead } from '../../wire/response-head.ts';
import { HeldBytes } from '../held-bytes.ts';

interface HeldResponseParts {
  readonly head: ResponseHead;
  readonly inspection: ResponseInspection;
  /** Called once. */
  readonly onJudged: (ruling: ResponseRuling, held: HeldResponse) => void;
  readonly onError: (error: unknown) => void;
}

export class HeldResponse {
  readonly head: ResponseHead;
  readonly #parts: HeldResponseParts;
  readonly #held = new HeldBytes();
  /** Whether it was passed to the rules. */
  isJudging = false;
  /** Whether the origin has sent all of it. */
  isComplete = false;

  constructor(parts: HeldResponseParts) {
    this.#parts = parts;
    this.head = parts.head;
  }

  /** Judges a response at once if rules do not read its body. */
  start(): void {
    const { head, inspection } = this.#parts;
    const isRead = head.framing.kind !== 'none' && inspection.readsBody(head);
    if (!isRead) this.#judge(Buffer.alloc(0), head.framing.kind !== 'none');
  }

  push(bytes: Buffer): void {
    this.#held.push(bytes);
    if (this.#held.length >= this.#parts.inspection.heldBytesMax) this.#judgeHeld();
  }

  end(): void {
    this.isComplete = true;
    this.#judgeHeld();
  }

  /** The body received so far. */
  take(): readonly Buffer[] {
    return this.#held.take();
  }

  #judgeHeld(): void {
    if (this.isJudging) return;
    const { heldBytesMax } = this.#parts.inspection;
    const bytes = this.#held.join();
    this.#judge(bytes.subarray(0, heldBytesMax), !this.isComplete || bytes.length > heldBytesMax);
  }

  #judge(bytes: Buffer, isTruncated: boolean): void {
    this.isJudging = true;
    const { head, inspection, onJudged, onError } = this.#parts;
    try {
      const ruling = inspection.judge({ head, bytes, isTruncated });
      if (ruling instanceof Promise) ruling.then((given) => onJudged(given, this)).catch(onError);
      else onJudged(ruling, this);
    } catch (error) {
      onError(error);
    }
  }
}
