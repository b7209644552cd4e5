/** One row of the route table as an Operation Object. */
import type { Operation } from '../operation.ts';
import { permissionGroups } from '../permissions.ts';
import { identifier } from '../router.ts';
import type { JsonSchema } from '#shapes';

export function operationObject(id: string, tag: string, operation: Operation): JsonSchema {
  const { summary, body, isOurs } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: permissionsText(operation),
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.isOptional !== true,
            content: { 'application/json': { schema: body.schema } },
          },
        }),
    responses: { ...success(operation), default: { $ref: '#/components/responses/Failure' } },
    ...(isOurs ? { 'x-gatehouse-ours': true } : {}),
  };
}

function permissionsText({ permissions }: Operation): string {
  if (permissions.length === 0) return 'Any valid credentials will do.';
  const names = permissions.map((permission) => permissionGroups[permission].name);
  return `A token needs ${names.length === 1 ? 'the permission' : 'one of the permissions'} ${names.join(', ')}.`;
}

function pathParameters({ path, segments }: Operation): JsonSchema[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: (segments[name!] ?? identifier).source },
  }));
}

function queryParameters({ query }: Operation): JsonSchema[] {
  return Object.entries(query).map(([name, { schema, description }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function success(operation: Operation): JsonSchema {
  const { result, media } = operation;
  if (result === null) return { '204': { description: 'Done.' } };
  if (media.length > 0) {
    const content = Object.fromEntries(media.map((type) => [type, { schema: result }]));
    return { '2XX': { description: 'Done, without the envelope.', content } };
  }
  const schema = envelope(result, operation.query);
  return { '2XX': { description: 'Done.', content: { 'application/json': { schema } } } };
}

function envelope(result: JsonSchema, query: Operation['query']): JsonSchema {
  const info = resultInfo(query);
  return {
    type: 'object',
    required: ['result', 'success', 'errors', 'messages', ...(info === undefined ? [] : ['result_info'])],
    properties: {
      result,
      success: { const: true },
      errors: { type: 'array', maxItems: 0 },
      messages: { type: 'array', items: { $ref: '#/components/schemas/Message' } },
      ...(info === undefined ? {} : { result_info: info }),
    },
  };
}

/** Lists that are read in pieces say which piece it was. */
function resultInfo(query: Operation['query']): JsonSchema | undefined {
  if ('cursor' in query) return { $ref: '#/components/schemas/CursorInfo' };
  return 'page' in query ? { $ref: '#/components/schemas/PageInfo' } : undefined;
}
