/** The bodies of rate limits in the form before rulesets, by the ids of their rules. */
import type { InputOf } from '#contract';
import { json, text } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';

export type SentRateLimit = InputOf<'rateLimits.create'>['body'];

export const rateLimitTable = new Table('rate_limits', {
  columns: { id: text(), sent: json<SentRateLimit>() },
});
