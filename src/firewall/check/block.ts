/** `block`: ends the request, with an answer of one's own if wanted. */
import { blockParameters } from '../bodies.ts';
import { responseContentBytesMax } from '../limits.ts';
import type { BlockParameters } from '../model.ts';
import type { Field } from '../problem.ts';

export function checkBlock(parameters: Field<unknown>): BlockParameters | undefined {
  const field = parameters.as(blockParameters);
  const block = field.read();
  if (block?.response === undefined) return undefined;
  if (Buffer.byteLength(block.response.content ?? '') > responseContentBytesMax) {
    const reason = `it is longer than ${responseContentBytesMax} bytes`;
    field.at('response').at('content').refuse('outOfRange', reason);
  }
  return block;
}
