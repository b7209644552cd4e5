/**
 * The body of one request. It is not read before it is needed: the client's connection is paused until the judge inspects
 * the body or it is sent to the origin. The inspected part is kept and sent first. At most the inspection limit and one read
 * of the socket are held.
 */
import { createBodyDecoder } from '../wire/body/body-decoder.ts';
import type { BodyDecoder } from '../wire/body/decoder.ts';
import { type InspectedBody, RequestGone } from '../wire/exchange.ts';
import type { Framing } from '../wire/body/framing.ts';
import type { WireLimits, WireTimeouts } from '../wire/limits.ts';
import { Refusal } from '../wire/refusal.ts';
import type { EdgeObserver, RecordedBody } from '../observation/edge-observer.ts';
import { BodyPace } from './body-pace.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Watch } from './watchdog.ts';

/** The source of the body. */
export interface BodySource {
  readonly watch: Watch;
  pause(): void;
  resume(): void;
  /** Sends `100 Continue`, if the client waits for it. */
  invite(): void;
  /** The body is complete; these bytes came after it. */
  onBodyRead(rest: Buffer): void;
  onBodyFault(refusal: Refusal): void;
}

export interface BodyOptions {
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: { now(): number };
  readonly observer: Pick<EdgeObserver, 'recordedBodyBytesMax'>;
}

/** The destination of the body. */
export interface BodySink {
  /** Returns whether it keeps up; if not, `proceed` is called when it has. */
  onBodyData(bytes: Buffer): boolean;
  onBodyEnd(): void;
}

export class RequestBody {
  readonly #source: BodySource;
  readonly #limits: WireLimits;
  readonly #createPace: () => BodyPace;
  readonly #decoder: BodyDecoder;
  readonly #declaredLength: number | undefined;
  /** Arrived with the head, not decoded. */
  #raw: Buffer | undefined;
  /** Decoded, but not passed on yet. */
  readonly #held = new HeldBytes();
  #bytes = 0;
  /** From when it is needed. */
  #pace: BodyPace | undefined;
  #inspectionBytesMax: number;
  #sink: BodySink | undefined;
  #inspection: PromiseWithResolvers<InspectedBody> | undefined;
  #isInspected = false;
  #isStarted = false;
  /** The sink does not keep up. */
  #isBlocked = false;
  #isGone = false;
  readonly #recordedBytesMax: number;
  readonly #recorded: Buffer[] = [];
  #recordedBytes = 0;

  constructor(
    framing: Framing,
    raw: Buffer,
    source: BodySource,
    { limits, timeouts, watchdog, observer }: BodyOptions,
  ) {
    this.#decoder = createBodyDecoder(framing);
    this.#declaredLength = framing.kind === 'length' ? framing.length : undefined;
    this.#raw = raw;
    this.#source = source;
    this.#recordedBytesMax = observer.recordedBodyBytesMax ?? 0;
    this.#limits = limits;
    this.#inspectionBytesMax = limits.inspectionBytesMax;
    this.#createPace = () =>
      new BodyPace({
        watch: source.watch,
        idleMs: timeouts.bodyIdleMs,
        bytesPerSecondMin: limits.bodyBytesPerSecondMin,
        now: () => watchdog.now(),
      });
    source.pause();
  }

  get isComplete(): boolean {
    return this.#decoder.isDone;
  }

  /** What has arrived of it, without the framing of chunks. */
  get receivedBytes(): number {
    return this.#bytes;
  }

