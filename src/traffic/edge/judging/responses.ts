/** The response to a client whose request a rule stops. */
import type { BlockResponse } from '#rulesets';
import type { GivenAnswer, TriggeredRate } from '#firewall';
import type { HeaderField, RespondDirective } from '../wire/exchange.ts';
import { escapeHtml, type EdgeResponse, createEdgeResponse } from '../wire/edge-response.ts';

export function createBlockResponse(
  rayId: string,
  response: BlockResponse | undefined,
  rate?: TriggeredRate,
): EdgeResponse {
  const wait: readonly HeaderField[] =
    rate === undefined ? [] : [['retry-after', String(rate.retryAfterSeconds)]];
  if (response !== undefined) {
    const { status_code, content, content_type } = response;
    return createEdgeResponse(status_code, `${content_type}; charset=utf-8`, content, wait);
  }
  if (rate !== undefined) {
    const text = `There were too many requests from your address or of this kind. Try again in ${rate.retryAfterSeconds} s.`;
    return createEdgeResponse(
      429,
      'text/html; charset=utf-8',
      renderPage('Too many requests', text, rayId),
      wait,
    );
  }
  return createEdgeResponse(
    403,
    'text/html; charset=utf-8',
    renderPage('You were blocked', 'A rule of this site refused the request.', rayId),
  );
}

const notStored: HeaderField = ['cache-control', 'private, no-store'];

/** The answer of an object or a server that a rule asked, for the visitor. */
export function createGivenResponse({ status, fields: headers, body }: GivenAnswer): RespondDirective {
  const isCached = headers.some(([name]) => name.toLowerCase() === 'cache-control');
  // An answer for one visitor is not reused for another, unless the answer allows it.
  return { kind: 'answer', status, headers: isCached ? headers : [...headers, notStored], body };
}

/** The body contains nothing of the target, which an attacker may control. */
export function createRedirectResponse(status: number, location: string): EdgeResponse {
  return createEdgeResponse(status, 'text/plain; charset=utf-8', 'This page is at another address.\n', [
    ['location', location],
  ]);
}

export function createNoZoneResponse(rayId: string): EdgeResponse {
  return createEdgeResponse(
    421,
    'text/html; charset=utf-8',
    renderPage('Not served here', 'This server has no zone with this name.', rayId),
  );
}

export function createWrongNameResponse(rayId: string): EdgeResponse {
  const text = 'The request and its connection have different host names.';
  return createEdgeResponse(421, 'text/html; charset=utf-8', renderPage('Not served here', text, rayId));
}

export function createStartingResponse(rayId: string): EdgeResponse {
  const text = 'This server has not loaded all zones yet.';
  return createEdgeResponse(503, 'text/html; charset=utf-8', renderPage('Starting', text, rayId), [
    ['retry-after', '1'],
  ]);
}

export function createUnavailableResponse(rayId: string): EdgeResponse {
  const text = 'The rules of this site cannot be loaded at the moment.';
  return createEdgeResponse(503, 'text/html; charset=utf-8', renderPage('Unavailable', text, rayId), [
    ['retry-after', '1'],
  ]);
}

export function createNoOriginResponse(rayId: string): EdgeResponse {
  const text = 'The zone has no origin yet: set one with PUT /zones/{zone_id}/edge.';
  return createEdgeResponse(503, 'text/html; charset=utf-8', renderPage('No origin', text, rayId));
}

function renderPage(title: string, text: string, rayId: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em;color:#222}small{color:#666}</style>
<h1>${title}</h1><p>${escapeHtml(text)}</p>
<p><small>Request ${escapeHtml(rayId)}: quote this to the owner of the site, who finds the reason in the activity log.</small></p></html>
`;
}
