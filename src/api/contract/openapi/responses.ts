/** The responses of an operation, by status: its result in the envelope, or an error. */
import { assert } from '#base';
import type { Code } from '../code.ts';
import { authCodes } from '../codes/auth.ts';
import { genericCodes } from '../codes/generic.ts';
import type { Operation } from '../operation.ts';
import { refusalsOf } from '../refusals.ts';
import { named, listOf, type JsonSchema } from '#shapes';
import { cursorInfo, errorEntry, failure, message, pageInfo } from './envelope.ts';
import type { NamedSchemas } from './named-schemas.ts';

/**
 * Refusals that mean the same for every operation, by status. A row that lists further codes of that status gets its
 * own response.
 */
const commonRefusals: Readonly<Record<number, { readonly name: string; readonly codes: readonly Code[] }>> = {
  403: {
    name: 'Forbidden',
    codes: [authCodes.tokenUnknown, authCodes.addressRefused, authCodes.notPermitted],
  },
  413: { name: 'BodyTooLarge', codes: [genericCodes.bodyTooLarge] },
  415: { name: 'WrongContentType', codes: [genericCodes.contentType] },
  429: { name: 'TooManyRequests', codes: [authCodes.tooManyRequests] },
};

export function responsesOf(id: string, operation: Operation, schemas: NamedSchemas): JsonSchema {
  return {
    ...success(id, operation, schemas),
    ...refusals(operation, schemas),
    default: { $ref: '#/components/responses/Failure' },
  };
}

export function commonResponses(schemas: NamedSchemas): JsonSchema {
  const common = Object.values(commonRefusals).map(({ name, codes }) => [name, refusal(codes, schemas)]);
  return {
    Failure: {
      description: 'Nothing was changed unless the message says so; each entry has a code.',
      content: { 'application/json': { schema: schemas.refer(failure.schema) } },
    },
    ...Object.fromEntries(common),
  };
}

function success(id: string, operation: Operation, schemas: NamedSchemas): JsonSchema {
  const { result, media, status } = operation;
  if (result === null) return { '204': { description: 'Done.' } };
  if (media.length === 0) return { [status]: enveloped(id, operation, result.schema, schemas) };
  const content = Object.fromEntries(media.map((type) => [type, mediaType(type, result.schema, schemas)]));
  return { [status]: { description: 'Success, without the envelope.', content } };
}

/** Lines and events are plain text to most clients; the content of each is described beside it. */
function mediaType(type: string, item: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const schema = schemas.refer(item);
  return type === 'application/json'
    ? { schema }
    : { schema: { type: 'string' }, 'x-gatehouse-item': schema };
}

function enveloped(id: string, operation: Operation, result: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const info = infoOf(operation);
  const schema = named(`${resultName(id, result, info?.suffix)}Response`, {
    type: 'object',
    required: ['result', 'success', 'errors', 'messages', ...(info === undefined ? [] : ['result_info'])],
    properties: {
      result,
      success: { type: 'boolean', const: true },
      errors: { type: 'array', items: errorEntry.schema, maxItems: 0 },
      messages: listOf(message).schema,
      ...(info === undefined ? {} : { result_info: info.schema }),
    },
  });
  return {
    description: 'Done.',
    ...(operation.versionOf === undefined ? {} : { headers: entityTag }),
    content: { 'application/json': { schema: schemas.refer(schema) } },
  };
}

function resultName(id: string, result: JsonSchema, ofMany = 'List'): string {
  const { title, type, items } = result;
  if (typeof title === 'string') return title;
  if (type === 'null') return 'Empty';
  assert(type === 'array', `the result of ${id} has no name: use named()`);
  return `${resultName(id, items as JsonSchema)}${ofMany}`;
}

/** Paginated lists report which page the answer holds. */
function infoOf({ query }: Operation): { readonly suffix: string; readonly schema: JsonSchema } | undefined {
  if ('cursor' in query) return { suffix: 'Piece', schema: cursorInfo.schema };
  return 'page' in query ? { suffix: 'Page', schema: pageInfo.schema } : undefined;
}

function refusals(operation: Operation, schemas: NamedSchemas): JsonSchema {
  const byStatus = Object.groupBy(refusalsOf(operation), ({ status }) => status);
  const entries = Object.entries(byStatus).map(([status, codes]) => {
    const common = commonRefusals[Number(status)];
    const isCommon = common !== undefined && codes!.every((code) => common.codes.includes(code));
    return [status, isCommon ? { $ref: `#/components/responses/${common.name}` } : refusal(codes!, schemas)];
  });
  return Object.fromEntries(entries);
}

function refusal(codes: readonly Code[], schemas: NamedSchemas): JsonSchema {
  const numbers = [...new Set(codes.map(({ code }) => code))].toSorted((a, b) => a - b);
  const isLimit = codes.some(({ status }) => status === 429);
  return {
    description: `Refused. Codes: ${numbers.join(', ')}; docs/reference/error-codes.md explains each code and what to do.`,
    ...(isLimit ? { headers: retryAfter } : {}),
    content: { 'application/json': { schema: schemas.refer(failure.schema) } },
    'x-gatehouse-codes': numbers,
  };
}

const entityTag: JsonSchema = {
  ETag: {
    description: 'The version of the zone or account, for `If-Match` of a write to the same object.',
    schema: { type: 'string' },
  },
};

const retryAfter: JsonSchema = {
  'Retry-After': {
    description: 'Seconds to wait before a retry, if waiting helps.',
    schema: { type: 'integer' },
  },
};
