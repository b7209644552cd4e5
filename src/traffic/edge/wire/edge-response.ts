/** Responses that the edge writes itself. */
import type { RespondDirective, HeaderField } from './exchange.ts';

export type EdgeResponse = Omit<RespondDirective, 'onResponse'>;

/** No cache may store the response of a rule. */
const always: readonly HeaderField[] = [
  ['cache-control', 'private, no-store'],
  ['x-content-type-options', 'nosniff'],
];

export function createEdgeResponse(
  status: number,
  type: string,
  body: string,
  more: readonly HeaderField[] = [],
): EdgeResponse {
  return { kind: 'answer', status, headers: [['content-type', type], ...always, ...more], body };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
