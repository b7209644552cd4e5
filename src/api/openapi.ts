/** The OpenAPI 3.1 description of the whole API, made from the route table: what it shows is what the router serves. */
import { components, security } from './openapi/components.ts';
import { operationObject } from './openapi/operation-object.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import type { JsonSchema } from '#shapes';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
  readonly security: readonly JsonSchema[];
}

let remembered: Omit<OpenApiDocument, 'servers'> | undefined;

/** Made once; only the server's address is put in anew. */
export function openApiDocument({
  serverUrl = '/client/v4',
}: { readonly serverUrl?: string } = {}): OpenApiDocument {
  remembered ??= describe(operations);
  return { ...remembered, servers: [{ url: serverUrl }] };
}

function describe(table: Readonly<Record<string, Operation>>): Omit<OpenApiDocument, 'servers'> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const tags = new Set<string>();
  for (const [id, operation] of Object.entries(table)) {
    const tag = id.split('.')[0]!;
    tags.add(tag);
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(id, tag, operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: 'v4',
      description:
        'Filters, firewall rules, managed rules and their migration, rulesets and lists. ' +
        'Operations marked `x-gatehouse-ours` are not in the API that clients know from elsewhere.',
    },
    tags: Array.from(tags, (name) => ({ name })),
    paths,
    components,
    security,
  };
}
