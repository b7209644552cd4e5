/** What a client gets when a rule stops its request. */
import type { BlockResponse } from '#firewall';
import { escapeHtml, type OwnAnswer, ownAnswer } from '../wire/own-answer.ts';

export function blockAnswer(rayId: string, response: BlockResponse | undefined): OwnAnswer {
  if (response !== undefined) {
    const { status_code, content, content_type } = response;
    return ownAnswer(status_code, `${content_type}; charset=utf-8`, content);
  }
  return ownAnswer(
    403,
    'text/html; charset=utf-8',
    page('You were blocked', 'A rule of this site refused the request.', rayId),
  );
}

export function noZoneAnswer(rayId: string): OwnAnswer {
  return ownAnswer(
    421,
    'text/html; charset=utf-8',
    page('Not served here', 'No zone of this server has that name.', rayId),
  );
}

export function wrongNameAnswer(rayId: string): OwnAnswer {
  const text = 'The request is for another name than the connection was made for.';
  return ownAnswer(421, 'text/html; charset=utf-8', page('Not served here', text, rayId));
}

export function startingAnswer(rayId: string): OwnAnswer {
  const text = 'The zones of this server are not all known yet.';
  return ownAnswer(503, 'text/html; charset=utf-8', page('Starting', text, rayId), [['retry-after', '1']]);
}

export function noOriginAnswer(rayId: string): OwnAnswer {
  const text = 'The zone has no origin yet: set one with PUT /zones/{zone_id}/edge.';
  return ownAnswer(503, 'text/html; charset=utf-8', page('No origin', text, rayId));
}

function page(title: string, text: string, rayId: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em;color:#222}small{color:#666}</style>
<h1>${title}</h1><p>${escapeHtml(text)}</p>
<p><small>Request ${escapeHtml(rayId)}: quote this to the owner of the site, whose activity log knows why.</small></p></html>
`;
}
