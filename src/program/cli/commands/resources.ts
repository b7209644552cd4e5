/**
 * The commands that call one operation of the API each: `gatehouse zones list`, `gatehouse rules create`, … A row of
 * the table names the operation; arguments are those of its path, options those of its query and its body.
 */
import { type Operation, operations } from '#contract';
import { connectionHelp, connectionOptions } from '../api/connection.ts';
import type { Command, Option } from '../command.ts';
import { type Field, getItemSchema, listFields, toOption, toOptions, toPhrase } from '../resources/fields.ts';
import { listPathParameters, toArgument } from '../resources/path.ts';
import type { ResourceFamily, ResourceRow } from '../resources/resource-row.ts';
import { auditFamily } from '../resources/rows/audit.ts';
import { eventFamily } from '../resources/rows/events.ts';
import { filterFamily } from '../resources/rows/filters.ts';
import { ruleFamily } from '../resources/rows/firewall-rules.ts';
import { learningFamily } from '../resources/rows/learning.ts';
import { listFamily } from '../resources/rows/lists.ts';
import { balancerFamily } from '../resources/rows/load-balancing.ts';
import { logpushFamily } from '../resources/rows/logpush.ts';
import { wafFamily } from '../resources/rows/managed-rules.ts';
import { notificationFamily } from '../resources/rows/notifications.ts';
import { pageRuleFamily } from '../resources/rows/page-rules.ts';
import { rateLimitFamily } from '../resources/rows/rate-limits.ts';
import { rulesetFamily } from '../resources/rows/rulesets.ts';
import { tokenFamily } from '../resources/rows/tokens.ts';
import { zoneFamily } from '../resources/rows/zones.ts';
import { runResource } from '../resources/run-resource.ts';

const families: readonly ResourceFamily[] = [
  zoneFamily,
  filterFamily,
  ruleFamily,
  rulesetFamily,
  wafFamily,
  learningFamily,
  pageRuleFamily,
  listFamily,
  rateLimitFamily,
  balancerFamily,
  tokenFamily,
  auditFamily,
  eventFamily,
  logpushFamily,
  notificationFamily,
];

/** The number of items is `--limit`; every migration is of phase two. */
const pageParameters = new Set(['page', 'per_page', 'cursor', 'phase_two']);

export const resourceCommands: readonly Command[] = families.flatMap(({ summary, rows }) =>
  rows.map((row) => createCommand(row, summary)),
);

function createCommand(row: ResourceRow, family: string): Command {
  const operation: Operation = operations[row.operation];
  const fields = listFields(row, operation);
  return {
    name: row.name,
    parameters: describeParameters(row, operation),
    summary: `${operation.summary}.`,
    family,
    details: `${operation.method} ${operation.path}\n\n${connectionHelp}`,
    options: {
      ...describeOptions(row, operation, fields),
      ...connectionOptions,
      json: { help: describeJson(operation) },
    },
    run: (args) => runResource({ row, operation, fields }, args),
  };
}

function describeParameters(row: ResourceRow, operation: Operation): string {
  return listPathParameters(operation)
    .map((name) => {
      const isEither = name === 'zone_id' && row.accountOperation !== undefined;
      return `<${isEither ? 'zone-or-account' : toArgument(name)}>`;
    })
    .join(' ');
}

function describeJson({ query }: Operation): string {
  return isPaged(query) ? 'print JSON, one line for each item' : 'print JSON';
}

function isPaged(query: Operation['query']): boolean {
  return 'page' in query || 'cursor' in query;
}

function describeOptions(
  row: ResourceRow,
  operation: Operation,
  fields: readonly Field[],
): Readonly<Record<string, Option>> {
  const isTokens = row.accountOperation !== undefined && operation.scope !== 'zone';
  return {
    ...toOptions(fields),
    ...(getItemSchema(operation) === undefined
      ? {}
      : {
          file: {
            value: 'FILE',
            help: 'the body as JSON, - for standard input; other options override its fields',
          },
        }),
    ...describeQuery(operation),
    ...(isPaged(operation.query)
      ? { limit: { value: 'N', help: `maximum number of items (${row.limit ?? 'all'})` } }
      : {}),
    ...(isTokens ? { account: { help: 'list those of the account instead of your own' } } : {}),
    ...(row.danger === undefined ? {} : { yes: { help: `needed, because ${row.danger}` } }),
  };
}

function describeQuery({ query }: Operation): Readonly<Record<string, Option>> {
  const entries = Object.entries(query).filter(([name]) => !pageParameters.has(name));
  return Object.fromEntries(
    entries.map(([name, { schema, description }]): [string, Option] => {
      const isFlag = schema['type'] === 'boolean';
      const choices = isFlag ? ['true', 'false'] : ((schema['enum'] ?? []) as readonly string[]);
      const value = choices.length > 0 && choices.length <= 6 ? choices.join('|') : 'TEXT';
      const isRepeatable = schema['type'] === 'array';
      const help = `${description === undefined ? `only with this ${name}` : toPhrase(description)}${isRepeatable ? ' (may be repeated)' : ''}`;
      return [
        toOption(name),
        {
          value,
          help,
          ...(choices.length === 0 ? {} : { choices }),
          ...(isRepeatable ? { isRepeatable } : {}),
        },
      ];
    }),
  );
}
