/** Why something is changed, as the caller says it in the header `X-Change-Reason`. It is kept in the audit log. */
import type { ApiRequest } from '#contract';
import type { Actor } from '../../context/handler.ts';

/** What is longer is no reason, but a document. */
const reasonCharactersMax = 500;

export function addReason(actor: Actor, headers: ApiRequest['headers']): Actor {
  const reason = decode([headers['x-change-reason'] ?? ''].flat().join(' '))
    .trim()
    .slice(0, reasonCharactersMax);
  return reason === '' ? actor : { ...actor, reason };
}

/** Header fields take no characters beyond Latin-1, so that these are written as in a URL. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
