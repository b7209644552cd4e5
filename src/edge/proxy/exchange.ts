/**
 * One request, from its head to the last byte of its answer. It is judged first; what the verdict says is done, and
 * exactly once told to `onResponse`. Whichever side leaves, the other is let go: nothing is held for a request that has
 * no client, and no client waits for an origin that is gone.
 */
import { assert } from '#base';
import { clientAddressOf } from '../wire/client-address.ts';
import {
  type AnswerVerdict,
  clientGoneStatus,
  noAnswerStatus,
  type IncomingRequest,
  type InspectedBody,
  type Outcome,
  type Verdict,
} from '../wire/exchange.ts';
import { ownHead } from '../wire/forwarded-head.ts';
import { hasBody } from '../wire/body/framing.ts';
import { refusalAnswer } from '../wire/refusal-answer.ts';
import { Refusal } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import type { ClientSide, ForwardedExchange } from './exchange-sides.ts';
import { Forwarding } from './forwarding.ts';
import type { ProxyCore } from './proxy-core.ts';
import { type BodySource, RequestBody } from './request-body.ts';
import type { Watch } from './watchdog.ts';

const nothing = Buffer.alloc(0);

export class Exchange implements BodySource, ForwardedExchange {
  readonly core: ProxyCore;
  readonly client: ClientSide;
  readonly head: RequestHead;
  readonly request: IncomingRequest;
  /** Undefined without one. */
  body: RequestBody | undefined;
  #forwarding: Forwarding | undefined;
  #verdict: Verdict | undefined;
  #outcome: Outcome | undefined;
  #isAdmitted = false;
  #isOver = false;

  constructor(core: ProxyCore, client: ClientSide, head: RequestHead) {
    this.core = core;
    this.client = client;
    this.head = head;
    const nowMs = core.watchdog.now();
    const { peer } = client;
    const saysSecure = peer.isTrusted && head.forwardedProto !== undefined;
    this.request = {
      id: core.nextRequestId(nowMs),
      method: head.method,
      target: head.target,
      httpVersion: head.httpVersion,
      headers: head.headers,
      host: head.host,
      clientAddress: clientAddressOf(peer, head.forwardedFor, core.trustedProxies),
      peerAddress: peer.address,
      isSecure: saysSecure ? head.forwardedProto.toLowerCase() === 'https' : client.isTls,
      serverName: client.serverName,
      connection: client.facts,
      receivedAtMs: nowMs,
      body: hasBody(head.framing)
        ? { declaredLength: head.framing.kind === 'length' ? head.framing.length : undefined }
        : undefined,
    };
  }

