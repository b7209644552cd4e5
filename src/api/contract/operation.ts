/**
 * An operation is one row of the route table: how it is called, who may call it, and what it accepts. The router, the
 * checks before a handler runs, the OpenAPI document and the tests of authorization are all derived from these rows.
 */
import type { Code } from './code.ts';
import type { Permission } from './permissions.ts';
import type { FormPart } from './requests/form.ts';
import type { Parameters, ParametersOf, JsonSchema, Shape, Shaped } from '#shapes';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whose state the operation works on; for `account` and `zone` the path names it. */
type OperationScope = 'zone' | 'account' | 'user' | 'none';

/** The object of the zone in the path, that of the account, or a handler outside objects that calls several of them. */
type Answerer = 'zone' | 'account' | 'several objects';

/**
 * Where the operation is served: over the network to clients with credentials, or through the socket in the data
 * directory to the owner of the directory.
 */
type Door = 'public' | 'operator';

export interface Operation {
  readonly method: Method;
  readonly door: Door;
  /** Below `/client/v4` at the public door, with `{name}` for identifiers. */
  readonly path: string;
  readonly summary: string;
  readonly scope: OperationScope;
  readonly answeredBy: Answerer;
  /**
   * The object whose version the answer reports in `ETag`; in requests, `If-Match` is compared with it. Undefined: the
   * answer has no version, and a conditional write is refused.
   */
  readonly versionOf: Exclude<Answerer, 'several objects'> | undefined;
  /** The answer depends on the caller or the time, so it is not cached for other callers. */
  readonly isPersonal: boolean;
  /** A token needs one of these; a user's key always suffices. If empty, any valid credentials do. */
  readonly permissions: readonly Permission[];
  /** The operation changes something: it is audited, and its object drops its cached answers. */
  readonly isWrite: boolean;
  /** The prefix of messages such as `filters.api.invalid_json`. */
  readonly api: string;
  readonly query: Parameters;
  /** Whether a parameter that `query` does not name is refused instead of ignored. */
  readonly isQueryClosed: boolean;
  readonly body: Shape<unknown> | undefined;
  /** Media types of a body that is not JSON and is streamed, such as a file. */
  readonly upload: readonly string[];
  /** The largest body that the handler receives unparsed; undefined if it receives a parsed one. */
  readonly rawBytesMax: number | undefined;
  /** The largest JSON body; undefined for the default. */
  readonly bodyBytesMax: number | undefined;
  /** Whether its answers contain URLs of this server. */
  readonly needsHost: boolean;
  /** Whether JSON may be sent as text, as Wrangler does. */
  readonly takesText: boolean;
  /** What `result` holds on success; null for an operation that answers 204. */
  readonly result: Shape<unknown> | null;
  /** The status of the answer on success. */
  readonly status: 200 | 201;
  /**
   * Whether its answers may carry messages. Released clients read those of a few families as texts and fail on an object,
   * newer ones expect objects, so these answers carry none.
   */
  readonly carriesMessages: boolean;
  /** The error codes of the operation, beside those that follow from the rest of the row: see `refusalsOf`. */
  readonly codes: readonly Code[];
  /** Media types of an answer without the envelope; `result` describes the answer, or one item of it. */
  readonly media: readonly string[];
  /** Cloudflare does not have it. */
  readonly isOurs: boolean;
  /** Parts of the path that are not 32 hexadecimal digits. */
  readonly segments: Readonly<Record<string, RegExp>>;
  /** The part of the path that may contain slashes: the last one. */
  readonly rest: string | undefined;
  /** Schemas of parts of the path where the document can be more specific than their pattern. */
  readonly segmentSchemas: Readonly<Record<string, JsonSchema>>;
}

type Given = Partial<Omit<Operation, 'method' | 'path'>> &
  Pick<Operation, 'summary' | 'api' | 'permissions' | 'result'>;

type Route = `${Method} /${string}`;

/** The fields from which the types of inputs and results are derived. */
type Typed = Pick<Operation, 'query' | 'body' | 'result' | 'carriesMessages'>;

