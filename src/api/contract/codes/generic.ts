import { codes } from '../code.ts';

/** Codes of every operation: routing, bodies, and internal failures. */
export const genericCodes = codes({
  couldNotRoute: {
    code: 7003,
    status: 404,
    message: 'Could not route to {path}, perhaps your object identifier is invalid?',
    advice:
      'Check the path, and that the base URL ends in /client/v4; identifiers have 32 hexadecimal digits.',
  },
  noRoute: {
    code: 7000,
    status: 404,
    message: 'No route for that URI',
    advice: 'Comes together with 7003.',
  },
  methodNotAllowed: {
    code: 10405,
    status: 405,
    message: 'Method not allowed',
    advice: 'The path exists; the `Allow` header lists the methods it takes.',
  },
  zoneNotFound: {
    code: 1001,
    status: 404,
    message: 'Invalid zone identifier',
    advice: 'The zone does not exist. List zones with GET /zones.',
  },
  accountNotFound: {
    code: 1002,
    status: 404,
    message: 'Invalid account identifier',
    advice: 'List accounts with GET /accounts.',
  },
  conditionFailed: {
    code: 10412,
    status: 412,
    message: 'The {object} was changed since it had the version in If-Match, so nothing was done',
    advice:
      'Ours. Read the object again, apply your change to it, and send the `ETag` of that response. See docs/reference/api.md, Conditional writes.',
  },
  conditionNotTaken: {
    code: 10411,
    status: 412,
    message: 'This operation does not support If-Match, so nothing was done',
    advice: 'Ours. Leave `If-Match` out. The OpenAPI description lists the header where it is supported.',
  },
  conditionMalformed: {
    code: 10409,
    status: 400,
    message: 'The If-Match header must list entity tags in quotes, or be *',
    advice: 'Ours. Send the `ETag` of a response unchanged, with its quotes.',
  },
  bodyTooLarge: {
    code: 10413,
    status: 413,
    message: 'The request body has more than {bytes} bytes',
    advice: 'Send fewer items in one call.',
  },
  targetTooLong: {
    code: 10414,
    status: 414,
    message: 'The target of the request has more than {characters} characters',
    advice:
      'Send less in the query: fewer identifiers in one call, or an expression in the body of POST /filters/validate-expr.',
  },
  contentType: {
    code: 10415,
    status: 415,
    message: 'The Content-Type of a request with a body must be application/json: {type}',
    advice: 'Send `Content-Type: application/json`.',
  },
  invalidJson: {
    code: 10026,
    status: 400,
    message: '{api}.api.invalid_json: {reason}',
    advice: 'The body is not JSON, or not the JSON that this operation accepts; the pointer names the place.',
  },
  invalidQuery: {
    code: 10027,
    status: 400,
    message: '{api}.api.invalid_query: {reason}',
    advice: 'A query parameter has an invalid value; the message names it.',
  },
  malformedHttp: {
    code: 10400,
    status: 400,
    message: 'The request is not valid HTTP: {reason}',
    advice: 'The client, or a proxy in between, sends malformed requests; the connection is closed.',
  },
  bodyIncomplete: {
    code: 10410,
    status: 400,
    message: 'The request ended before its body did',
    advice: 'The client closed the connection too early, or announced a longer body than it sent.',
  },
  requestTimeout: {
    code: 10408,
    status: 408,
    message: 'The request did not arrive completely within {seconds} seconds',
    advice: 'Send it faster; the connection is closed.',
  },
  expectationFailed: {
    code: 10417,
    status: 417,
    message: 'The only supported expectation is 100-continue',
    advice: 'Leave the `Expect` header out.',
  },
  headersTooLarge: {
    code: 10431,
    status: 431,
    message: 'The request has more than {count} headers, or headers and a target of more than {bytes} bytes',
    advice: 'Send fewer or shorter ones; the connection is closed.',
  },
  answerTooLarge: {
    code: 10423,
    status: 400,
    message: 'The response would have more than {characters} characters',
    advice:
      'Request less at a time: a smaller page, or parts of a zone instead of the whole. Nothing was changed.',
  },
  rulesTooCostly: {
    code: 10424,
    status: 400,
    message: 'The regular expressions of these rules take too long to compile; the slowest are {patterns}',
    advice:
      'Shorten them, use fewer and smaller counted repetitions (`{1,50}`) and Unicode classes, or send the rules in several calls. Nothing was changed.',
  },
  internal: {
    code: 10500,
    status: 500,
    message: 'Internal error; request {request}',
    advice:
      'A bug in Gatehouse. Before you retry, read whether the change was made; the log of the server has the request id.',
  },
  writesRefused: {
    code: 10507,
    status: 507,
    message: 'The change cannot be stored: {reason}',
    advice:
      "The disk of the server does not accept writes; nothing was changed, and reads continue to work. Free space on the disk, or repair it. The server's `/readyz` answers 503 until writes work again; then send the request again.",
  },
  unavailable: {
    code: 10503,
    status: 503,
    message: 'The service is {state}',
    advice: 'It is starting or stopping, or its store does not answer. Try again later.',
  },
  customPageUnknown: {
    code: 10931,
    status: 404,
    message: 'custom_pages.api.not_found: there is no page {id}',
    advice: 'GET …/custom_pages lists the pages.',
  },
});
