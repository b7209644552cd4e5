/**
 * The body of one request. It is read only on demand: the client's connection is paused until the judge inspects the
 * body or it is sent to the origin. The inspected part is kept and sent first. At most `heldBodyBytesMax` and one read
 * of the socket are held in memory while it arrives; if the inspection limit is raised, the rest waits on disk, and
 * only a few such bodies are read back at a time.
 *
 * A form with files is inspected to its end, because a field may follow a file: everything beyond the inspection limit
 * waits on disk as well, and memory holds only its texts, which have the same limit. When it turns out not to be a
 * plain form, or its texts are too long, it is treated like any other long body.
 */
import type { FormTexts } from '#request';
import type { BodyDecoder } from '../wire/body/decoder.ts';
import { type InspectedBody, RequestGone } from '../wire/exchange.ts';
import type { Framing } from '../wire/body/framing.ts';
import { heldBodyBytesMax, type WireLimits, type WireTimeouts } from '../wire/limits.ts';
import { bodyTooLarge, clientTooSlow, Refusal } from '../wire/refusal.ts';
import type { EdgeObserver, RecordedBody } from '../observation/edge-observer.ts';
import { BodyPace } from './body-pace.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Upload } from './uploads/upload.ts';
import type { Uploads } from './uploads/uploads.ts';
import type { Watch } from './watchdog.ts';

/** The source of the body. */
export interface BodySource {
  readonly watch: Watch;
  pause(): void;
  resume(): void;
  /** Sends `100 Continue`, if the client waits for it. */
  invite(): void;
  /** The body is complete; `rest` contains the bytes after it. */
  onBodyRead(rest: Buffer): void;
  onBodyFault(refusal: Refusal): void;
  /** The disk failed. */
  failJudge(error: unknown): void;
}

export interface BodyOptions {
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: { now(): number };
  readonly observer: Pick<EdgeObserver, 'recordedBodyBytesMax'>;
  readonly uploads: Pick<Uploads, 'open'>;
}

/** The bytes that have arrived, and how to read the rest. */
export interface ArrivingBody {
  readonly framing: Framing;
  readonly decoder: BodyDecoder;
  /** Bytes that arrived with the head, not decoded. */
  readonly raw: Buffer;
}

/** The destination of the body. */
export interface BodySink {
  /** Returns whether it keeps up; if not, it calls `proceed` when it has caught up. */
  onBodyData(bytes: Buffer): boolean;
  onBodyEnd(): void;
}

