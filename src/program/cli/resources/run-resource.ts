/** Runs a command that calls one operation: fills path, query and body, calls it, and prints the result. */
import { type Operation, type OperationId, operations } from '#contract';
import { ApiError } from '#client';
import { ApiClient } from '../api/api-client.ts';
import { readConnection } from '../api/connection.ts';
import { type Arguments, exitCodes, UsageError } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import {
  type Field,
  fillBody,
  getItemSchema,
  type Json,
  pickWritable,
  readJsonFile,
  toOption,
} from './fields.ts';
import { fillPath, listPathParameters } from './path.ts';
import { describeRefusal } from './refusal.ts';
import type { ResourceRow } from './resource-row.ts';
import { openScreen, printTable, printThing } from './tables.ts';

interface Resource {
  readonly row: ResourceRow;
  readonly operation: Operation;
  readonly fields: readonly Field[];
}

export async function runResource(resource: Resource, args: Arguments): Promise<number> {
  const { row, fields } = resource;
  if (row.danger !== undefined && !args.switches.has('yes'))
    throw new UsageError(`gatehouse ${row.name} needs --yes: ${row.danger}`);
  // Reports an invalid value before any call of the server.
  fillBody(fields, args, {});
  const call = chooseOperation(row, args);
  const limit = readWholeNumber(args, 'limit', { min: 1, max: 10_000_000 }) ?? row.limit;
  using api = new ApiClient(readConnection(args, row.name));
  try {
    const path = `${await fillPath(api, call.operation, call.positionals)}${writeQuery(call.operation, args)}`;
    const body = await readBody(api, resource, args, call);
    if (call.operation.method === 'GET' && isList(call.operation)) {
      await printList(row, args, listItems(api, path, call.operation, limit));
      return exitCodes.success;
    }
    const { result, messages } = await api.ask(call.operation.method, path, { body });
    printResult(row, args, result);
    for (const { message } of messages) process.stderr.write(`note: ${escapeUnprintable(message)}\n`);
    return exitCodes.success;
  } catch (error) {
    if (error instanceof ApiError)
      throw describeRefusal(row.name, error, { operation: call.operation, fields });
    throw error;
  }
}

interface Call {
  readonly operation: Operation;
  readonly positionals: readonly string[];
  readonly isAccount: boolean;
}

function chooseOperation(row: ResourceRow, { positionals, switches }: Arguments): Call {
  const operation: Operation = operations[row.operation];
  if (row.accountOperation === undefined) return { operation, positionals, isAccount: false };
  const forAccount = operations[row.accountOperation];
  if (operation.scope !== 'zone')
    return switches.has('account')
      ? { operation: forAccount, positionals, isAccount: true }
      : { operation, positionals, isAccount: false };
  return positionals[0] === 'account'
    ? { operation: forAccount, positionals: positionals.slice(1), isAccount: true }
    : { operation, positionals, isAccount: false };
}

function isList({ result }: Operation): boolean {
  return result?.schema['type'] === 'array';
}

function writeQuery({ query }: Operation, { values, repeated }: Arguments): string {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(query)) {
    const option = toOption(name);
    const value = values[option];
    for (const each of repeated[option] ?? (value === undefined ? [] : [value]))
      parameters.append(name, each);
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

async function readBody(
  api: ApiClient,
  { row, fields }: Resource,
  args: Arguments,
  call: Call,
): Promise<unknown> {
  const item = getItemSchema(call.operation);
  if (item === undefined) return undefined;
  const given = args.values['file'] === undefined ? undefined : readJsonFile(args.values['file']);
  const named = fields.filter(({ option }) => args.values[option] !== undefined);
  if (Array.isArray(given)) {
    if (named.length > 0)
      throw new UsageError(
        `--file has a list, so --${named[0]!.option} would have no single item to change: leave it out`,
      );
    return given;
  }
  if (given === undefined && named.length === 0) throw createEmptyError(row, fields);
  const current = row.current === undefined ? {} : await readCurrent(api, row.current, call);
  const start = { ...(pickWritable(item.schema, current) as Json), ...(given as Json | undefined) };
  const body = fillBody(fields, args, start);
  return item.isList ? [body] : body;
}

function createEmptyError({ name }: ResourceRow, fields: readonly Field[]): UsageError {
  const needed = fields.filter(({ isRequired }) => isRequired).map(({ option }) => `--${option}`);
  if (needed.length > 0) return new UsageError(`gatehouse ${name} needs ${needed.join(' and ')}, or --file`);
  const some = fields.map(({ option }) => `--${option}`);
  return new UsageError(`gatehouse ${name} needs ${['--file', ...some].join(' or ')}`);
}

async function readCurrent(
  api: ApiClient,
  current: NonNullable<ResourceRow['current']>,
  { isAccount, positionals }: Call,
): Promise<unknown> {
  const id = isAccount
    ? current.operation.replace(/^(\w)/, (first) => `account${first.toUpperCase()}`)
    : current.operation;
  const operation: Operation = operations[id as OperationId];
  const count = listPathParameters(operation).length;
  const path = await fillPath(api, operation, positionals.slice(0, count));
  const { result: thing } = await api.ask<Json>('GET', path);
  if (current.within === undefined) return thing;
  const items = (thing[current.within] ?? []) as readonly Json[];
  // The server refuses an id that does not exist.
  return items.find(({ id: itemId }) => itemId === positionals.at(-1)) ?? {};
}

const cursorPageSize = 500;

async function* listItems(
  api: ApiClient,
  path: string,
  { query }: Operation,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown, void> {
  const isPaged = 'page' in query || 'cursor' in query;
  const size = 'cursor' in query ? { query: { per_page: Math.min(limit, cursorPageSize) } } : {};
  const items = isPaged
    ? api.listAt<unknown>(path, size)
    : (await api.ask<readonly unknown[]>('GET', path)).result;
  let left = limit;
  for await (const item of items) {
    yield item;
    left--;
    if (left <= 0) return;
  }
}

async function printList(row: ResourceRow, args: Arguments, items: AsyncIterable<unknown>): Promise<void> {
  if (args.switches.has('json')) {
    for await (const item of items) process.stdout.write(`${JSON.stringify(item)}\n`);
    return;
  }
  const screen = openScreen();
  const all = await Array.fromAsync(items);
  if (all.length === 0 && screen.columns !== undefined) screen.write('None found.\n');
  else printTable(screen, row.columns ?? ['id'], all);
}

function printResult(row: ResourceRow, args: Arguments, result: unknown): void {
  if (args.switches.has('json')) {
    const lines = Array.isArray(result) ? result : [result];
    for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const screen = openScreen();
  if (result === null || result === undefined) process.stderr.write('done\n');
  else if (Array.isArray(result) && row.columns !== undefined) printTable(screen, row.columns, result);
  else if (row.isDocument === true) screen.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else for (const each of Array.isArray(result) ? result : [result]) printThing(screen, each, row.tables);
}
