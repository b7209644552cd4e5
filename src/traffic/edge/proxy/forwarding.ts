/**
 * Sends a request to the origin and its response back, each as fast as the other side accepts it, or once rules have
 * judged it. A request is retried only if it can safely be repeated (an idempotent method without a body, or no
 * connection was made) and if, before the first byte of the response, a reused connection closed, a Worker ended with
 * its program, or the origin has others that stand in for it. In all other cases the client decides.
 */
import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorStatusMin } from '#rulesets';
import { checkAddedFields, type AddedFields, operateOnFields } from '../wire/added-fields.ts';
import {
  type ForwardDirective,
  type Origin,
  readField,
  type RespondDirective,
  type ResponseRuling,
} from '../wire/exchange.ts';
import { writeRequestHead } from '../wire/forwarded-head.ts';
import { chooseCoding, encodeHead, isCodable } from '../wire/body/content-coding.ts';
import { chunkedBody, type Framing, untilClose } from '../wire/body/framing.ts';
import { Refusal } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import type { ResponseHead } from '../wire/response-head.ts';
import type { ForwardedExchange } from './exchange-sides.ts';
import { HeldResponse } from './response/held-response.ts';
import type { OriginConnection, ResponseListener } from './origin/origin-connection.ts';
import type { OriginPool } from './origin/origin-pool.ts';
import type { BodySink } from './request-body.ts';
import { type EncoderListener, ResponseEncoder } from './response/response-encoder.ts';
import { tunnel } from './tunnel.ts';

/** Whether the origin has read the key. An HTTP/1.1 client checks this too; an HTTP/2 client has sent no key. */
function isAccepted(request: RequestHead, { headers }: ResponseHead): boolean {
  if (request.httpVersion !== '2') return true;
  const key = readField(request.headers, 'sec-websocket-key');
  const expected = hash('sha1', key + webSocketGuid, 'base64');
  return readField(headers, 'sec-websocket-accept') === expected;
}

/** RFC 6455, section 4.2.2. */
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const repeatableMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** An origin may parse an unexpected body as the next request, so its connection is not reused. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Bytes of an error response that are read and dropped. */
const droppedBytesMax = 64 * 1024;

export class Forwarding implements BodySink, ResponseListener, EncoderListener {
  readonly #exchange: ForwardedExchange;
  readonly #directive: ForwardDirective;
  /** The origin in use: the first, or another one of the choice. */
  #asked: Origin;
  #pool: OriginPool;
  readonly #additions: AddedFields | undefined;
  readonly #isUpgrade: boolean;
  #origin: OriginConnection | undefined;
  #isLast = false;
  #repeats = 0;
  #isAborted = false;
  /** Set until the response is judged, if rules inspect it. */
  #held: HeldResponse | undefined;
  #isHeldPaused = false;
  /** The answer of rules in place of the origin's error, whose body is read and dropped. */
  #replacement: { readonly answer: RespondDirective; readonly status: number } | undefined;
  /** Set if the response is compressed here. */
  #encoder: ResponseEncoder | undefined;
  /** Whether the length of the response was unknown when it started. */
  #isStreamed = false;
  /** The status of the response whose head has been read. */
  #status: number | undefined;
  /** Whether a part of the response was sent to the client. */
  hasAnswered = false;

  constructor(exchange: ForwardedExchange, directive: ForwardDirective) {
    this.#exchange = exchange;
    this.#directive = directive;
    this.#isUpgrade = exchange.head.isWebSocket && directive.refusesUpgrade !== true;
    this.#asked = directive.origin;
    this.#pool = exchange.core.pools.getPool(this.#asked);
    const added = exchange.timeline.addOriginFields(directive.requestHeaders);
    const additions = added === undefined ? undefined : checkAddedFields(added);
    const { requestOperations: operations } = directive;
    this.#additions = operations === undefined ? additions : operateOnFields(operations, additions);
  }

  start(): void {
    this.#directive.choice?.begin();
    const idle = this.#pool.takeIdle();
    if (idle !== undefined) this.#send(idle);
    else void this.#connectAndSend();
  }

