/** Filters: reusable expressions. */
import { filterCodes } from '../codes/filters.ts';
import { operationsOf } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  annotate,
  choice,
  examined,
  named,
  flagParameter,
  pageParameters,
  repeatedParameter,
  textParameter,
  flag,
  integer,
  nullable,
  text,
  deleted,
  listOf,
  arrayOrOne,
  array,
  object,
  optional,
  record,
  string,
  nothing,
  whole,
} from '#shapes';

const api = 'filters';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];

const operation = operationsOf({ api, read, write: ['firewallServicesWrite'] });

/** The largest number of filters in one call. */
const batchMax = 100;

/** As many identifiers as fit into the target of a request, with some to spare. */
export const deletionsMax = 400;

/** Longer than the limit for an expression: surrounding space is trimmed before it counts. */
const expressionSent = text({ max: 65_536, description: 'At most 4,096 characters after trimming.' });

/** Twice the limit for an expression, so that an editor can report that an expression is too long. */
const assistedCharactersMax = 8_192;

export const filterContent = {
  expression: expressionSent,
  paused: optional(flag()),
  description: optional(nullable(text({ max: 500 }))),
  ref: optional(nullable(text({ max: 50 }))),
};

export const identifier = text({ min: 1, max: 32 });
const filterToCreate = examined(
  named('NewFilter', object({ ...filterContent, id: optional(text({ max: 32 })) })),
);
const filterToUpdate = examined(
  named('FilterUpdate', object({ ...filterContent, id: optional(identifier) })),
);
const filterOfMany = examined(named('FilterUpdateOfMany', object({ ...filterContent, id: identifier })));

const idsToDelete = optional(
  arrayOrOne(named('FilterDeletion', object({ id: optional(identifier) })), { max: deletionsMax }),
);

export const filterSchema = named(
  'Filter',
  record({
    id: string,
    paused: flag(),
    description: optional(string),
    ref: optional(string),
    expression: string,
  }),
);
const filtersSchema = listOf(filterSchema);

/** For an expression that is written, in a filter or with its rule. */
const expressionCodes = [filterCodes.filterInvalid, filterCodes.filterNotEntitled];
export const filterCreationCodes = [
  ...expressionCodes,
  filterCodes.filterDuplicate,
  filterCodes.filterRepeated,
  filterCodes.filterQuotaExceeded,
];
const updateCodes = [
  ...expressionCodes,
  filterCodes.filterNotFound,
  filterCodes.filterDuplicate,
  filterCodes.filterInline,
];
const deletionCodes = [filterCodes.filterInline, filterCodes.filterInUse];

export const partDescription = 'A substring; ASCII case is ignored.';

/** A call with a condition or a guard must not be served as if it had none. */
const closed = { api, isQueryClosed: true } as const;

const guard = {
  if_unused: flagParameter(
    'Not part of the API of Cloudflare. True: a filter that firewall rules use is not deleted, and the call is refused.',
  ),
};

