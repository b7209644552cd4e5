/**
 * A hook for Fastify: `app.addHook('onRequest', fastifyHook(firewall))`, before routes are defined. Types are spelled out
 * so that this package does not need Fastify's.
 */
import { RequestGone } from '../../wire/exchange.ts';
import type { FirewallResponse } from '../decision.ts';
import type { Firewall } from '../firewall.ts';
import type { NodeRequest, NodeResponse } from '../sources/node-request.ts';
import { failureAnswer } from './failure.ts';
import { judgeNodeRequest, reportWhenClosed } from './node.ts';

interface FastifyRequestLike {
  readonly raw: NodeRequest;
}

interface FastifyReplyLike {
  readonly raw: NodeResponse;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(payload: string | Uint8Array): unknown;
  hijack(): unknown;
}

type FastifyHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;

export function fastifyHook(firewall: Firewall): FastifyHook {
  return async ({ raw }, reply) => {
    try {
      const decision = await judgeNodeRequest(firewall, raw);
      reportWhenClosed(decision, reply.raw);
      return decision.answer && send(decision.answer, raw, reply);
    } catch (error) {
      // The client has disconnected, so there is no response to send.
      if (error instanceof RequestGone) return reply.hijack();
      firewall.onError(error);
      return send(failureAnswer, raw, reply);
    }
  };
}

/** Returns the reply, which makes Fastify stop here. */
function send(
  { status, headers, body }: FirewallResponse,
  raw: NodeRequest,
  reply: FastifyReplyLike,
): unknown {
  reply.code(status);
  for (const [name, value] of headers) reply.header(name, value);
  raw.resume();
  reply.send(body);
  return reply;
}
