/** What the server says about an expression that is being written. */
import { useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client, resultOf } from '../../api/client.ts';
import { useSettled } from '../forms/use-settled.ts';

export type Assistance = Result<'expressions.assist'> & {
  /** Why nothing is known. The server checks again on saving, so that is no reason to stop anybody. */
  readonly failure?: string;
};

const nothingKnown = {
  diagnostics: [],
  completions: { start: 0, end: 0, items: [] },
  hover: null,
  formatted: null,
  tree: null,
};

/** What kind of expression it is. */
export interface ExpressionKind {
  /** Of the rule; that of firewall rules if not given. */
  readonly phase?: string | undefined;
  /** Requests, for a rule, or events, for a search; requests if not given. */
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
  // JSON leaves out what is undefined.
  const body = question as Sent<'expressions.assist'>;
  return resultOf(client.post('/zones/{zone_id}/expressions/assist', { zone_id: zoneId, body, signal }));
}

/** What is known about this very text: undefined until the server has answered for it. */
export function useAssistance(
  zoneId: string,
  expression: string,
  { phase, about }: ExpressionKind = {},
): Assistance | undefined {
  const settled = useSettled(expression);
  const { data, error } = useQuery({
    queryKey: ['assist', zoneId, phase, about, settled],
    queryFn: ({ signal }) => fetchAssistance(zoneId, { expression: settled, phase, about }, signal),
    // Without a connection it fails, and says so, instead of waiting for one.
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

/** The fields of the language: what could start an expression. */
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
