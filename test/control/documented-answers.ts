/**
 * Validates calls against the OpenAPI document: a response has a status and codes that the document names for its
 * operation and matches its schema exactly; an accepted body is one that the document allows. Every call of
 * `TestControl` goes through here, so each test of the control plane also tests the document.
 */
import { ok } from 'node:assert/strict';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isReadBack, openApiDocument, type Operation, type OperationId, operations, Router } from '#contract';

interface Described {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

export interface DocumentedCall {
  readonly method: string;
  /** Below `/client/v4`. */
  readonly target: string;
  /** As it was sent; empty if there was none. */
  readonly sent: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Undefined if it was a stream. */
  readonly body: string | null | undefined;
}

const document = openApiDocument();
const codesByOperation = new Map<OperationId, ReadonlySet<number>>();
const router = new Router<OperationId>(operations);
// A separate test checks that the document is valid.
const options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
};

type Schema = Readonly<Record<string, unknown>>;

type Excuse = (error: ErrorObject, value: unknown) => boolean;
const nothingIsExcused: Excuse = () => false;

/** Validators of parts of the document, each created on first use: a test calls few of the operations. */
class DocumentedSchemas {
  readonly #ajv = new Ajv2020(options);
  readonly #edit: (schema: Schema) => Schema;
  readonly #byPlace = new Map<string, ValidateFunction>();
  readonly #named = new Set<string>();

  constructor(edit: (schema: Schema) => Schema = (schema) => schema) {
    this.#edit = edit;
  }

  check(steps: readonly string[], value: unknown, what: string, isExcused = nothingIsExcused): void {
    const validate = this.#at(steps);
    if (validate(value) || validate.errors!.every((error) => isExcused(error, value))) return;
    const text = JSON.stringify(value);
    const shown = text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
    ok(false, `${what} is not as documented: ${this.#ajv.errorsText(validate.errors)}: ${shown}`);
  }

  #at(steps: readonly string[]): ValidateFunction {
    const place = steps.join(' ');
    let validate = this.#byPlace.get(place);
    if (validate !== undefined) return validate;
    const find = (part: unknown, step: string): unknown => (part as Schema | undefined)?.[step];
    const schema = steps.reduce(find, document as unknown);
    ok(schema !== undefined, `the document has nothing at ${place}`);
    validate = this.#ajv.compile(this.#prepare(schema) as Schema);
    this.#byPlace.set(place, validate);
    return validate;
  }

  /** As edited, with every named schema that it refers to known by its name alone. */
  #prepare(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#prepare(item));
    const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#prepare(each)]));
    const reference = inner['$ref'];
    if (typeof reference === 'string') inner['$ref'] = this.#name(reference);
    return this.#edit(inner);
  }

  #name(reference: string): string {
    const name = reference.split('/').at(-1)!;
    const schema = document.components.schemas[name];
    ok(schema !== undefined, `the document has nothing at ${reference}`);
    if (!this.#named.has(name)) {
      this.#named.add(name);
      this.#ajv.addSchema(this.#prepare(schema) as Schema, name);
    }
    return name;
  }
}

const schemasOfBodies = new DocumentedSchemas();
const schemasOfAnswers = new DocumentedSchemas(closeObject);

/** Objects whose properties are described have no others: a response has no undocumented fields. */
function closeObject(schema: Schema): Schema {
  const isOpen = typeof schema['properties'] === 'object' && schema['additionalProperties'] === undefined;
  return isOpen ? { ...schema, additionalProperties: false } : schema;
}

export function checkDocumented(call: DocumentedCall): void {
  const { method, target, status, body } = call;
  const found = router.find(method, target.split('?')[0]!);
  if (found.kind !== 'found') return;
  const { path } = operations[found.id];
  const place = ['paths', path, method.toLowerCase()];
  const what = `the answer ${status} to ${found.id}`;
  const { responses } = document.paths[path]![method.toLowerCase()] as unknown as Described;
  if (status >= 400) return checkRefusal(found.id, responses, call);
  ok(Object.hasOwn(responses, status), `${what} is not documented: set its status in its row`);
  if (typeof body === 'string') {
    const type = call.contentType?.split(';')[0] ?? '';
    const content = responses[status]!.content;
    ok(content !== undefined && Object.hasOwn(content, type), `${what} is ${type}: not documented`);
    const isJson = type === 'application/json';
    const schema = [...place, 'responses', String(status), 'content', type, 'schema'];
    schemasOfAnswers.check(schema, isJson ? JSON.parse(body) : body, what);
  }
  checkBody([...place, 'requestBody', 'content', 'application/json', 'schema'], found.id, call.sent);
}

function checkRefusal(id: OperationId, responses: Described['responses'], call: DocumentedCall): void {
  const { status, body } = call;
  const failure = ['components', 'schemas', 'Failure'];
  const envelope = JSON.parse(String(body)) as { readonly errors: readonly { readonly code: number }[] };
  schemasOfAnswers.check(failure, envelope, `the refusal ${status} of ${id}`);
  if (status >= 500) return;
  const described = Object.hasOwn(responses, status) ? responses[status]! : undefined;
  ok(described !== undefined, `${id} refuses with ${status}: list the code in \`codes\` of its row`);
  let documented = codesByOperation.get(id);
  if (documented === undefined) codesByOperation.set(id, (documented = codesOf(responses)));
  for (const { code } of envelope.errors) {
    ok(documented.has(code), `${id} refuses with ${code}: list it in \`codes\` of its row`);
  }
}

/** Of all statuses: a refusal for several reasons has the status of the first. */
function codesOf(responses: Described['responses']): ReadonlySet<number> {
  const common = document.components.responses as Readonly<Record<string, object>>;
  const all = Object.values(responses).map(({ $ref, ...own }) =>
    $ref === undefined ? own : common[$ref.split('/').at(-1)!]!,
  ) as { readonly 'x-gatehouse-codes'?: readonly number[] }[];
  return new Set(all.flatMap((response) => response['x-gatehouse-codes'] ?? []));
}

function checkBody(place: readonly string[], id: OperationId, sent: string): void {
  const { body }: Operation = operations[id];
  if (body === undefined || sent === '') return;
  const value: unknown = JSON.parse(sent);
  // One item instead of a list is accepted but not recommended.
  const isOne = body.schema['type'] === 'array' && !Array.isArray(value);
  const excuse = excuseOf(operations[id]);
  schemasOfBodies.check(place, isOne ? [value] : value, `the body that ${id} accepted`, excuse);
}

/**
 * Input that is ignored in any body, and is in no schema: null, an empty value of an unknown field, a field of the
 * response.
 */
function excuseOf({ result }: Operation): Excuse {
  return ({ keyword, params, instancePath }, value) => {
    const at = instancePath
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (part, key) => (part as Schema)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
        value,
      );
    if (keyword !== 'additionalProperties') return at === null;
    const name = String(params['additionalProperty']);
    const pointer = `${instancePath}/${name}`;
    const isEmpty = ['null', '""', '[]', '{}'].includes(JSON.stringify((at as Schema)[name]));
    return isEmpty || isReadBack({ pointer, message: '', isUnknownField: true }, result?.schema);
  };
}
