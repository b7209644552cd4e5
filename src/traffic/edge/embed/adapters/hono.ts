/**
 * Middleware for Hono: `app.use(honoMiddleware(firewall))`. Types are spelled out so that this package does not need Hono's.
 */
import { RequestGone } from '../../wire/exchange.ts';
import type { FirewallResponse, Decision } from '../decision.ts';
import type { Firewall } from '../firewall.ts';
import { inspectWebBody, readWebHead } from '../sources/web-request.ts';
import { failureAnswer, unreadableAnswer } from './failure.ts';

interface HonoContextLike {
  readonly req: { readonly raw: Request };
  readonly env: unknown;
  readonly res: Response;
}

export interface HonoOptions<Context extends HonoContextLike> {
  /**
   * Returns the address of the peer. Hono leaves that to its adapters; the default is read from Node's request in
   * `env.incoming`, where the Node adapter puts it.
   */
  readonly peerAddress?: (context: Context) => string | undefined;
}

type HonoMiddleware<Context extends HonoContextLike> = (
  context: Context,
  next: () => Promise<void>,
) => Promise<Response | undefined>;

export function honoMiddleware<Context extends HonoContextLike = HonoContextLike>(
  firewall: Firewall,
  { peerAddress = readNodePeerAddress }: HonoOptions<Context> = {},
): HonoMiddleware<Context> {
  return async (context, next) => {
    let decision: Decision;
    try {
      const { raw } = context.req;
      const head = readWebHead(raw, peerAddress(context) ?? '');
      decision = await firewall.judgeIncoming(head, () => inspectWebBody(raw));
    } catch (error) {
      if (error instanceof RequestGone) return toResponse(unreadableAnswer);
      firewall.onError(error);
      return toResponse(failureAnswer);
    }
    if (decision.answer !== undefined) {
      decision.report(decision.answer.status);
      return toResponse(decision.answer);
    }
    let status = 500;
    try {
      await next();
      ({ status } = context.res);
    } finally {
      decision.report(status);
    }
  };
}

function readNodePeerAddress({ env }: HonoContextLike): string | undefined {
  const { incoming } = (env ?? {}) as {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  };
  return incoming?.socket?.remoteAddress;
}

function toResponse({ status, headers, body }: FirewallResponse): Response {
  const pairs = headers.map(([name, value]): [string, string] => [name, value]);
  return new Response(status === 204 ? null : Buffer.from(body), { status, headers: pairs });
}
