/**
 * Every variable of the language whose values come from the request or the response: its name and how its values are
 * listed.
 */
import type { VariableEntry, RequestVariables } from './request-variables.ts';

type Lister = (variables: RequestVariables) => readonly VariableEntry[];

const one =
  (read: (variables: RequestVariables) => string | number): Lister =>
  (variables) => [['', String(read(variables))]];

const named = (list: readonly { readonly name: string; readonly value: string }[]): VariableEntry[] =>
  list.map(({ name, value }) => [name, value]);

const namesOf = (list: readonly { readonly name: string }[]): VariableEntry[] =>
  list.map(({ name }) => [name, name]);

const keysOf = (list: readonly VariableEntry[]): VariableEntry[] => list.map(([key]) => [key, key]);

const files = (variables: RequestVariables) =>
  (variables.body.multipart?.parts ?? [])
    .filter(({ fileNames }) => fileNames.length > 0)
    .map(({ names: [name = ''], fileNames: [fileName = ''], content }) => ({ name, fileName, content }));

const combinedSize = (list: readonly { readonly name: string; readonly value: string }[]): number =>
  list.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

const flaw =
  (...names: string[]): Lister =>
  ({ body }) => [['', names.some((name) => body.multipart?.flaws.has(name as never)) ? '1' : '0']];

const responseHeader = (variables: RequestVariables, name: string): string =>
  variables.response?.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';

export const requestVariables: Readonly<Record<string, Lister>> = {
  ARGS: (all) => named([...all.queryArguments, ...all.body.list]),
  ARGS_COMBINED_SIZE: one((all) => combinedSize(all.queryArguments) + combinedSize(all.body.list)),
  ARGS_GET: (all) => named(all.queryArguments),
  ARGS_GET_NAMES: (all) => namesOf(all.queryArguments),
  ARGS_NAMES: (all) => namesOf([...all.queryArguments, ...all.body.list]),
  ARGS_POST: (all) => named(all.body.list),
  ARGS_POST_NAMES: (all) => namesOf(all.body.list),
  FILES: (all) => files(all).map(({ name, fileName }) => [name, fileName]),
  FILES_COMBINED_SIZE: one((all) => files(all).reduce((sum, { content }) => sum + content.length, 0)),
  FILES_NAMES: (all) => files(all).map(({ name }) => [name, name]),
  FILES_SIZES: (all) => files(all).map(({ name, content }) => [name, String(content.length)]),
  FULL_REQUEST_LENGTH: one(({ request }) => request.body.length + request.target.length),
  GEO: ({ request }) => (request.country === '' ? [] : [['country_code', request.country]]),
  MULTIPART_BOUNDARY_QUOTED: flaw('boundary-quoted'),
  MULTIPART_BOUNDARY_WHITESPACE: flaw('boundary-whitespace'),
  MULTIPART_DATA_AFTER: flaw('data-after'),
  MULTIPART_DATA_BEFORE: flaw('data-before'),
  MULTIPART_FILENAME: (all) =>
    files(all)
      .slice(-1)
      .map(({ fileName }) => ['', fileName]),
  MULTIPART_FILE_LIMIT_EXCEEDED: flaw('file-limit-exceeded'),
  MULTIPART_HEADER_FOLDING: flaw('header-folding'),
  MULTIPART_INVALID_HEADER_FOLDING: flaw('invalid-header-folding'),
  MULTIPART_INVALID_PART: flaw('invalid-part'),
  MULTIPART_INVALID_QUOTING: flaw('invalid-quoting'),
  MULTIPART_LF_LINE: flaw('lf-line'),
  MULTIPART_MISSING_SEMICOLON: flaw('missing-semicolon'),
  MULTIPART_NAME: (all) =>
    files(all)
      .slice(-1)
      .map(({ name }) => ['', name]),
  MULTIPART_PART_HEADERS: ({ body }) =>
    (body.multipart?.parts ?? []).flatMap(({ names: [name], headers }) =>
      headers.map((line): VariableEntry => [name!, line]),
    ),
  MULTIPART_STRICT_ERROR: flaw(
    'boundary-quoted',
    'boundary-whitespace',
    'data-before',
    'data-after',
    'header-folding',
    'lf-line',
    'missing-semicolon',
    'invalid-quoting',
    'invalid-part',
    'file-limit-exceeded',
    'not-closed',
  ),
  MULTIPART_UNMATCHED_BOUNDARY: flaw('unmatched-boundary'),
  QUERY_STRING: one(({ query }) => query),
  REMOTE_ADDR: one(({ request }) => request.clientAddress),
  REMOTE_HOST: one(({ request }) => request.clientAddress),
  REMOTE_PORT: one(({ request }) => request.clientPort),
  REQBODY_ERROR: one(({ body }) => (body.error === undefined ? 0 : 1)),
  REQBODY_ERROR_MSG: one(({ body }) => body.error ?? ''),
  REQBODY_PROCESSOR: ({ processor }) => [['', processor]],
  REQBODY_PROCESSOR_ERROR: one(({ body }) => (body.error === undefined ? 0 : 1)),
  REQUEST_BASENAME: one(({ fileName }) =>
    fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1),
  ),
  REQUEST_BODY: ({ bodyText }) => (bodyText === undefined ? [] : [['', bodyText]]),
  REQUEST_BODY_LENGTH: one(({ request, hasBody }) => (hasBody ? request.body.length : 0)),
  REQUEST_COOKIES: ({ cookies }) => cookies,
  REQUEST_COOKIES_NAMES: ({ cookies }) => keysOf(cookies),
  REQUEST_FILENAME: one(({ fileName }) => fileName),
  REQUEST_HEADERS: ({ request }) => request.headers,
  REQUEST_HEADERS_NAMES: ({ request }) => keysOf(request.headers),
  REQUEST_LINE: one(({ request }) => `${request.method} ${request.target} ${request.protocol}`),
  REQUEST_METHOD: one(({ request }) => request.method),
  REQUEST_PROTOCOL: one(({ request }) => request.protocol),
  REQUEST_URI: one(({ target }) => target),
  REQUEST_URI_RAW: one(({ request }) => request.target),
  RESPONSE_BODY: ({ responseBody }) => (responseBody === undefined ? [] : [['', responseBody]]),
  RESPONSE_CONTENT_LENGTH: one((all) => responseHeader(all, 'content-length')),
  RESPONSE_CONTENT_TYPE: one((all) => responseHeader(all, 'content-type')),
  RESPONSE_HEADERS: ({ response }) => response?.headers ?? [],
  RESPONSE_HEADERS_NAMES: ({ response }) => keysOf(response?.headers ?? []),
  RESPONSE_PROTOCOL: one(({ response }) => response?.protocol ?? ''),
  RESPONSE_STATUS: one(({ response }) => response?.status ?? ''),
  SERVER_ADDR: one(({ request }) => request.serverAddress),
  SERVER_NAME: one((all) => all.header('host').replace(/:\d+$/, '')),
  SERVER_PORT: one(({ request }) => request.serverPort),
  UNIQUE_ID: one(({ request }) => request.id),
};

