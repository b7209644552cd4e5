import { createEdgeResponse } from '../../wire/edge-response.ts';
import type { FirewallResponse } from '../decision.ts';

/** A request that could not be judged does not pass. */
export const failureAnswer: FirewallResponse = createEdgeResponse(
  500,
  'text/plain; charset=utf-8',
  'The request could not be judged.\n',
);

export const unreadableAnswer: FirewallResponse = createEdgeResponse(
  400,
  'text/plain; charset=utf-8',
  'The body of the request could not be read.\n',
);
