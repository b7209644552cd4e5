/**
 * An operation is one row of the route table: how it is called, who may, what it takes. The router, the checks before
 * a handler runs, the OpenAPI document and the tests of authorization are all made from these rows.
 */
import type { Code } from './code.ts';
import type { Permission } from './permissions.ts';
import type { FormPart } from './requests/form.ts';
import type { Parameters, ParametersOf, JsonSchema, Shape, Shaped } from '#shapes';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whose state the operation works on; with `account` and `zone` the path names which. */
type OperationScope = 'zone' | 'account' | 'user' | 'none';

/** The object of the zone in the path, that of the account, or a handler outside that asks several objects. */
type Answerer = 'zone' | 'account' | 'several objects';

/**
 * Where it is asked for: over the network by those who have credentials, or through the socket in the data directory by
 * those who own the directory.
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
   * The object whose version the answer tells in `ETag`; on the way in, `If-Match` compares it. Undefined: the answer
   * has none, and a write with a condition is refused.
   */
  readonly versionOf: Exclude<Answerer, 'several objects'> | undefined;
  /** The answer depends on who asks, or when, so it is not kept for the next one who asks the same. */
  readonly isPersonal: boolean;
  /** A token needs one of these; a user's key always suffices. None: any valid credentials do. */
  readonly permissions: readonly Permission[];
  /** Changes something: it is audited, and its object forgets remembered answers. */
  readonly isWrite: boolean;
  /** The first word of messages such as `filters.api.invalid_json`. */
  readonly api: string;
  readonly query: Parameters;
  /** Whether a parameter that `query` does not name is refused, instead of meaning nothing. */
  readonly isQueryClosed: boolean;
  readonly body: Shape<unknown> | undefined;
  /** Types of a body that is not JSON and is read as it comes in, such as a file. */
  readonly upload: readonly string[];
  /** How long a body is that is passed to the handler as it comes in; undefined if it is not. */
  readonly rawBytesMax: number | undefined;
  /** How long a body of JSON may be; undefined for the usual. */
  readonly bodyBytesMax: number | undefined;
  /** Whether its answers name addresses of this server. */
  readonly needsHost: boolean;
  /** Whether JSON may be sent as text, as Wrangler does it. */
  readonly takesText: boolean;
  /** What `result` holds on success; null for an operation that answers 204. */
  readonly result: Shape<unknown> | null;
  /** Of the answer, on success. */
  readonly status: 200 | 201;
  /**
   * Whether its answers may carry messages. Released clients read those of a few families as texts and fail on an object,
   * newer ones expect objects, so these answers carry none.
   */
  readonly carriesMessages: boolean;
  /** What it can answer instead, beside what follows from the rest of the row: see `refusalsOf`. */
  readonly codes: readonly Code[];
  /** Types of an answer that is not in the envelope; `result` describes it, or one item of it. */
  readonly media: readonly string[];
  /** Cloudflare does not have it. */
  readonly isOurs: boolean;
  /** Parts of the path that are not 32 hexadecimal digits. */
  readonly segments: Readonly<Record<string, RegExp>>;
  /** The part of the path that may have slashes: the last one. */
  readonly rest: string | undefined;
  /** What parts of the path can be, where the document can say more than their pattern. */
  readonly segmentSchemas: Readonly<Record<string, JsonSchema>>;
}

type Given = Partial<Omit<Operation, 'method' | 'path'>> &
  Pick<Operation, 'summary' | 'api' | 'permissions' | 'result'>;

type Route = `${Method} /${string}`;

type Completed<R extends Route, G extends Given> = Omit<
  Operation,
  'method' | 'path' | 'query' | 'body' | 'result' | 'carriesMessages'
> & {
  readonly method: R extends `${infer M extends Method} ${string}` ? M : never;
  readonly path: R extends `${Method} ${infer P}` ? P : never;
  readonly query: G extends { readonly query: infer Q extends Parameters } ? Q : {};
  readonly body: G extends { readonly body: infer B extends Shape<unknown> } ? B : undefined;
  readonly result: G['result'];
  readonly carriesMessages: G extends { readonly carriesMessages: false } ? false : true;
};

/** `operation('GET /zones/{zone_id}/filters', {...})`. What is not said follows from the method and the path. */
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

type Named<Family extends string, Rows> = {
  readonly [Verb in keyof Rows & string as `${Family}.${Verb}`]: Rows[Verb];
};

/** Rows that several levels have, with the name of one of them: `{ list }` becomes `{ 'rulesets.list' }`. */
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

/** What a handler is given of the request. */
export interface Input<O extends Operation = Operation> {
  /** Identifiers of the path by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: ParametersOf<O['query']>;
  /** Undefined, too, where the row says that there may be none. */
  readonly body:
    | (O['body'] extends Shape<unknown> ? Shaped<O['body']> : undefined)
    | (O['body'] extends { readonly isOptional: true } ? undefined : never);
  /** The URL of this server without a path, as the client has it, where answers name addresses. */
  readonly host?: string;
  /** The body as it came in, with the fields of the request, where the row takes that. */
  readonly raw?: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };
  /** The parts of an upload, where the row takes one. */
  readonly form?: readonly FormPart[];
}

/** What a client gets when all went well. */
export type ResultOf<O extends Operation> = O['result'] extends Shape<infer T> ? T : undefined;
