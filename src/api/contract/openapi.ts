/**
 * The OpenAPI 3.1 description of the whole API, derived from the route table: it describes exactly what the router
 * serves.
 */
import { apiPath } from './limits.ts';
import { NamedSchemas } from './openapi/named-schemas.ts';
import { operationObject } from './openapi/operation-object.ts';
import { commonResponses } from './openapi/responses.ts';
import { tagDescriptions, operations } from './operations.ts';
import type { Operation } from './operation.ts';
import type { JsonSchema } from '#shapes';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: JsonSchema;
    readonly securitySchemes: JsonSchema;
  };
  readonly security: readonly JsonSchema[];
}

let remembered: Omit<OpenApiDocument, 'servers'> | undefined;

/** Created once; only the server's address is filled in per call. */
export function openApiDocument({
  serverUrl = apiPath,
}: { readonly serverUrl?: string } = {}): OpenApiDocument {
  remembered ??= describe(operations);
  return { ...remembered, servers: [{ url: serverUrl, description: 'The API of this server.' }] };
}

function describe(table: Readonly<Record<string, Operation>>): Omit<OpenApiDocument, 'servers'> {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, operation] of Object.entries(table)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(id, operation, schemas);
  }
  const responses = commonResponses(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: 'v4',
      description:
        'Filters, firewall rules, managed rules and their migration, rulesets and lists. ' +
        'Operations marked `x-gatehouse-ours` are additions of Gatehouse.',
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.toComponents() as Readonly<Record<string, JsonSchema>>,
      responses,
      securitySchemes,
    },
    security,
  };
}

/** The ways to authenticate. */
const securitySchemes: JsonSchema = {
  token: { type: 'http', scheme: 'bearer', description: 'An API token: of a user, or of the account.' },
  email: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Email',
    description: 'The e-mail address of the user that the key belongs to.',
  },
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Key',
    description: 'The key of a user, together with the e-mail address. It has all permissions.',
  },
};

/** A token, or a user's mail address together with the key. */
const security: readonly JsonSchema[] = [{ token: [] }, { email: [], key: [] }];
