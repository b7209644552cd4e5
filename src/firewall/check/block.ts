/** `block`: ends the request, with an answer of one's own if wanted. */
import { blockParameters } from '../bodies.ts';
import { responseContentBytesMax } from '../limits.ts';
import type { BlockParameters, BlockResponse } from '../model.ts';
import type { Field } from '../problem.ts';

export function checkBlock(parameters: Field<unknown>): BlockParameters | undefined {
  const field = parameters.as(blockParameters);
  if (!field.hasOnlyKnownFields()) return undefined;
  const response = checkResponse(field.at('response'));
  return response === undefined ? undefined : { response };
}

function checkResponse(field: Field<BlockResponse>): BlockResponse | undefined {
  if (!field.hasOnlyKnownFields()) return undefined;
  const fields = [field.at('status_code'), field.at('content'), field.at('content_type')] as const;
  // What is missing is said before what is wrong.
  for (const each of fields) each.isThere();
  const [statusField, contentField, typeField] = fields;
  const status = statusField.read();
  const content = contentField.read();
  const type = typeField.read();
  if (content !== undefined && Buffer.byteLength(content) > responseContentBytesMax) {
    contentField.refuse('outOfRange', `it is longer than ${responseContentBytesMax} bytes`);
  }
  if (status === undefined || content === undefined || type === undefined) return undefined;
  return { status_code: status, content, content_type: type };
}
