/** Answers that the edge writes itself. */
import type { AnswerVerdict, HeaderField } from './exchange.ts';

export type OwnAnswer = Omit<AnswerVerdict, 'onResponse'>;

/** Nobody on the way may keep what a rule said. */
const always: readonly HeaderField[] = [
  ['cache-control', 'private, no-store'],
  ['x-content-type-options', 'nosniff'],
];

export function ownAnswer(
  status: number,
  type: string,
  body: string,
  more: readonly HeaderField[] = [],
): OwnAnswer {
  return { kind: 'answer', status, headers: [['content-type', type], ...always, ...more], body };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
