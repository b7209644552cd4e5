/**
 * One request, from its head to the last byte of its response. It is judged first; then the directive is carried out,
 * and `onResponse` is called exactly once. When one side disconnects, the other is released: nothing is held for a
 * request without a client, and no client waits for an origin that has disconnected.
 */
import { assert } from '#base';
import { FormTexts } from '#request';
import { RequestTimeline } from '../observation/request-timeline.ts';
import { findClientAddress, findClientNetwork } from '../wire/client-address.ts';
import {
  askedHostField,
  readField,
  type RespondDirective,
  clientGoneStatus,
  noAnswerStatus,
  type IncomingRequest,
  type InspectedBody,
  type InspectOptions,
  RequestGone,
  type ExchangeOutcome,
  type Directive,
} from '../wire/exchange.ts';
import { parseAuthority } from '../wire/request/authority.ts';
import { hasBody } from '../wire/body/framing.ts';
import { createRefusalResponse } from '../wire/refusal-response.ts';
import { bodyTooLarge, clientTooSlow, Refusal, type RefusalCode } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import type { Slot } from './admission/slot.ts';
import { SlotWatch } from './admission/slot-watch.ts';
import type { ClientSide, ForwardedExchange } from './exchange-sides.ts';
import { Forwarding } from './forwarding.ts';
import type { BatchedRequest } from './judging-batch.ts';
import type { ProxyCore } from './proxy-core.ts';
import { type BodySource, RequestBody } from './request-body.ts';
import type { Watch } from './watchdog.ts';

const nothing = Buffer.alloc(0);

/** The host that a Worker asks for; the empty string matches no host. */
function readAskedHost({ headers }: RequestHead): string {
  return parseAuthority(readField(headers, askedHostField))?.host ?? '';
}

export class Exchange implements BodySource, BatchedRequest, ForwardedExchange {
  readonly core: ProxyCore;
  readonly client: ClientSide;
  readonly head: RequestHead;
  readonly request: IncomingRequest;
  readonly timeline: RequestTimeline;
  /** Undefined without a body. */
  body: RequestBody | undefined;
  #forwarding: Forwarding | undefined;
  #directive: Directive | undefined;
  /** Set until the whole batch of requests is judged. */
  #given: Directive | undefined;
  #outcome: ExchangeOutcome | undefined;
  #slot: Slot | undefined;
  #watch: Watch | undefined;
  #isInZone = false;
  /** The response is written, but perhaps not sent yet. */
  #isAnswered = false;
  #isOver = false;

  constructor(core: ProxyCore, client: ClientSide, head: RequestHead) {
    this.core = core;
    this.client = client;
    this.head = head;
    const nowMs = core.watchdog.now();
    const { peer, isTls, serverName, facts } = client.connection;
    const saysSecure = peer.isTrusted && head.forwardedProto !== undefined;
    this.request = {
      id: core.nextRequestId(nowMs),
      method: head.method,
      target: head.target,
      httpVersion: head.httpVersion,
      headers: head.headers,
      host: peer.isWorker === true ? readAskedHost(head) : head.host,
      clientAddress: findClientAddress(peer, head.forwardedFor, core.trustedProxies),
      peerAddress: peer.address,
      isSecure: saysSecure ? head.forwardedProto.toLowerCase() === 'https' : isTls,
      serverName,
      isMisdirected: !client.connection.covers(head.host),
      connection: facts,
      isFromWorker: peer.isWorker === true,
      receivedAtMs: nowMs,
      body: hasBody(head.framing)
        ? { declaredLength: head.framing.kind === 'length' ? head.framing.length : undefined }
        : undefined,
    };
    this.timeline = new RequestTimeline(this.request, {
      observer: core.observer,
      isPeerTrusted: peer.isTrusted,
      sent: client.writer,
    });
  }

