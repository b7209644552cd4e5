/** Collects the events of one request, and reports them to the observer when the request ends. */
import {
  clientGoneStatus,
  type Directive,
  type HeaderField,
  type IncomingRequest,
  type Origin,
  type ExchangeOutcome,
} from '../wire/exchange.ts';
import type { Refusal } from '../wire/refusal.ts';
import {
  type EdgeObserver,
  noObserver,
  type OriginRecord,
  type RecordedBody,
  type RequestTrace,
} from './edge-observer.ts';

/** Bytes written to the client's connection by all of its requests. */
export interface SentBytes {
  readonly sentBytes: number;
  readonly bodyBytes: number;
}

export interface TimelineParts {
  readonly observer: EdgeObserver;
  readonly isPeerTrusted: boolean;
  readonly sent: SentBytes;
}

interface RequestEnd {
  readonly receivedBytes: number;
  readonly isComplete: boolean;
  readonly body: RecordedBody | undefined;
}

const gone: ExchangeOutcome = { originStatus: undefined, edgeStatus: clientGoneStatus, refusal: undefined };

export class RequestTimeline {
  readonly #observer: EdgeObserver;
  readonly #request: IncomingRequest;
  readonly #sent: SentBytes;
  readonly #sentBytesBefore: number;
  readonly #bodyBytesBefore: number;
  readonly #trace: RequestTrace | undefined;
  /** Undefined without an observer. */
  readonly #start: number | undefined;
  #about: Directive['about'];
  #outcome: ExchangeOutcome | undefined;
  #refusal: Refusal | undefined;
  #judgedMs: number | undefined;
  #firstByteMs: number | undefined;
  #origin: Origin | undefined;
  #connectStartMs: number | undefined;
  #originRequestMs: number | undefined;
  #originResponseMs: number | undefined;

  constructor(request: IncomingRequest, { observer, isPeerTrusted, sent }: TimelineParts) {
    this.#observer = observer;
    this.#start = observer === noObserver ? undefined : performance.now();
    this.#request = request;
    this.#sent = sent;
    this.#sentBytesBefore = sent.sentBytes;
    this.#bodyBytesBefore = sent.bodyBytes;
    this.#trace = observer.startTrace?.(request, isPeerTrusted);
  }

  /** Fields for the origin, in addition to those of the directive. */
  addOriginFields(fields: readonly HeaderField[] | undefined): readonly HeaderField[] | undefined {
    const ours = this.#trace?.originFields;
    if (ours === undefined) return fields;
    return fields === undefined ? ours : [...fields, ...ours];
  }

  onJudged(directive: Directive): void {
    this.#about = directive.about;
    this.#judgedMs = this.#elapsedMs();
  }

  /** The response was judged as well. */
  onResponseJudged(about: Directive['about']): void {
    this.#about = about;
  }

  onOriginConnect(origin: Origin): void {
    this.#origin = origin;
    this.#connectStartMs = this.#elapsedMs();
    this.#originRequestMs = undefined;
  }

  onOriginRequest(origin: Origin): void {
    this.#origin = origin;
    this.#originRequestMs = this.#elapsedMs();
  }

  onOriginResponse(): void {
    this.#originResponseMs = this.#elapsedMs();
  }

  /** The head of the response is being written. */
  onResponse(outcome: ExchangeOutcome): void {
    this.#outcome = outcome;
    if (outcome.edgeStatus !== clientGoneStatus) this.#firstByteMs = this.#elapsedMs();
  }

  onRefusal(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  onEnd({ receivedBytes, isComplete, body }: RequestEnd): void {
    if (this.#start === undefined) return;
    const about = this.#about;
    const refusal = this.#refusal;
    const outcome = this.#outcome ?? gone;
    this.#observer.onRequest({
      id: this.#request.id,
      receivedAtMs: this.#request.receivedAtMs,
      peerAddress: this.#request.peerAddress,
      request: this.#request,
      zone: about?.zone,
      verdict: about?.verdict ?? 'refused',
      ruleId: about?.ruleId,
      hasEvents: about?.hasEvents === true,
      asked: about?.asked,
      outcome: refusal === undefined ? outcome : { ...outcome, refusal: refusal.code },
      reason: refusal?.detail?.text ?? refusal?.message,
      isPrivateOrigin: refusal?.detail?.isPrivateOrigin === true,
      isComplete,
      receivedBytes,
      sentBytes: this.#sent.sentBytes - this.#sentBytesBefore,
      sentBodyBytes: this.#sent.bodyBytes - this.#bodyBytesBefore,
      judgedMs: this.#judgedMs,
      firstByteMs: this.#firstByteMs,
      endMs: this.#elapsedMs(),
      origin: this.#describeOrigin(),
      body,
      trace: this.#trace,
    });
  }

  #describeOrigin(): OriginRecord | undefined {
    if (this.#origin === undefined) return undefined;
    const { host, port, connectTo, worker } = this.#origin;
    return {
      address: worker === undefined ? `${connectTo ?? host}:${port}` : host,
      connectStartMs: this.#connectStartMs,
      requestMs: this.#originRequestMs,
      responseMs: this.#originResponseMs,
    };
  }

  #elapsedMs(): number {
    return this.#start === undefined ? 0 : performance.now() - this.#start;
  }
}
