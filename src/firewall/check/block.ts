/** `block`: ends the request, with an answer of one's own if wanted. */
import { responseContentBytesMax } from '../limits.ts';
import { blockContentTypes, type BlockParameters, type BlockResponse } from '../model.ts';
import type { Place } from './place.ts';

export function checkBlock(place: Place): BlockParameters | undefined {
  if (!place.isObjectOf(['response'])) return undefined;
  const response = checkResponse(place.at('response'));
  return response === undefined ? undefined : { response };
}

function checkResponse(place: Place): BlockResponse | undefined {
  if (!place.isObjectOf(['status_code', 'content', 'content_type'])) return undefined;
  const statusPlace = place.at('status_code');
  const contentPlace = place.at('content');
  const typePlace = place.at('content_type');
  const areThere = [statusPlace, contentPlace, typePlace].map((part) => part.isThere());
  const status = statusPlace.wholeNumber({ min: 400, max: 499 });
  const content = contentPlace.text({ charactersMin: 1, charactersMax: responseContentBytesMax });
  const type = typePlace.choice(blockContentTypes);
  if (content !== undefined && Buffer.byteLength(content) > responseContentBytesMax) {
    contentPlace.refuse('out_of_range', `it is longer than ${responseContentBytesMax} bytes`);
  }
  if (areThere.includes(false) || status === undefined || content === undefined || type === undefined) {
    return undefined;
  }
  return { status_code: status, content, content_type: type };
}
