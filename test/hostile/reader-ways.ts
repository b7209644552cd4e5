/** Attempts of a token that may read everything and write nothing. */
import { asReader, call, hold, leave, type Text, type Way } from './way.ts';

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
const large =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT printf('%.*c', 10000000, 'a') FROM n";
const get = (line: string): Text => asReader(line, '');
const post = (line: string, body: object): Text => asReader(line, JSON.stringify(body));

export const readerWays: readonly Way[] = [
  { name: 'exports that are left', run: leave('api', get('GET {objects}/Account/account/export'), 4) },
  { name: 'exports that are not read', run: hold('api', get('GET {objects}/Account/account/export'), 20) },
  { name: 'queries without an end', run: call('POST {objects}/Account/account/query', { sql: endless }, 4) },
  {
    name: 'queries with a large answer',
    run: call('POST {objects}/Account/account/query', { sql: large, limit: 100 }, 4),
  },
  {
    name: 'queries that are left',
    run: leave('api', post('POST {objects}/Account/account/query', { sql: endless }), 4),
  },
  { name: 'lists of objects', run: call('GET {objects}/Zone?per_page=50') },
  {
    name: 'comparisons with the past',
    run: call('GET {objects}/Account/account/compare?limit=100', undefined, 4),
  },
  { name: 'exports of events that are left', run: leave('api', get('GET {zone}/security/events/export')) },
  { name: 'event streams that are not read', run: hold('api', get('GET {zone}/security/events/tail'), 50) },
  { name: 'feeds of configuration that are not read', run: hold('api', get('GET {account}/edge/feed'), 50) },
  { name: 'feeds of configuration that are left', run: leave('api', get('GET {account}/edge/feed')) },
  {
    name: 'deep queries of GraphQL',
    run: call('POST {api}/graphql', { query: `{${'viewer{'.repeat(2_000)}${'}'.repeat(2_000)}}` }),
  },
  {
    name: 'writes that are refused, with large bodies',
    run: call('POST {zone}/filters', [{ expression: 'a'.repeat(1_000_000) }]),
  },
];
