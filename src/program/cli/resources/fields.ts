/** The options of a command that fill the body of an operation, derived from the schema of the body. */
import { isObject } from '#base';
import type { Operation } from '#contract';
import { type Arguments, CommandError, type Option, UsageError } from '../command.ts';
import { readInput } from '../read-input.ts';
import type { ResourceRow } from './resource-row.ts';

export type Json = Readonly<Record<string, unknown>>;

type FieldKind = 'text' | 'flag' | 'number' | 'texts' | 'json' | 'any';

export interface Field {
  readonly option: string;
  /** Its place in the body. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly choices: readonly string[];
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

interface Described {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly description?: string;
}

/** The schema of the item if the body is a list, because options describe one item. */
export function getItemSchema({ body }: Operation): { schema: Described; isList: boolean } | undefined {
  // Such a body repeats parts of the path and the query.
  if (body === undefined || body.isOptional === true) return undefined;
  const schema = unwrap(body.schema);
  return schema.type === 'array' && schema.items !== undefined
    ? { schema: unwrap(schema.items), isList: true }
    : { schema, isList: false };
}

export function listFields(row: ResourceRow, operation: Operation): readonly Field[] {
  const schema = getItemSchema(operation)?.schema;
  if (schema === undefined || row.isDocument === true) return [];
  const byOption = new Map<string, Field>();
  for (const name of Object.keys(schema.properties ?? {})) {
    // The path identifies what is changed, and the server assigns ids to what is created.
    if (name !== 'id' && schema.properties![name]!.readOnly !== true) add([name], toOption(name));
  }
  for (const [option, path] of Object.entries(row.aliases ?? {})) add(path.split('.'), option);
  return [...byOption.values()];

  function add(path: readonly string[], option: string): void {
    const described = findSchema(schema!, path);
    const { kind, choices } = describeKind(described);
    const isRequired =
      path.length === 1 && schema!.required?.includes(path[0]!) === true && row.current === undefined;
    byOption.set(option, { option, path, kind, choices, description: described.description, isRequired });
  }
}

export function toOption(name: string): string {
  return name.replaceAll(/[._]/g, '-');
}

function findSchema(schema: Described, path: readonly string[]): Described {
  return path.reduce((each, name) => unwrap(unwrap(each).properties?.[name] ?? {}), schema);
}

/** Without the alternative of null. */
function unwrap(schema: Described): Described {
  const rest = schema.anyOf?.filter(({ type }) => type !== 'null');
  return rest?.length === 1 ? unwrap(rest[0]!) : schema;
}

function describeKind(schema: Described): { kind: FieldKind; choices: readonly string[] } {
  // An option is one word; other values of the field are read from a file.
  const word = schema.anyOf?.find(({ type }) => type === 'string');
  if (word !== undefined) return describeKind(word);
  const choices = (schema.enum ?? []).filter((value) => typeof value === 'string');
  if (schema.type === 'boolean') return { kind: 'flag', choices: ['true', 'false'] };
  if (schema.type === 'string') return { kind: 'text', choices };
  if (schema.type === 'integer' || schema.type === 'number') return { kind: 'number', choices: [] };
  if (schema.type === 'array' && unwrap(schema.items ?? {}).type === 'string')
    return { kind: 'texts', choices: [] };
  return { kind: schema.type === undefined && schema.anyOf === undefined ? 'any' : 'json', choices: [] };
}

const placeholders: Readonly<Record<FieldKind, string>> = {
  text: 'TEXT',
  flag: 'true|false',
  number: 'NUMBER',
  texts: 'TEXT,TEXT',
  json: 'JSON',
  any: 'VALUE',
};

/** Descriptions of the API are sentences with markup for a document; help uses the phrase alone if it is sufficient. */
export function toPhrase(description: string): string {
  const text = description.replaceAll('`', '');
  if (/[.!?]\s/.test(text)) return text;
  return text.replace(/\.$/, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

export function toOptions(fields: readonly Field[]): Readonly<Record<string, Option>> {
  return Object.fromEntries(
    fields.map(({ option, path, kind, choices, description, isRequired }) => {
      const isShort = choices.length > 0 && choices.length <= 6;
      const help = [
        `${path.join('.')} in the body${isRequired ? ' (needed)' : ''}`,
        ...(description === undefined ? [] : [toPhrase(description)]),
        ...(choices.length > 6 ? [`one of ${choices.join(', ')}`] : []),
      ].join('; ');
      const value = isShort ? choices.join('|') : placeholders[kind];
      return [option, { value, help, ...(choices.length === 0 ? {} : { choices }) }];
    }),
  );
}

/** Puts the fields from the options into a copy of `start`. */
export function fillBody(fields: readonly Field[], { values }: Arguments, start: Json): Json {
  const body = structuredClone(start) as Record<string, unknown>;
  for (const field of fields) {
    const text = values[field.option];
    if (text !== undefined) put(body, field.path, parseValue(field, text));
  }
  return body;
}

function put(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = body[name];
  const target = isObject(inner) ? { ...inner } : {};
  put(target, rest, value);
  body[name] = target;
}

function parseValue({ option, kind }: Field, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'texts') return text.split(',').map((each) => each.trim());
  if (kind === 'number') {
    if (/^-?\d{1,15}(?:\.\d+)?$/.test(text)) return Number(text);
    throw new UsageError(`--${option} must be a number: ${text}`);
  }
  if (kind === 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (kind === 'any') return text;
    throw new UsageError(`--${option} must be JSON: ${(error as Error).message}`);
  }
}

/** The parts of another operation's answer that an operation accepts. */
export function pickWritable(schema: Described, value: unknown): unknown {
  const { properties } = unwrap(schema);
  if (properties === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) && properties[name]!.readOnly !== true,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, pickWritable(properties[name]!, each)]));
}

/** JSON from a file, or from standard input. */
export function readJsonFile(name: string): unknown {
  const text = readInput(name);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError(`--file ${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