  /** The beginning of what has arrived; undefined if nobody wants it or nothing has. */
  get recorded(): RecordedBody | undefined {
    if (this.#recordedBytes === 0) return undefined;
    const isWhole = this.#decoder.isDone && this.#recordedBytes === this.#bytes;
    return { bytes: Buffer.concat(this.#recorded), isWhole };
  }

  inspect(bytesMax?: number): Promise<InspectedBody> {
    if (this.#inspection === undefined) {
      this.#inspectionBytesMax = bytesMax ?? this.#limits.inspectionBytesMax;
      this.#inspection = Promise.withResolvers();
      // The judge may no longer need it.
      this.#inspection.promise.catch(() => {});
      if (this.#isGone || this.#sink !== undefined) this.#inspection.reject(new RequestGone());
      else this.#start();
    }
    return this.#inspection.promise;
  }

  flowTo(sink: BodySink): void {
    this.#sink = sink;
    if (!this.#isStarted) return this.#start();
    this.proceed();
  }

  /** The sink has caught up. */
  proceed(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#isGone || !this.#passOn(sink)) return;
    if (this.#decoder.isDone) return;
    this.#pace!.start();
    this.#source.resume();
  }

  /** Bytes from the client, while the body is not complete. */
  push(bytes: Buffer): void {
    const body = this.#decoder.decode(bytes);
    if (this.#decoder.isBroken) {
      return this.#source.onBodyFault(new Refusal('bad_chunk', 'The chunks of the body are malformed.'));
    }
    this.#bytes += body.length;
    if (this.#bytes > this.#limits.requestBodyBytesMax) {
      return this.#source.onBodyFault(new Refusal('body_too_large', 'The body is too large.'));
    }
    this.#record(body);
    this.#pace!.note(bytes.length);
    this.#held.push(body);
    if (this.#decoder.isDone) {
      this.#pace!.pause();
      this.#source.onBodyRead(bytes.subarray(this.#decoder.restOffset));
    }
    if (this.#inspection !== undefined && !this.#isInspected) this.#settleInspection();
    if (this.#sink !== undefined) this.#passOn(this.#sink);
  }

  /** The request is over, and its body will not arrive. */
  abandon(): void {
    this.#isGone = true;
    this.#held.take();
    this.#raw = undefined;
    if (!this.#isInspected) this.#inspection?.reject(new RequestGone());
  }

  /** A copy: the memory that a socket reads into may be used again. */
  #record(body: Buffer): void {
    const room = this.#recordedBytesMax - this.#recordedBytes;
    if (room <= 0 || body.length === 0) return;
    const kept = Buffer.from(body.subarray(0, room));
    this.#recorded.push(kept);
    this.#recordedBytes += kept.length;
  }

  #start(): void {
    this.#isStarted = true;
    const raw = this.#raw!;
    this.#raw = undefined;
    this.#pace = this.#createPace();
    this.#pace.start();
    if (raw.length > 0) this.push(raw);
    else this.#source.invite();
    const isWanted = this.#sink === undefined ? !this.#isInspected : !this.#isBlocked;
    if (isWanted && !this.#isGone && !this.#decoder.isDone && !this.#decoder.isBroken) this.#source.resume();
  }

  #settleInspection(): void {
    const bytesMax = this.#inspectionBytesMax;
    const isTruncated = this.#held.length > bytesMax;
    if (!isTruncated && !this.#decoder.isDone) return;
    this.#isInspected = true;
    // A client whose body is complete is still read, to notice that it leaves.
    if (!this.#decoder.isDone) this.#hold();
    const all = this.#held.join();
    this.#inspection!.resolve({
      bytes: isTruncated ? all.subarray(0, bytesMax) : all,
      isTruncated,
      declaredLength: this.#declaredLength,
    });
  }

  /** Passes everything held to the sink. Returns whether it accepts more. */
  #passOn(sink: BodySink): boolean {
    let keepsUp = true;
    for (const bytes of this.#held.take()) keepsUp = sink.onBodyData(bytes);
    if (this.#decoder.isDone) {
      this.#sink = undefined;
      sink.onBodyEnd();
    } else if (!keepsUp) this.#hold();
    this.#isBlocked = !keepsUp;
    return keepsUp;
  }

  #hold(): void {
    this.#source.pause();
    this.#pace!.pause();
  }
}