/** Variables whose values change while rules run, so that they are looked up each time. */
export const volatileVariables: ReadonlySet<string> = new Set([
  'DURATION',
  'ENV',
  'GLOBAL',
  'HIGHEST_SEVERITY',
  'IP',
  'MATCHED_VAR',
  'MATCHED_VARS',
  'MATCHED_VARS_NAMES',
  'MATCHED_VAR_NAME',
  'REQBODY_PROCESSOR',
  'RESOURCE',
  'RULE',
  'SESSION',
  'TIME',
  'TIME_EPOCH',
  'TX',
  'USER',
  'XML',
]);

/** Whether a phase may see other values than the previous one: a body was read, or a response has arrived. */
export function changesBetweenPhases(variable: string): boolean {
  return changingVariables.has(variable);
}

const changingVariables: ReadonlySet<string> = new Set(
  ['XML', ...Object.keys(requestVariables)].filter((name) =>
    /^(?:ARGS(?!_GET)|FILES|MULTIPART|REQBODY|REQUEST_BODY|RESPONSE|XML)/.test(name),
  ),
);

const variableNumbers: ReadonlyMap<string, number> = new Map(
  Object.keys(requestVariables)
    .filter((name) => !volatileVariables.has(name))
    .map((name, number) => [name, number]),
);

/** The variables, and how the values of each are listed, by their numbers. */
export const numberedVariables: readonly { readonly name: string; readonly list: Lister }[] = Array.from(
  variableNumbers.keys(),
  (name) => ({ name, list: requestVariables[name]! }),
);

/** The numbers of the variables of which a phase may see other values than the previous one. */
export const changingNumbers: readonly number[] = Array.from(variableNumbers)
  .filter(([name]) => changingVariables.has(name))
  .map(([, number]) => number);

/** -1 for a variable whose values change while rules run. */
export function numberOfVariable(name: string): number {
  return variableNumbers.get(name) ?? -1;
}

export function isKnownVariable(name: string): boolean {
  return name in requestVariables || volatileVariables.has(name);
}