export class RequestBody {
  readonly #source: BodySource;
  #bytesMax: number;
  readonly #createPace: () => BodyPace;
  readonly #decoder: BodyDecoder;
  readonly #declaredLength: number | undefined;
  /** Bytes that arrived with the head, not decoded. */
  #raw: Buffer | undefined;
  /** Decoded, but not passed on yet. */
  readonly #held = new HeldBytes();
  #bytes = 0;
  /** Set from the moment the body is needed. */
  #pace: BodyPace | undefined;
  #inspectionBytesMax = 0;
  /** Set if the body may be a form with files. */
  #form: FormTexts | undefined;
  readonly #uploads: BodyOptions['uploads'];
  /** Bytes received before `#held`, if they are many. */
  #upload: Upload | undefined;
  #isSendingUpload = false;
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
    { framing, decoder, raw }: ArrivingBody,
    source: BodySource,
    { limits, timeouts, watchdog, observer, uploads }: BodyOptions,
  ) {
    this.#decoder = decoder;
    this.#declaredLength = framing.kind === 'length' ? framing.length : undefined;
    this.#raw = raw;
    this.#source = source;
    this.#recordedBytesMax = observer.recordedBodyBytesMax ?? 0;
    this.#bytesMax = limits.requestBodyBytesMax;
    this.#uploads = uploads;
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

  /** Bytes of the body that have arrived, without chunk framing. */
  get receivedBytes(): number {
    return this.#bytes;
  }

  /** The start of what has arrived; undefined if it is not wanted or nothing has arrived. */
  get recorded(): RecordedBody | undefined {
    if (this.#recordedBytes === 0) return undefined;
    const isWhole = this.#decoder.isDone && this.#recordedBytes === this.#bytes;
    return { bytes: Buffer.concat(this.#recorded), isWhole };
  }

  /** Sets the maximum length. Returns false if the declared length exceeds it. */
  limit(bytesMax: number): boolean {
    this.#bytesMax = bytesMax;
    return this.#declaredLength === undefined || this.#declaredLength <= bytesMax;
  }

  /** Inspects all texts of a form, or the start of any other body. */
  inspect(bytesMax: number, form?: FormTexts): Promise<InspectedBody> {
    if (this.#inspection === undefined) {
      this.#inspectionBytesMax = bytesMax;
      this.#form = form;
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

  /** Bytes from the client, until the body is complete. */
  push(bytes: Buffer): void {
    const body = this.#decoder.decode(bytes);
    if (this.#decoder.isBroken) {
      return this.#source.onBodyFault(new Refusal('bad_chunk', 'The chunks of the body are malformed.'));
    }
    this.#bytes += body.length;
    if (this.#bytes > this.#bytesMax) return this.#source.onBodyFault(bodyTooLarge);
    this.#record(body);
    this.#pace!.note(bytes.length);
    if (this.#upload === undefined || this.#isInspected) this.#held.push(body);
    else {
      this.#form?.push(body);
      if (!this.#keepOnDisk(this.#upload, [body])) return;
    }
    if (this.#decoder.isDone) {
      this.#upload?.end();
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
    this.#form = undefined;
    this.#upload?.[Symbol.dispose]();
    this.#inspection?.reject(new RequestGone());
  }

  /** Copies, because a socket may reuse the memory it reads into. */
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
    const isLong = this.#bytes > bytesMax;
    if (isLong && this.#form !== undefined && this.#settleForm(this.#form)) return;
    if (!isLong && !this.#decoder.isDone) {
      if (this.#upload !== undefined || this.#bytes <= heldBodyBytesMax) return;
      this.#form?.push(this.#held.join());
      return this.#openUpload();
    }
    this.#isInspected = true;
    this.#form = undefined;
    // A client whose body is complete is still read, to detect a disconnect.
    if (!this.#decoder.isDone) this.#hold();
    const settle = (all: Buffer): void =>
      this.#inspection!.resolve({
        bytes: all.subarray(0, bytesMax),
        isTruncated: isLong,
        declaredLength: isLong && this.#decoder.isDone ? this.#bytes : this.#declaredLength,
        bytesMax,
      });
    if (this.#upload === undefined) settle(this.#held.join());
    else this.#upload.readBeginning(bytesMax).then(settle, (error: unknown) => this.#source.failJudge(error));
  }

  /** Returns false if the body is treated like any other long body. */
  #settleForm(form: FormTexts): boolean {
    // Short forms are inspected whole, so nothing was read before.
    if (this.#upload === undefined) form.push(this.#held.join());
    if (this.#decoder.isDone ? form.state !== 'closed' : form.state !== 'open' && form.state !== 'closed')
      return false;
    if (!this.#decoder.isDone) {
      if (this.#upload === undefined) this.#openUpload();
      return true;
    }
    this.#isInspected = true;
    this.#form = undefined;
    this.#inspection!.resolve({
      bytes: form.toBuffer(),
      isTruncated: false,
      leavesOutFiles: true,
      declaredLength: this.#bytes,
      bytesMax: this.#inspectionBytesMax,
    });
    return true;
  }

  #openUpload(): void {
    try {
      const upload = this.#uploads.open({
        onDrain: () => this.#onUploadWritten(),
        onError: (error) => this.#source.failJudge(error),
        onEvicted: () => this.#source.onBodyFault(clientTooSlow),
      });
      this.#upload = upload;
      this.#keepOnDisk(upload, this.#held.take());
    } catch (error) {
      this.#source.failJudge(error);
    }
  }

  /** Returns false if the request was refused. */
  #keepOnDisk(upload: Upload, pieces: readonly Buffer[]): boolean {
    for (const bytes of pieces) {
      const kept = upload.write(bytes);
      if (kept === 'wait' && !this.#decoder.isDone) this.#hold();
      if (kept !== 'no room') continue;
      this.#source.onBodyFault(
        new Refusal('uploads_too_busy', 'Too many uploads are in progress. Try again later.'),
      );
      return false;
    }
    return true;
  }

  #onUploadWritten(): void {
    if (this.#isGone || this.#isInspected || this.#decoder.isDone) return;
    this.#pace!.start();
    this.#source.resume();
  }

  /** Sends the bytes on disk, then those in memory. */
  async #sendUpload(upload: Upload, sink: BodySink): Promise<void> {
    if (this.#isSendingUpload) return;
    this.#isSendingUpload = true;
    try {
      let bytes = await upload.readNext();
      while (bytes.length > 0 && !this.#isGone && sink.onBodyData(bytes)) bytes = await upload.readNext();
      this.#isSendingUpload = false;
      if (this.#isGone || bytes.length > 0) return;
      upload[Symbol.dispose]();
      this.#upload = undefined;
      this.proceed();
    } catch (error) {
      this.#source.failJudge(error);
    }
  }

  /** Passes all bytes in memory to the sink. Returns whether it accepts more. */
  #passOn(sink: BodySink): boolean {
    if (this.#upload !== undefined) {
      void this.#sendUpload(this.#upload, sink);
      return false;
    }
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
