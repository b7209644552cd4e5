/** The reason for a change, from the header `X-Change-Reason`. It is stored in the audit log. */
import type { ApiRequest } from '#contract';
import type { Actor } from '../../context/handler.ts';

/** Longer texts are documents, not reasons. */
const reasonCharactersMax = 500;

export function addReason(actor: Actor, headers: ApiRequest['headers']): Actor {
  const reason = decode([headers['x-change-reason'] ?? ''].flat().join(' '))
    .trim()
    .slice(0, reasonCharactersMax);
  return reason === '' ? actor : { ...actor, reason };
}

/** Header fields cannot contain characters beyond Latin-1, so these are percent-encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
