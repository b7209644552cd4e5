/** Parses the bytes of a request into the input of a handler: each part once, by the shapes of the operation. */
import { didYouMean } from '#text';
import { workTurns } from '#work';
import { type JsonResult, type Problem, problemsMax, readJson, readJsonInPieces } from '#shapes';
import { genericCodes } from '../codes/generic.ts';
import { rulesetCodes } from '../codes/rulesets.ts';
import { workerCodes } from '../codes/workers.ts';
import { type Fault, fault } from '../fault.ts';
import { FaultList } from '../fault-list.ts';
import type { ApiRequest } from '../http.ts';
import { requestBodyBytesMax, uploadBytesMax } from '../limits.ts';
import { malformed } from '../malformed.ts';
import type { Input, Operation } from '../operation.ts';
import { type FormPart, findBoundary, readFormBoundary, readForm, scriptType, toScriptForm } from './form.ts';
import { isReadBack } from './read-back.ts';

export interface InputSource {
  readonly request: ApiRequest;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
}

/** Unknown parameters that one response names, and how much of each name it shows. */
const unknownNamesMax = 20;
const nameCharactersMax = 60;

/** A body of this size is parsed in less than a millisecond, whatever it contains. */
const shortBodyBytesMax = 8 * 1024;

export async function readInput<O extends Operation>(operation: O, source: InputSource): Promise<Input<O>> {
  const query = readQuery(operation, source.query);
  const body = await readBody(operation, source.request);
  const form = operation.upload.includes(formType) ? await readUpload(operation, source.request) : undefined;
  const raw = operation.rawBytesMax === undefined ? undefined : await readRaw(operation, source.request);
  return {
    path: source.path,
    query,
    body,
    ...(form === undefined ? {} : { form }),
    ...(raw === undefined ? {} : { raw }),
    ...(operation.needsHost ? { host: findHost(source.request) } : {}),
  } as Input<O>;
}

async function readRaw(
  { rawBytesMax: bytesMax = 0 }: Operation,
  request: ApiRequest,
): Promise<NonNullable<Input['raw']>> {
  const bytes = await request.readBody(bytesMax);
  if (bytes === 'too-large') throw fault(genericCodes.bodyTooLarge, { fill: { bytes: bytesMax } });
  const fields = Object.entries(request.headers).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return { bytes, headers: Object.fromEntries(fields) };
}

function findHost({ headers, isEncrypted = false }: ApiRequest): string {
  return `${isEncrypted ? 'https' : 'http'}://${String(headers['host'] ?? 'localhost')}`;
}

const formType = 'multipart/form-data';

async function readUpload({ upload }: Operation, request: ApiRequest): Promise<readonly FormPart[]> {
  const type = String(request.headers['content-type'] ?? '');
  const refuse = (reason: string): Fault => fault(workerCodes.uploadMalformed, { fill: { reason } });
  const isScript = upload.includes(scriptType) && type.split(';')[0]!.trim().toLowerCase() === scriptType;
  const declared = readFormBoundary(type);
  if (declared === undefined && !isScript)
    throw refuse(`the Content-Type must be ${formType} with a boundary`);
  const bytes = await request.readBody(uploadBytesMax);
  if (bytes === 'too-large')
    throw fault(workerCodes.tooLarge, { fill: { mebibytes: uploadBytesMax / 1024 / 1024 } });
  // Cloudflare's SDK for TypeScript declares a form as a script.
  const boundary = declared ?? findBoundary(bytes);
  if (boundary === undefined) return toScriptForm(bytes);
  const form = readForm(bytes, boundary);
  if ('problem' in form) throw refuse(`the form cannot be read: ${form.problem}`);
  return form;
}

function readQuery(operation: Operation, text: string): Record<string, unknown> {
  const { query, api, isQueryClosed } = operation;
  const names = Object.keys(query);
  if (names.length === 0 && text === '') return {};
  const given = new URLSearchParams(text);
  refuseMisplaced(operation, given);
  const result: Record<string, unknown> = {};
  const faults = new FaultList();
  const refuse = (reason: string): void =>
    faults.add(fault(genericCodes.invalidQuery, { fill: { api, reason } }));
  for (const name of names) {
    const problems: string[] = [];
    result[name] = query[name]!.read(given.getAll(name), problems);
    if (problems.length > 0) refuse(`${name} ${problems[0]}`);
  }
  if (isQueryClosed) for (const reason of describeUnknown(given, names)) refuse(reason);
  faults.throwIfAny();
  return result;
}

/** Clients send empty parameters: an empty parameter is ignored, whatever its name. */
function describeUnknown(given: URLSearchParams, names: readonly string[]): string[] {
  const unknown = new Set<string>();
  for (const [name, value] of given) if (value !== '' && !names.includes(name)) unknown.add(name);
  return [...unknown].slice(0, unknownNamesMax).map((whole) => {
    const name = whole.slice(0, nameCharactersMax);
    const guess = didYouMean(name, names);
    const hint = guess === '' && names.length > 0 ? `: it takes ${names.join(', ')}` : guess;
    return `${name} is not a parameter of this operation${hint}`;
  });
}

/**
 * Most operations ignore unknown parameters, but not these: a client that sends `waf_migration` believes that a zone
 * migrates, and one that sends `dry_run` believes that nothing changes.
 */
function refuseMisplaced({ method, path, query, api, isWrite }: Operation, given: URLSearchParams): void {
  const where = `in ${method} ${path}`;
  if (given.has('waf_migration') && !('waf_migration' in query)) {
    throw fault(rulesetCodes.migrationElsewhere, { fill: { where } });
  }
  if (isWrite && given.has('dry_run') && !('dry_run' in query)) {
    const reason = `dry_run has no meaning ${where}, which would make the change`;
    throw fault(genericCodes.invalidQuery, { fill: { api, reason } });
  }
}

async function readBody(operation: Operation, request: ApiRequest): Promise<unknown> {
  const { body: shape, api, method, result } = operation;
  if (shape === undefined) return undefined;
  const bytesMax = operation.bodyBytesMax ?? requestBodyBytesMax;
  const bytes = await request.readBody(bytesMax);
  if (bytes === 'too-large') throw fault(genericCodes.bodyTooLarge, { fill: { bytes: bytesMax } });
  checkContentType(operation, request, bytes);
  if (bytes.length === 0 && shape.isOptional === true) return undefined;
  const json = await parse(bytes);
  if (!json.ok) throw fault(genericCodes.invalidJson, { fill: { api, reason: json.reason } });
  const problems: Problem[] = [];
  const value = shape.read(json.value, '', problems);
  if (problems.length === 0) return value;
  const faults = problems.filter((problem) => method === 'POST' || !isReadBack(problem, result?.schema));
  // A body with too many problems was not validated to the end.
  if (faults.length === 0 && problems.length < problemsMax) return value;
  throw malformed(api, faults.length === 0 ? problems : faults);
}

/** Other requests are served while a long body is parsed. */
function parse(bytes: Uint8Array): JsonResult | Promise<JsonResult> {
  return bytes.length <= shortBodyBytesMax ? readJson(bytes) : workTurns.run(readJsonInPieces(bytes));
}

/** Clients that send a DELETE often set neither a content type nor a body. */
function checkContentType({ takesText }: Operation, { headers }: ApiRequest, bytes: Uint8Array): void {
  const type = headers['content-type'];
  if (bytes.length === 0 || type === undefined) return;
  if (takesText && typeof type === 'string' && /^text\/plain\s*(?:;|$)/i.test(type)) return;
  if (typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw fault(genericCodes.contentType, { fill: { type: String(type).slice(0, 100) } });
}