  /** While it has a deadline, the request's slot can be evicted. */
  get watch(): Watch {
    this.#watch ??= new SlotWatch(this.client.watch, this.#slot!);
    return this.#watch;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `rest` arrived with the head: the start of the body, or the next request. */
  start(rest: Buffer | undefined): void {
    if (this.request.body !== undefined)
      this.body = new RequestBody(
        {
          framing: this.head.framing,
          decoder: this.client.createBodyDecoder(this.head.framing),
          raw: rest ?? nothing,
        },
        this,
        this.core,
      );
    else if (rest !== undefined) this.client.keep(rest);
    const network = findClientNetwork(this.client.connection.peer, this.request.clientAddress);
    const admitted = this.core.admission.admitRequest(network, () => this.refuse(clientTooSlow));
    if (admitted instanceof Refusal) return this.refuse(admitted);
    this.#slot = admitted;
    // A request of a Worker goes to an origin, so it cannot loop.
    if (this.request.isFromWorker !== true && this.head.loop?.includes(this.core.loopToken) === true) {
      return this.refuse(new Refusal('loop_detected', 'The request has already passed through this edge.'));
    }
    this.core.batch.add(this);
  }

  judge(): void {
    // The client may have disconnected in the same turn.
    if (this.#isOver) return;
    try {
      const directive = this.core.judge(this.request, (options) => this.#inspect(options));
      if (directive instanceof Promise) {
        directive.then((given) => this.#act(given)).catch((error: unknown) => this.failJudge(error));
      } else this.#given = directive;
    } catch (error) {
      this.failJudge(error);
    }
  }

  act(): void {
    const directive = this.#given;
    if (directive === undefined) return;
    this.#given = undefined;
    try {
      this.#act(directive);
    } catch (error) {
      this.failJudge(error);
    }
  }

  #inspect({ zone, bytesMax, requestBodyBytesMax }: InspectOptions = {}): Promise<InspectedBody> {
    if (this.body === undefined) {
      return Promise.resolve({ bytes: nothing, isTruncated: false, declaredLength: 0 });
    }
    if (zone !== undefined && !this.#enterZone(zone)) return Promise.reject(new RequestGone());
    if (!this.#limitBody(requestBodyBytesMax)) return Promise.reject(new RequestGone());
    const { inspectionBytesMax } = this.core.limits;
    return bytesMax === undefined
      ? this.body.inspect(inspectionBytesMax, FormTexts.start(this.head.headers, inspectionBytesMax))
      : this.body.inspect(bytesMax);
  }

  /** Returns false if the request was refused because its body is too long. */
  #limitBody(bytesMax = this.core.limits.requestBodyBytesMax): boolean {
    if (this.body === undefined || this.#isOver || this.body.limit(bytesMax)) return true;
    this.refuse(bodyTooLarge);
    return false;
  }

  /** Returns false if the request was refused because its zone has no room. */
  #enterZone(zone: string): boolean {
    if (this.#isInZone || this.#isOver) return true;
    const refusal = this.core.admission.admitToZone(this.#slot!, zone);
    if (refusal !== undefined) this.refuse(refusal);
    else this.#isInZone = true;
    return refusal === undefined;
  }

  #act(directive: Directive): void {
    this.#directive = directive;
    this.timeline.onJudged(directive);
    // The request ended while it was being judged.
    if (this.#outcome !== undefined) this.#tell(this.#outcome);
    if (this.#isOver) return;
    switch (directive.kind) {
      case 'forward': {
        const forwarding = new Forwarding(this, directive);
        if (!this.#enterZone(directive.zone) || !this.#limitBody(directive.requestBodyBytesMax))
          return undefined;
        this.#forwarding = forwarding;
        return forwarding.start();
      }
      case 'answer':
        return this.#answer(directive);
      case 'close':
        this.report({ originStatus: undefined, edgeStatus: noAnswerStatus, refusal: undefined });
        this.client.destroy();
    }
  }

  failJudge(error: unknown): void {
    if (this.#isOver) return;
    this.core.onError(error);
    this.refuse(new Refusal('judge_failed', 'The request could not be judged, so it was not passed on.'));
  }

  #answer(directive: RespondDirective, originStatus?: number): void {
    const { status, headers } = directive;
    const body =
      typeof directive.body === 'string' ? Buffer.from(directive.body) : Buffer.from(directive.body);
    this.#write(status, headers, { body, originStatus });
  }

  replaceResponse(directive: RespondDirective, originStatus: number): void {
    if (!this.#isOver) this.#answer(directive, originStatus);
  }

  /** Sends the refusal, unless a response has started: then the connection is closed in the middle of it. */
  refuse(refusal: Refusal, answer?: RespondDirective): void {
    if (this.#isOver) return;
    const forwarding = this.#forwarding;
    forwarding?.abort();
    this.timeline.onRefusal(refusal);
    this.core.noteRefusal({
      id: this.request.id,
      refusal,
      peerAddress: this.request.peerAddress,
      request: this.request,
    });
    if (forwarding?.hasAnswered === true || this.#isAnswered) return this.client.destroy();
    const own = createRefusalResponse(refusal, this.request.id, this.head.acceptsHtml);
    const { status, headers, body } = answer ?? { ...own, status: refusal.status };
    this.#write(status, headers, { body: Buffer.from(body), refusal: refusal.code });
  }

  #write(
    status: number,
    headers: readonly (readonly [string, string])[],
    {
      body,
      originStatus,
      refusal,
    }: { readonly body: Buffer; readonly originStatus?: number | undefined; readonly refusal?: RefusalCode },
  ): void {
    // Such a response ends with its head, whatever its headers say.
    const isBodiless = status === 204 || status === 304;
    const isLast = !this.canContinue;
    const { writer } = this.client;
    writer.writeOwnHead(status, headers, {
      requestId: this.request.id,
      requestIdHeader: this.core.requestIdHeader,
      framing: isBodiless ? { kind: 'none' } : { kind: 'length', length: body.length },
      fields: this.#directive?.responseFields,
      isLast,
    });
    this.report({ originStatus, edgeStatus: status, refusal });
    if (!isBodiless && this.head.method !== 'HEAD') writer.writeBody(body);
    writer.finish();
    this.complete(isLast);
  }

  /** Whether the connection can currently serve another request after this one. */
  get canContinue(): boolean {
    return this.head.isKeptAlive && this.body?.isComplete !== false && !this.core.isClosing;
  }

  /** The response is completely written. */
  complete(isLast: boolean): void {
    this.#isAnswered = true;
    this.client.whenSent(() => {
      if (this.#isOver) return;
      this.#end({ isComplete: true });
      this.client.finishExchange(isLast);
    });
  }

  /** The client does not read the response: from now on it has a deadline, and its slot can be evicted. */
  awaitReader(): void {
    const watch = this.#slot === undefined ? this.client.watch : this.watch;
    const { writeStallMs, hurriedStallMs } = this.core.timeouts;
    watch.within(this.#slot?.isHurried === true ? hurriedStallMs : writeStallMs);
  }

  /** The connection continues with another protocol. */
  detach(): void {
    this.#end({ isComplete: true });
  }

  /** Only the first call counts. */
  report(outcome: ExchangeOutcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.timeline.onResponse(outcome);
    if (this.#directive !== undefined) this.#tell(outcome);
  }

  #tell(outcome: ExchangeOutcome): void {
    try {
      this.#directive?.onResponse?.(outcome);
    } catch (error) {
      this.core.onError(error);
    }
  }

  /** Returns whether the bytes belonged to the request. */
  onClientData(bytes: Buffer): boolean {
    if (this.body === undefined || this.body.isComplete) return false;
    this.body.push(bytes);
    return true;
  }

  onClientDrain(): void {
    this.#forwarding?.onClientDrain();
  }

  onClientLate(): void {
    if (this.body?.isComplete === false)
      this.refuse(new Refusal('body_timeout', 'The body of the request took too long.'));
    else this.client.destroy();
  }

  onClientGone(): void {
    this.#forwarding?.abort();
    this.report({ originStatus: undefined, edgeStatus: clientGoneStatus, refusal: undefined });
    this.#end({ isComplete: false });
  }

  #end({ isComplete }: { readonly isComplete: boolean }): void {
    assert(!this.#isOver, 'an exchange ends once');
    this.#isOver = true;
    this.body?.abandon();
    this.#slot?.release();
    const receivedBytes = this.client.headBytes + (this.body?.receivedBytes ?? 0);
    this.timeline.onEnd({ receivedBytes, isComplete, body: this.body?.recorded });
  }

  pause(): void {
    this.client.pause();
  }

  resume(): void {
    this.client.resume();
  }

  invite(): void {
    if (this.head.expectsContinue) this.client.writer.writeContinue();
  }

  onBodyRead(rest: Buffer): void {
    this.client.keep(rest);
  }

  onBodyFault(refusal: Refusal): void {
    this.refuse(refusal);
  }
}
