/**
 * Holds calls against the OpenAPI document: an answer has a status and codes that the document names for its operation
 * and is what its schema says, no more and no less; a body that was accepted is one that the document allows. Every
 * call of `TestControl` goes through here, so each test of the control plane also tests the document.
 */
import { ok } from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument, type Operation, type OperationId, operations, Router } from '#contract';

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
// That the document is a valid one is tested by itself.
const options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
};
const schemasOfBodies = new Ajv2020(options).addSchema({ $id: 'document', ...document });
const schemasOfAnswers = new Ajv2020(options).addSchema({ $id: 'document', ...closed(document) });

/** Objects whose properties are described have no others: an answer does not say more than the document. */
function closed<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as T;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = typeof inner['properties'] === 'object' && inner['additionalProperties'] === undefined;
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as T;
}

function validatorAt(ajv: Ajv2020, steps: readonly string[]): ValidateFunction {
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const validate = ajv.getSchema(`document#/${encodeURI(pointer)}`);
  ok(validate !== undefined, `the document has nothing at /${pointer}`);
  return validate;
}

function check(validate: ValidateFunction, value: unknown, what: string): void {
  if (validate(value)) return;
  const text = JSON.stringify(value);
  const shown = text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
  ok(false, `${what} is not as documented: ${schemasOfAnswers.errorsText(validate.errors)}: ${shown}`);
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
    check(validatorAt(schemasOfAnswers, schema), isJson ? JSON.parse(body) : body, what);
  }
  checkBody([...place, 'requestBody', 'content', 'application/json', 'schema'], found.id, call.sent);
}

function checkRefusal(id: OperationId, responses: Described['responses'], call: DocumentedCall): void {
  const { status, body } = call;
  const failure = validatorAt(schemasOfAnswers, ['components', 'schemas', 'Failure']);
  const envelope = JSON.parse(String(body)) as { readonly errors: readonly { readonly code: number }[] };
  check(failure, envelope, `the refusal ${status} of ${id}`);
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
  // One item instead of a list is taken and not recommended.
  const isOne = body.schema['type'] === 'array' && !Array.isArray(value);
  check(validatorAt(schemasOfBodies, place), isOne ? [value] : value, `the body that ${id} accepted`);
}
