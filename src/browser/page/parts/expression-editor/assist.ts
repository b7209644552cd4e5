/** The server's assistance for an expression that is being edited. */
import { useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client, resultOf } from '../../api/client.ts';
import { useSettled } from '../forms/use-settled.ts';

export type Assistance = Result<'expressions.assist'> & {
  /** Why there is no assistance. The server checks again on saving, so this need not stop the user. */
  readonly failure?: string;
};

const nothingKnown = {
  diagnostics: [],
  completions: { start: 0, end: 0, items: [] },
  hover: null,
  formatted: null,
  tree: null,
};

/** The kind of expression. */
export interface ExpressionKind {
  /** The phase of the rule; by default that of firewall rules. */
  readonly phase?: string | undefined;
  /** Requests, for a rule, or events, for a search; by default requests. */
  readonly about?: 'requests' | 'events' | undefined;
}

export interface AssistQuestion extends ExpressionKind {
  readonly expression: string;
  readonly position?: number;
}

export async function fetchAssistance(
  zoneId: string,
  question: AssistQuestion,
  signal?: AbortSignal,
): Promise<Assistance> {
  // JSON omits undefined properties.
  const body = question as Sent<'expressions.assist'>;
  return resultOf(client.post('/zones/{zone_id}/expressions/assist', { zone_id: zoneId, body, signal }));
}

/** The assistance for exactly this text: undefined until the server has answered. */
export function useAssistance(
  zoneId: string,
  expression: string,
  { phase, about }: ExpressionKind = {},
): Assistance | undefined {
  const settled = useSettled(expression);
  const { data, error } = useQuery({
    queryKey: ['assist', zoneId, phase, about, settled],
    queryFn: ({ signal }) => fetchAssistance(zoneId, { expression: settled, phase, about }, signal),
    // Without a connection it fails and reports that, instead of waiting for one.
    networkMode: 'always',
    retry: false,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  if (settled !== expression) return undefined;
  return data ?? (error === null ? undefined : { ...nothingKnown, failure: describeError(error) });
}

export interface KnownField {
  readonly name: string;
  readonly type: string;
  readonly summary: string;
}

/** The fields of the language, which can start an expression. */
export function useFields(zoneId: string): readonly KnownField[] {
  const { data } = useQuery({
    queryKey: ['assist-fields', zoneId],
    queryFn: ({ signal }) => fetchAssistance(zoneId, { expression: '', position: 0 }, signal),
    staleTime: Infinity,
    select: ({ completions }) =>
      completions.items.flatMap(({ kind, label, detail, summary }) =>
        kind === 'field' ? [{ name: label, type: detail, summary }] : [],
      ),
  });
  return data ?? [];
}