  get watch(): Watch {
    return this.client.watch;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `rest` came with the head: the beginning of the body, or the next request. */
  start(rest: Buffer | undefined): void {
    if (this.request.body !== undefined)
      this.body = new RequestBody(this.head.framing, rest ?? nothing, this, this.core);
    else if (rest !== undefined) this.client.keep(rest);
    const refusal = this.core.admission.admitRequest();
    if (refusal !== undefined) return this.refuse(refusal);
    this.#isAdmitted = true;
    if (this.head.loop?.includes(this.core.loopToken) === true) {
      return this.refuse(new Refusal('loop_detected', 'The request has come through this edge before.'));
    }
    this.#judge();
  }

  #judge(): void {
    try {
      const verdict = this.core.judge(this.request, () => this.#inspect());
      if (verdict instanceof Promise) {
        verdict.then((given) => this.#act(given)).catch((error: unknown) => this.#failJudge(error));
      } else this.#act(verdict);
    } catch (error) {
      this.#failJudge(error);
    }
  }

  #inspect(): Promise<InspectedBody> {
    return this.body?.inspect() ?? Promise.resolve({ bytes: nothing, isTruncated: false, declaredLength: 0 });
  }

  #act(verdict: Verdict): void {
    this.#verdict = verdict;
    // The request ended while it was judged.
    if (this.#outcome !== undefined) this.#tell(this.#outcome);
    if (this.#isOver) return;
    switch (verdict.kind) {
      case 'forward': {
        const forwarding = new Forwarding(this, verdict);
        const refusal = this.core.admission.admitToZone(verdict.zone);
        if (refusal !== undefined) return this.refuse(refusal);
        this.#forwarding = forwarding;
        return forwarding.start();
      }
      case 'answer':
        return this.#answer(verdict);
      case 'close':
        this.report({ originStatus: undefined, edgeStatus: noAnswerStatus, refusal: undefined });
        this.client.destroy();
    }
  }

  #failJudge(error: unknown): void {
    if (this.#isOver) return;
    this.core.onError(error);
    this.refuse(new Refusal('judge_failed', 'The request could not be judged, so it was not passed on.'));
  }

  #answer(verdict: AnswerVerdict): void {
    const { status, headers } = verdict;
    const body = typeof verdict.body === 'string' ? Buffer.from(verdict.body) : Buffer.from(verdict.body);
    this.#write(status, headers, body);
    this.report({ originStatus: undefined, edgeStatus: status, refusal: undefined });
  }

  /** Answers with what went wrong, unless an answer has begun: then the connection ends in the middle of it. */
  refuse(refusal: Refusal): void {
    if (this.#isOver) return;
    const forwarding = this.#forwarding;
    forwarding?.abort();
    this.core.noteRefusal({
      id: this.request.id,
      refusal,
      peerAddress: this.request.peerAddress,
      request: this.request,
    });
    if (forwarding?.hasAnswered === true) return this.client.destroy();
    const { headers, body } = refusalAnswer(refusal, this.request.id, this.head.acceptsHtml);
    this.report({ originStatus: undefined, edgeStatus: refusal.status, refusal: refusal.code });
    this.#write(refusal.status, headers, Buffer.from(body));
  }

  #write(status: number, headers: readonly (readonly [string, string])[], body: Buffer): void {
    // Such an answer ends with its head, whatever it would say.
    const isBodiless = status === 204 || status === 304;
    const isLast = !this.canContinue;
    const { writer } = this.client;
    writer.text(
      ownHead(status, headers, {
        requestId: this.request.id,
        requestIdHeader: this.core.requestIdHeader,
        framing: isBodiless ? { kind: 'none' } : { kind: 'length', length: body.length },
        isLast,
      }),
    );
    if (!isBodiless && this.head.method !== 'HEAD') writer.bytes(body);
    writer.flush();
    this.complete(isLast);
  }

  /** Whether the connection can serve another request after this one, as things stand. */
  get canContinue(): boolean {
    return this.head.isKeptAlive && this.body?.isComplete !== false && !this.core.isClosing;
  }

  /** The answer is written to its end. */
  complete(isLast: boolean): void {
    this.#end();
    this.client.finishExchange(isLast);
  }

  /** The connection goes on as something else. */
  detach(): void {
    this.#end();
  }

  /** Only the first counts. */
  report(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    if (this.#verdict !== undefined) this.#tell(outcome);
  }

  #tell(outcome: Outcome): void {
    try {
      this.#verdict?.onResponse?.(outcome);
    } catch (error) {
      this.core.onError(error);
    }
  }

  /** Answers whether the bytes were the request's. */
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
    this.#end();
    this.report({ originStatus: undefined, edgeStatus: clientGoneStatus, refusal: undefined });
  }

  #end(): void {
    assert(!this.#isOver, 'an exchange ends once');
    this.#isOver = true;
    this.body?.abandon();
    if (this.#isAdmitted) this.core.admission.releaseRequest();
    if (this.#forwarding !== undefined) this.core.admission.releaseFromZone(this.#forwarding.zone);
  }

  pause(): void {
    this.client.pause();
  }

  resume(): void {
    this.client.resume();
  }

  invite(): void {
    if (!this.head.expectsContinue) return;
    this.client.writer.text('HTTP/1.1 100 Continue\r\n\r\n');
    this.client.writer.flush();
  }

  onBodyRead(rest: Buffer): void {
    this.client.keep(rest);
  }

  onBodyFault(refusal: Refusal): void {
    this.refuse(refusal);
  }
}