export const filterOperations = {
  'filters.create': operation('POST /zones/{zone_id}/filters', {
    ...closed,
    summary: 'Create filters',
    body: arrayOrOne(filterToCreate, { min: 1, max: batchMax }),
    result: filtersSchema,
    codes: filterCreationCodes,
  }),
  'filters.list': operation('GET /zones/{zone_id}/filters', {
    ...closed,
    summary: 'List filters in the order of their creation',
    query: {
      id: textParameter(),
      paused: flagParameter(),
      ref: textParameter(),
      description: textParameter(partDescription),
      expression: textParameter(partDescription),
      unused: flagParameter(
        'Not part of the API of Cloudflare. True: filters that no firewall rule uses; false: the others.',
      ),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: filtersSchema,
  }),
  'filters.get': operation('GET /zones/{zone_id}/filters/{filter_id}', {
    summary: 'Get a filter',
    result: filterSchema,
    codes: [filterCodes.filterNotFound],
  }),
  'filters.update': operation('PUT /zones/{zone_id}/filters/{filter_id}', {
    ...closed,
    summary: 'Replace a filter',
    body: filterToUpdate,
    result: filterSchema,
    codes: [...updateCodes, filterCodes.filterIdMismatch],
  }),
  'filters.updateMany': operation('PUT /zones/{zone_id}/filters', {
    ...closed,
    summary: 'Replace several filters in one transaction',
    body: array(filterOfMany, { max: batchMax }),
    result: filtersSchema,
    codes: [...updateCodes, filterCodes.filterRepeated],
  }),
  'filters.delete': operation('DELETE /zones/{zone_id}/filters/{filter_id}', {
    ...closed,
    summary: 'Delete a filter; firewall rules that use it match nothing from then on',
    query: guard,
    result: deleted,
    codes: deletionCodes,
  }),
  'filters.deleteMany': operation('DELETE /zones/{zone_id}/filters', {
    ...closed,
    summary: 'Delete several filters in one transaction, named in the query or in the body',
    query: { id: repeatedParameter({ max: deletionsMax }), ...guard },
    body: idsToDelete,
    result: listOf(deleted),
    codes: deletionCodes,
  }),
};

/** No zone is named: an expression is checked against the language and the account's lists, whatever the plan. */
export const validateExpressionOperations = {
  'filters.validateExpression': operation('GET /filters/validate-expr', {
    summary: 'Check an expression',
    permissions: [],
    query: { expression: textParameter() },
    result: nothing,
    codes: [filterCodes.filterInvalid],
  }),
  'filters.validateSentExpression': operation('POST /filters/validate-expr', {
    summary: 'Check an expression that is too long for a query',
    permissions: [],
    isWrite: false,
    body: named('ExpressionToCheck', object({ expression: expressionSent })),
    result: nothing,
    codes: [filterCodes.filterInvalid],
  }),
};

const assistedExpression = named(
  'ExpressionToAssist',
  object({
    expression: text({ max: assistedCharactersMax }),
    position: optional(
      annotate(integer({ min: 0, max: assistedCharactersMax }), {
        description:
          'The position of the cursor, in UTF-16 units; without it there are no completions and no hover.',
      }),
    ),
    phase: optional(
      text({ max: 100, description: 'The phase of the rule; that of firewall rules if not given.' }),
    ),
    about: optional(
      annotate(choice(['requests', 'events']), {
        description:
          'What the expression selects: requests, for a rule, or events, for a search of the activity log. Requests if not given.',
      }),
    ),
  }),
);

const place = { start: whole, end: whole } as const;

const assistanceSchema = named(
  'ExpressionAssistance',
  record({
    diagnostics: listOf(
      named(
        'ExpressionDiagnostic',
        record({
          severity: choice(['error', 'warning']),
          code: string,
          message: string,
          hint: optional(string),
          ...place,
        }),
      ),
    ),
    completions: named(
      'ExpressionCompletions',
      record({
        ...place,
        items: listOf(
          named(
            'ExpressionCompletion',
            record({
              label: string,
              kind: choice(['field', 'function', 'list', 'operator']),
              detail: string,
              summary: string,
            }),
          ),
        ),
      }),
    ),
    hover: nullable(named('ExpressionHover', record({ title: string, summary: string, ...place }))),
    formatted: nullable(string),
    tree: annotate(nullable(record({})), {
      description: 'In the JSON form of wirefilter; null while it is invalid.',
    }),
  }),
);

/**
 * For editors. The answer names the account's lists, so it needs permission to read rules or the log that expressions
 * search.
 */
export const assistExpressionOperations = {
  'expressions.assist': operation('POST /zones/{zone_id}/expressions/assist', {
    answeredBy: 'several objects',
    summary:
      'Get the errors of an expression while it is being written, completions, and descriptions of names',
    permissions: [...read, 'zoneWafRead', 'zoneWafWrite', 'analyticsRead'],
    isWrite: false,
    body: assistedExpression,
    result: assistanceSchema,
    isOurs: true,
  }),
};