type Completed<R extends Route, G extends Pick<Given, 'result'>> = Omit<
  Operation,
  'method' | 'path' | keyof Typed
> & {
  readonly method: R extends `${infer M extends Method} ${string}` ? M : never;
  readonly path: R extends `${Method} ${infer P}` ? P : never;
  readonly query: G extends { readonly query: infer Q extends Parameters } ? Q : {};
  readonly body: G extends { readonly body: infer B extends Shape<unknown> } ? B : undefined;
  readonly result: G['result'];
  readonly carriesMessages: G extends { readonly carriesMessages: false } ? false : true;
};

/** `operation('GET /zones/{zone_id}/filters', {...})`. Omitted fields follow from the method and the path. */
export function operation<const R extends Route, const G extends Given>(route: R, given: G): Completed<R, G> {
  const [method, path] = route.split(' ') as [Method, string];
  const scope = scopeOf(path);
  const answeredBy = given.answeredBy ?? (scope === 'zone' ? 'zone' : 'account');
  const defaults = {
    door: 'public',
    scope,
    answeredBy,
    versionOf: answeredBy === 'several objects' ? undefined : answeredBy,
    isPersonal: false,
    isWrite: method !== 'GET',
    query: {},
    isQueryClosed: false,
    body: undefined,
    upload: [],
    rawBytesMax: undefined,
    bodyBytesMax: undefined,
    takesText: false,
    needsHost: false,
    rest: undefined,
    status: 200,
    carriesMessages: true,
    codes: [],
    media: [],
    isOurs: false,
    segments: {},
    segmentSchemas: {},
  };
  return { ...defaults, ...given, method, path } as unknown as Completed<R, G>;
}

/** What the rows of a resource share. */
interface Shared extends Partial<Omit<Operation, 'method' | 'path' | keyof Typed>> {
  readonly api: string;
  /** The permissions of the rows that read, and of the others; a row may name its own instead. */
  readonly read?: readonly Permission[];
  readonly write?: readonly Permission[];
}

type Row = Partial<Given> & Pick<Given, 'summary' | 'result'>;

/** `operation` for the rows of a resource. */
export function operationsOf({ read = [], write = read, ...shared }: Shared) {
  return <const R extends Route, const G extends Row>(route: R, row: G): Completed<R, G> =>
    operation(route, {
      permissions: route.startsWith('GET ') ? read : write,
      ...shared,
      ...row,
    }) as Completed<R, G>;
}

type Named<Family extends string, Rows> = {
  readonly [Verb in keyof Rows & string as `${Family}.${Verb}`]: Rows[Verb];
};

/** Rows that several levels share, with the name of one of them: `{ list }` becomes `{ 'rulesets.list' }`. */
export function nameRows<const Family extends string, Rows extends object>(
  family: Family,
  rows: Rows,
): Named<Family, Rows> {
  const entries = Object.entries(rows).map(([verb, row]) => [`${family}.${verb}`, row]);
  return Object.fromEntries(entries) as Named<Family, Rows>;
}

function scopeOf(path: string): OperationScope {
  if (path.startsWith('/zones/{zone_id}')) return 'zone';
  if (path.startsWith('/accounts/{account_id}')) return 'account';
  return path.startsWith('/user') ? 'user' : 'none';
}

/** The parts of a request that a handler receives. */
export interface Input<O extends Operation = Operation> {
  /** Identifiers of the path by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: ParametersOf<O['query']>;
  /** Also undefined if the row makes the body optional. */
  readonly body:
    | (O['body'] extends Shape<unknown> ? Shaped<O['body']> : undefined)
    | (O['body'] extends { readonly isOptional: true } ? undefined : never);
  /** The URL of this server without a path, as the client sees it, for answers that contain URLs. */
  readonly host?: string;
  /** The unparsed body, with the headers of the request, if the row accepts that. */
  readonly raw?: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };
  /** The parts of an upload, if the row accepts one. */
  readonly form?: readonly FormPart[];
}

/** The result that a client gets on success. */
export type ResultOf<O extends Operation> = O['result'] extends Shape<infer T> ? T : undefined;
