/**
 * Answers GraphQL queries on the activity log, for existing scripts: `firewallEventsAdaptive` and its groups. A query is
 * bounded before it runs (tokens, fields) and while it runs (nodes, events, time). Responses have Cloudflare's form: `data`,
 * and `errors`, which is null if there are none; a query with an error has no data.
 */
import {
  type DocumentNode,
  execute,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  type TypeNode,
  validate,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { fault, genericCodes, type InputOf, type PlainReply } from '#contract';
import type { ObjectsContext } from '../../several-objects.ts';
import { FieldsPerNodeRule, IntrospectionsRule } from './bounds-rules.ts';
import { Budget } from './budget.ts';
import {
  definitionsMax,
  errorsMax,
  messageCharactersMax,
  tokensMax,
  variableObjectsMax,
  variableValuesMax,
} from './limits.ts';
import type { QueryContext } from './resolve.ts';
import { schema } from './schema.ts';

type Query = InputOf<'graphql.query'>['body'];

/** Scripts declare variables with type names of their own, which Cloudflare accepts. */
const rules = [
  FieldsPerNodeRule,
  IntrospectionsRule,
  ...specifiedRules.filter((rule) => rule !== VariablesInAllowedPositionRule),
];

export async function answerGraphql(context: ObjectsContext, query: Query): Promise<PlainReply> {
  const outcome = await run(context, query);
  const answer = Array.isArray(outcome)
    ? { data: null, errors: outcome.map((error) => toErrorJson(error as GraphQLError, context.nowMs)) }
    : { data: outcome, errors: null };
  return { kind: 'plain', status: 200, contentType: 'application/json', body: JSON.stringify(answer) };
}

/** Returns the data, or the errors. */
async function run(context: ObjectsContext, query: Query): Promise<object | readonly GraphQLError[]> {
  const { variables, operationName } = checkQuery(query);
  if (!isSmall(variables)) return [new GraphQLError('the variables hold too much')];
  let document: DocumentNode;
  try {
    document = replaceTypes(parse(query.query, { maxTokens: tokensMax }));
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
  if (document.definitions.length > definitionsMax) {
    return [new GraphQLError(`a document can have ${definitionsMax} operations and fragments`)];
  }
  const problems = validate(schema, document, rules, { maxErrors: errorsMax });
  if (problems.length > 0) return problems;
  const contextValue: QueryContext = { context, budget: new Budget() };
  const { data, errors } = await execute({
    schema,
    document,
    contextValue,
    variableValues: variables,
    options: { maxCoercionErrors: errorsMax },
    ...(operationName === undefined ? {} : { operationName }),
  });
  if (errors === undefined) return data!;
  for (const { originalError } of errors)
    if (originalError !== undefined && !(originalError instanceof GraphQLError)) throw originalError;
  return errors;
}

interface Checked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

function checkQuery({ variables, operationName }: Query): Checked {
  const isObject = typeof variables === 'object' && !Array.isArray(variables);
  if (variables !== undefined && !isObject) throw createFault('/variables', 'variables must be an object');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw createFault('/operationName', 'operationName must be a string');
  }
  return {
    variables: (variables ?? {}) as Checked['variables'],
    operationName: operationName || undefined,
  };
}

/** Each object of a filter is compared with every field that a filter can have, so the objects are counted first. */
function isSmall(variables: object): boolean {
  let objects = 0;
  let values = 0;
  const open: unknown[] = [variables];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    objects++;
    values += inner.length;
    if (objects > variableObjectsMax || values > variableValuesMax) return false;
    for (const each of inner) open.push(each);
  }
  return true;
}

function createFault(pointer: string, reason: string): Error {
  return fault(genericCodes.invalidJson, { pointer, fill: { api: 'graphql', reason } });
}

const typeAliases: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  Int: 'uint64',
  int: 'uint64',
  int32: 'uint64',
  int64: 'uint64',
  DateTime: 'Time',
};

/** Replaces the type names that scripts use for variables by the ones in this schema. */
function replaceTypes(document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION && definition.variableDefinitions !== undefined
        ? {
            ...definition,
            variableDefinitions: definition.variableDefinitions.map((variable) => ({
              ...variable,
              type: toOwnType(variable.type),
            })),
          }
        : definition,
    ),
  };
}

function toOwnType<T extends TypeNode>(node: T): T {
  if (node.kind !== Kind.NAMED_TYPE) return { ...node, type: toOwnType(node.type) };
  const { value } = node.name;
  const name = Object.hasOwn(typeAliases, value)
    ? typeAliases[value]!
    : value.replace(/^Zone(?=Firewall)/, '');
  return { ...node, name: { ...node.name, value: name } };
}

function toErrorJson({ message, path, extensions }: GraphQLError, nowMs: number): object {
  return {
    message: message.slice(0, messageCharactersMax),
    path: path?.map(String) ?? null,
    extensions: { ...extensions, timestamp: new Date(nowMs).toISOString() },
  };
}
