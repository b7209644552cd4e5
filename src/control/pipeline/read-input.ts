/** From the bytes of a request to what a handler is given: each part read once, by the operation's own shapes. */
import {
  type ApiRequest,
  bodyBytesMax,
  entryOf,
  Fault,
  fault,
  genericCodes,
  type Input,
  type Operation,
} from '#api';
import { type Problem, readJson } from '#shapes';

export interface InputSource {
  readonly request: ApiRequest;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
}

export async function readInput(operation: Operation, source: InputSource): Promise<Input> {
  const query = readQuery(operation, source.query);
  const body = await readBody(operation, source.request);
  return { path: source.path, query, body } as Input;
}

function readQuery({ query, api }: Operation, text: string): Record<string, unknown> {
  const names = Object.keys(query);
  if (names.length === 0) return {};
  const given = new URLSearchParams(text);
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const problems: string[] = [];
    result[name] = query[name]!.read(given.getAll(name), problems);
    if (problems.length > 0) {
      throw fault(genericCodes.invalidQuery, { fill: { api, reason: `${name} ${problems[0]}` } });
    }
  }
  return result;
}

async function readBody(operation: Operation, request: ApiRequest): Promise<unknown> {
  const { body: shape, api } = operation;
  if (shape === undefined) return undefined;
  const bytes = await request.readBody(bodyBytesMax);
  if (bytes === 'too-large') throw fault(genericCodes.bodyTooLarge, { fill: { bytes: bodyBytesMax } });
  checkContentType(request, bytes);
  if (bytes.length === 0 && shape.isOptional === true) return undefined;
  const json = readJson(bytes);
  if (!json.ok) throw fault(genericCodes.invalidJson, { fill: { api, reason: json.reason } });
  const problems: Problem[] = [];
  const value = shape.read(json.value, '', problems);
  if (problems.length > 0) throw malformed(api, problems);
  return value;
}

/** Clients that delete say neither a type nor a body. */
function checkContentType({ headers }: ApiRequest, bytes: Uint8Array): void {
  const type = headers['content-type'];
  if (bytes.length === 0 || type === undefined) return;
  if (typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw fault(genericCodes.contentType, { fill: { type: String(type).slice(0, 100) } });
}

function malformed(api: string, problems: readonly Problem[]): Fault {
  const entries = problems.map(({ pointer, message }) =>
    entryOf(genericCodes.invalidJson, { pointer, fill: { api, reason: `${nameOf(pointer)} ${message}` } }),
  );
  return new Fault(genericCodes.invalidJson.status, entries);
}

/** The last key of the path to it, for people who do not read pointers. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the body';
  const last = pointer.slice(pointer.lastIndexOf('/') + 1);
  return /^\d+$/.test(last) ? `item ${last}` : last;
}