  /** The client has disconnected, or got another response. */
  abort(): void {
    this.#isAborted = true;
    this.#directive.choice?.end();
    this.#endOrigin();
    this.#encoder?.destroy();
    this.#held = undefined;
  }

  #endOrigin(): void {
    this.#origin?.destroy();
    this.#origin = undefined;
  }

  async #connectAndSend(): Promise<void> {
    this.#exchange.timeline.onOriginConnect(this.#asked);
    const connection = await this.#pool.open();
    if (connection instanceof Refusal) {
      if (!this.#isAborted) this.#failOver(connection, { isRepeatable: true });
    } else if (this.#isAborted) connection.destroy();
    else this.#send(connection);
  }

  #send(connection: OriginConnection): void {
    this.#origin = connection;
    this.#exchange.timeline.onOriginRequest(this.#asked);
    const { head, request, core, client, body } = this.#exchange;
    const isLast = body !== undefined && !methodsWithBody.has(head.method);
    const text = writeRequestHead(head, {
      target: this.#directive.target ?? head.target,
      claims: this.#directive.claims,
      host: this.#directive.hostHeader ?? this.#directive.choice?.hostHeader,
      clientAddress: request.clientAddress,
      shownAddress: this.#directive.shownAddress,
      peerAddress: request.peerAddress,
      isPeerTrusted: client.connection.peer.isTrusted,
      isSecure: request.isSecure,
      requestId: request.id,
      loopToken: core.loopToken,
      additions: this.#additions,
      isUpgrade: this.#isUpgrade,
      isLast,
    });
    connection.begin(this, { method: head.method, isLast, readMs: this.#directive.originReadMs });
    connection.writer.writeText(text);
    // The part of the body that has already arrived is sent with the head.
    body?.flowTo(this);
    connection.writer.flush();
    if (body === undefined) connection.finishRequest();
  }

  onBodyData(bytes: Buffer): boolean {
    // The origin has answered without reading the rest.
    if (this.#origin === undefined) return false;
    const { writer } = this.#origin;
    if (this.#exchange.head.framing.kind === 'chunked') writer.writeChunk(bytes);
    else writer.writeBytes(bytes);
    const keepsUp = writer.flushPart();
    if (!keepsUp) this.#origin.awaitDrain();
    return keepsUp;
  }

  onBodyEnd(): void {
    const origin = this.#origin;
    if (origin === undefined) return;
    if (this.#exchange.head.framing.kind === 'chunked') origin.writer.writeText('0\r\n\r\n');
    origin.writer.flush();
    origin.finishRequest();
  }

  onOriginDrain(): void {
    this.#origin?.endDrain();
    this.#exchange.body?.proceed();
  }

  onHints(head: ResponseHead): void {
    // A response that is judged first may be replaced by one without these hints.
    if (this.#directive.inspectResponse === undefined) this.#exchange.client.writer.writeHints(head);
  }

  onResponseHead(head: ResponseHead): void {
    this.#directive.choice?.answer();
    this.#exchange.timeline.onOriginResponse();
    const { inspectResponse: inspection } = this.#directive;
    if (inspection === undefined) return this.#replaces(head) ? undefined : this.#writeHead(head);
    this.#held = new HeldResponse({
      head,
      inspection,
      onJudged: (ruling, held) => this.#release(held, ruling),
      onError: (error) => this.#exchange.failJudge(error),
    });
    this.#held.start();
  }

  /** Sends the response on, or another one in its place. */
  #release(held: HeldResponse, { answer, about }: ResponseRuling): void {
    // The client has disconnected, or the origin has failed.
    if (this.#held !== held) return;
    this.#held = undefined;
    this.#exchange.timeline.onResponseJudged(about);
    if (answer !== undefined) {
      this.#endOrigin();
      return this.#exchange.replaceResponse(answer, held.head.status);
    }
    if (this.#replaces(held.head)) return held.isComplete ? this.#answerInstead() : undefined;
    this.#writeHead(held.head);
    for (const bytes of held.take()) this.onResponseData(bytes);
    if (held.isComplete) return this.#endBody();
    if (!this.#isHeldPaused) return;
    this.#isHeldPaused = false;
    this.#origin?.resume();
    this.onResponsePause();
  }

  /** Whether rules answer in place of the origin's error. A short error is read whole, to reuse its connection. */
  #replaces(head: ResponseHead): boolean {
    const answer = head.status < errorStatusMin ? undefined : this.#directive.replaceError?.(head);
    if (answer === undefined) return false;
    this.#directive.onOriginHead?.(head);
    this.#replacement = { answer, status: head.status };
    const { framing } = head;
    const isShort =
      framing.kind === 'none' || (framing.kind === 'length' && framing.length <= droppedBytesMax);
    if (!isShort) this.#answerInstead();
    else if (this.#isHeldPaused) this.#origin?.resume();
    return true;
  }

  #answerInstead(): void {
    const { answer, status } = this.#replacement!;
    this.#directive.choice?.end();
    this.#endOrigin();
    this.#exchange.replaceResponse(answer, status);
  }

  /** Compresses the response if appropriate. Returns the head for the client. */
  #encode(head: ResponseHead): ResponseHead {
    if (this.#directive.compresses !== true || !isCodable(head)) return head;
    const coding = chooseCoding(this.#exchange.head.headers);
    if (coding !== undefined) this.#encoder = new ResponseEncoder(coding, this);
    return encodeHead(head, coding);
  }

  #writeHead(given: ResponseHead): void {
    const exchange = this.#exchange;
    this.#directive.onOriginHead?.(given);
    const head = this.#encode(given);
    this.#isStreamed = given.framing.kind !== 'length';
    const framing = this.#chooseFraming(head);
    // A client that wanted to switch protocols may already use the other one.
    this.#isLast = framing.kind === 'close' || exchange.head.isWebSocket || !exchange.canContinue;
    this.#status = head.status;
    exchange.client.writer.writeHead(head, {
      requestId: exchange.request.id,
      requestIdHeader: exchange.core.requestIdHeader,
      framing,
      fields: this.#listResponseFields(given),
      isLast: this.#isLast,
    });
  }

  #listResponseFields(head: ResponseHead): AddedFields | undefined {
    const { responseFields, changeResponse } = this.#directive;
    const operations = changeResponse?.(head);
    return operations === undefined ? responseFields : operateOnFields(operations, responseFields);
  }

  /** From here on, the client gets this response or a broken one: until now, the input may be no valid response. */
  #commit(): void {
    if (this.hasAnswered || this.#status === undefined) return;
    this.hasAnswered = true;
    this.#exchange.report({ originStatus: this.#status, edgeStatus: this.#status, refusal: undefined });
  }

  #chooseFraming(head: ResponseHead): Framing {
    const { kind } = head.framing;
    if (kind === 'none' || kind === 'length') return head.framing;
    return this.#exchange.head.httpVersion === '1.0' ? untilClose : chunkedBody;
  }

  onResponseData(bytes: Buffer): void {
    if (this.#replacement !== undefined) return;
    if (this.#held !== undefined) return this.#held.push(bytes);
    this.#commit();
    if (this.#encoder === undefined) this.#exchange.client.writer.writeBody(bytes);
    else this.#encoder.push(bytes);
  }

  onEncoded(bytes: Buffer): boolean {
    if (this.#exchange.isOver) return true;
    this.#exchange.client.writer.writeBody(bytes);
    const keepsUp = this.#exchange.client.writer.flushPart();
    if (!keepsUp) this.#exchange.awaitReader();
    return keepsUp;
  }

  onEncoderDrain(): void {
    this.#origin?.resume();
  }

  onEncodedEnd(): void {
    if (!this.#exchange.isOver) this.#finish();
  }

  onEncoderFailure(error: unknown): void {
    this.#exchange.core.onError(error);
    this.#endOrigin();
    this.#exchange.client.destroy();
  }

  onResponsePause(): void {
    if (this.#replacement !== undefined) return;
    if (this.#held !== undefined) return this.#pauseHeld(this.#held);
    this.#commit();
    if (this.#encoder !== undefined) return this.#pauseEncoder(this.#encoder);
    if (this.#exchange.client.writer.flushPart() || this.#origin === undefined) return;
    this.#origin.pause();
    this.#exchange.awaitReader();
  }

  /** A response that the origin sends in small steps is forwarded in the same steps. */
  #pauseEncoder(encoder: ResponseEncoder): void {
    if (this.#isStreamed) encoder.flush();
    if (encoder.isFull) this.#origin?.pause();
  }

  /** Stops reading while the response is judged. */
  #pauseHeld(held: HeldResponse): void {
    if (!held.isJudging || this.#origin === undefined) return;
    this.#isHeldPaused = true;
    this.#origin.pause();
  }

  onClientDrain(): void {
    if (!this.hasAnswered || (this.#origin === undefined && this.#encoder === undefined)) return;
    if (this.#exchange.body?.isComplete !== false) this.#exchange.watch.pause();
    if (this.#encoder === undefined) this.#origin?.resume();
    else this.#encoder.resume();
  }

  onResponseEnd(): void {
    this.#origin = undefined;
    this.#directive.choice?.end();
    if (this.#replacement !== undefined) this.#answerInstead();
    else if (this.#held === undefined) this.#endBody();
    else this.#held.end();
  }

  /** The origin has sent its whole response. */
  #endBody(): void {
    if (this.#encoder === undefined) this.#finish();
    else this.#encoder.end();
  }

  #finish(): void {
    this.#commit();
    this.#exchange.client.writer.finish();
    this.#exchange.complete(this.#isLast);
  }

  onSwitch(head: ResponseHead, socket: Socket, early: Buffer): void {
    this.#origin = undefined;
    this.#directive.choice?.answer();
    this.#directive.choice?.end();
    this.#exchange.timeline.onOriginResponse();
    const { client, head: requestHead, core, request } = this.#exchange;
    if (!this.#isUpgrade || head.upgrade !== 'websocket' || !isAccepted(requestHead, head)) {
      socket.destroy();
      return this.#exchange.refuse(
        new Refusal('origin_bad_response', 'The origin switched to a protocol that was not requested.'),
      );
    }
    const answering = {
      requestId: request.id,
      requestIdHeader: core.requestIdHeader,
      framing: head.framing,
      fields: this.#directive.responseFields,
      isLast: false,
    };
    this.#directive.onOriginHead?.(head);
    client.writer.writeSwitchingHead(head, answering, early);
    this.#exchange.report({ originStatus: 101, edgeStatus: 101, refusal: undefined });
    this.#exchange.detach();
    const taken = client.takeOver();
    tunnel({ client: taken.socket, origin: socket, early: taken.early, core });
  }

  onOriginFailure(refusal: Refusal, isStale: boolean): void {
    this.#origin = undefined;
    this.#held = undefined;
    this.#encoder?.destroy();
    if (this.#replacement !== undefined) return this.#answerInstead();
    const { head, body, client } = this.#exchange;
    if (!this.hasAnswered) client.writer.discard();
    const isRepeatable = body === undefined && repeatableMethods.has(head.method) && !this.hasAnswered;
    if (isStale && isRepeatable) void this.#connectAndSend();
    else if (refusal.code === 'origin_closed' && isRepeatable) void this.#repeatIfLost(refusal);
    else this.#failOver(refusal, { isRepeatable });
  }

  async #repeatIfLost(refusal: Refusal): Promise<void> {
    if (await this.#pool.isWorkerComing(this.#repeats++)) await this.#connectAndSend();
    else if (!this.#isAborted) this.#failOver(refusal, { isRepeatable: true });
  }

  /** Tries another origin, or refuses the request. */
  #failOver(refusal: Refusal, { isRepeatable }: { readonly isRepeatable: boolean }): void {
    // A limit of this edge says nothing about the origin.
    const counts = refusal.code !== 'origin_too_busy';
    const { choice } = this.#directive;
    if (choice?.fail({ counts }) !== true || !isRepeatable) {
      const answer = this.#directive.replaceError?.({ status: refusal.status, headers: [] });
      return this.#exchange.refuse(refusal, answer);
    }
    this.#asked = choice.origin;
    this.#pool = this.#exchange.core.pools.getPool(this.#asked);
    this.start();
  }
}
