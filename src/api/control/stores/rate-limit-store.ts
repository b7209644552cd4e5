/** What was sent of rate limits in the form of before rulesets, by the id of the rule that each of them is. */
import type { InputOf } from '#contract';
import { json, text } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';

export type SentRateLimit = InputOf<'rateLimits.create'>['body'];

export const rateLimitTable = new Table('rate_limits', {
  columns: { id: text(), sent: json<SentRateLimit>() },
});
