/**
 * Fields of a rule that the server sets, or that belong to the filter that it names. Clients send whole rules back, so
 * these fields are not errors; but if a client sends a value that differs from the server's, the answer must say that
 * it was ignored.
 */
import { entryOf, firewallRuleCodes as codes } from '#contract';
import type { Filter } from '../../stores/filters.ts';
import type { ZoneContext } from '../../context/handler.ts';

/** How cloudflare-go encodes a missing time. */
const noTime = '0001-01-01T00:00:00Z';

type Fields = Readonly<Record<string, unknown>>;

export interface SentRule {
  readonly id?: string;
  readonly created_on?: unknown;
  readonly modified_on?: unknown;
  readonly filter: Fields;
}

/** `kept` contains the server's values; it is empty for a rule that is being created. */
export function addIgnoredFieldMessages(
  context: ZoneContext,
  sent: SentRule,
  { pointer, kept, filter }: { readonly pointer: string; readonly kept: Fields; readonly filter: Filter },
): void {
  const own = { id: sent.id, created_on: sent.created_on, modified_on: sent.modified_on };
  const fields = listDifferences(own, kept);
  const place = pointer === '' ? 'the rule' : `rule at ${pointer}`;
  if (fields !== '') context.addMessage(entryOf(codes.ruleFieldsUntaken, { fill: { place, fields } }));
  const parts = listDifferences(readFilterParts(sent.filter), { ...filter, paused: filter.isPaused });
  if (parts === '') return;
  const fill = { place: `${pointer}/filter`, filter: filter.id, fields: parts };
  context.addMessage(entryOf(codes.ruleFilterUntaken, { fill }));
}

/** The fields of a filter besides its id. If the filter is being created, all other fields are used. */
function readFilterParts({ id, expression, paused, description, ref, deleted }: Fields): Fields {
  const isDeleted = { deleted: deleted === false ? undefined : deleted };
  if (!id) return isDeleted;
  const text = typeof expression === 'string' ? expression.trim() : expression;
  return { expression: text, paused, description, ref, ...isDeleted };
}

function listDifferences(sent: Fields, kept: Fields): string {
  return Object.keys(sent)
    .filter((name) => !isBlank(sent[name]) && sent[name] !== kept[name])
    .join(', ');
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === noTime;
}
