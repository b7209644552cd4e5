/** `block`: ends the request, optionally with a custom response. */
import { blockParameters } from '../bodies.ts';
import { rateResponseContentBytesMax, responseContentBytesMax } from '../limits.ts';
import type { BlockParameters, Home } from '../model.ts';
import type { Field } from '../problem.ts';

export function checkBlock(parameters: Field<unknown>, { phase }: Home): BlockParameters | undefined {
  const field = parameters.as(blockParameters);
  const block = field.read();
  if (block?.response === undefined) return undefined;
  const bytesMax = phase === 'http_ratelimit' ? rateResponseContentBytesMax : responseContentBytesMax;
  if (Buffer.byteLength(block.response.content ?? '') > bytesMax) {
    const reason = `it is longer than ${bytesMax} bytes`;
    field.at('response').at('content').refuse('outOfRange', reason);
  }
  return block;
}
