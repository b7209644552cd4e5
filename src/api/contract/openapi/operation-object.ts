/** One row of the route table as an Operation Object. */
import type { Operation } from '../operation.ts';
import { permissionGroups } from '../permissions.ts';
import { identifier } from '../router.ts';
import type { JsonSchema } from '#shapes';
import type { NamedSchemas } from './named-schemas.ts';
import { responsesOf } from './responses.ts';

export function operationObject(id: string, operation: Operation, schemas: NamedSchemas): JsonSchema {
  const { summary, body, isOurs } = operation;
  return {
    operationId: methodName(id),
    tags: [tagOf(id)],
    summary,
    description: permissionsText(operation),
    parameters: [
      ...pathParameters(operation, schemas),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.isOptional !== true,
            content: { 'application/json': { schema: schemas.refer(body.schema) } },
          },
        }),
    responses: responsesOf(id, operation, schemas),
    ...(isOurs ? { 'x-gatehouse-ours': true } : {}),
  };
}

function tagOf(id: string): string {
  return id.split('.')[0]!;
}

/**
 * `filters.list` is `filtersList`: a name of a method in any language, or one step away from it.
 * @internal Exported for tests.
 */
export function methodName(id: string): string {
  return id.replace(/\.(.)/g, (_, first: string) => first.toUpperCase());
}

function permissionsText({ permissions }: Operation): string {
  if (permissions.length === 0) return 'Any valid credentials are accepted.';
  const names = permissions.map((permission) => permissionGroups[permission].name);
  return `A token needs ${names.length === 1 ? 'the permission' : 'one of the permissions'} ${names.join(', ')}.`;
}

function pathParameters({ path, segments, segmentSchemas }: Operation, schemas: NamedSchemas): JsonSchema[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.refer(
      segmentSchemas[name!] ?? { type: 'string', pattern: (segments[name!] ?? identifier).source },
    ),
  }));
}

function queryParameters({ query }: Operation, schemas: NamedSchemas): JsonSchema[] {
  return Object.entries(query).map(([name, { schema, description }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema: schemas.refer(schema),
  }));
}

function headerParameters({ isWrite, versionOf }: Operation): JsonSchema[] {
  if (!isWrite || versionOf === undefined) return [];
  return [
    {
      name: 'If-Match',
      in: 'header',
      description: `Ours. The write happens only if the ${versionOf} still has the version of this \`ETag\`.`,
      schema: { type: 'string' },
    },
  ];
}
