/**
 * Middleware for `node:http`, Express and everything else that calls `(request, response, next)`. `next` is called once for
 * requests that may pass, and never for others: those are answered here.
 */
import { RequestGone } from '../../wire/exchange.ts';
import type { FirewallResponse, Decision } from '../decision.ts';
import type { Firewall } from '../firewall.ts';
import { inspectNodeBody } from '../sources/node-body.ts';
import { readNodeHead, type NodeRequest, type NodeResponse } from '../sources/node-request.ts';
import { failureAnswer } from './failure.ts';

export type NodeMiddleware = (request: NodeRequest, response: NodeResponse, next: () => void) => void;

export function nodeMiddleware(firewall: Firewall): NodeMiddleware {
  return (request, response, next) => {
    const act = (decision: Decision): void => {
      reportWhenClosed(decision, response);
      if (decision.answer === undefined) return next();
      send(decision.answer, request, response);
    };
    const fail = (error: unknown): void => {
      // The client has disconnected, so there is no response to send.
      if (error instanceof RequestGone) return;
      firewall.onError(error);
      send(failureAnswer, request, response);
    };
    let decision: Decision | Promise<Decision>;
    try {
      decision = judgeNodeRequest(firewall, request);
    } catch (error) {
      return fail(error);
    }
    if (!(decision instanceof Promise)) return act(decision);
    // An exception in `next` belongs to the application; our promise must not swallow it.
    decision.then((given) => process.nextTick(act, given), fail);
  };
}

export function judgeNodeRequest(firewall: Firewall, request: NodeRequest): Decision | Promise<Decision> {
  const head = readNodeHead(request);
  return firewall.judgeIncoming(head, () => inspectNodeBody(request, head.body?.declaredLength));
}

export function reportWhenClosed(decision: Decision, response: NodeResponse): void {
  response.once('close', () => decision.report(response.headersSent ? response.statusCode : undefined));
}

function send(
  { status, headers, body }: FirewallResponse,
  request: NodeRequest,
  response: NodeResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (status !== 204) response.setHeader('content-length', Buffer.byteLength(body));
  // Reads the rest of the body, so that the next request of the connection can follow.
  request.resume();
  response.end(body);
}
