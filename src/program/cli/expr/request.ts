/** Requests that users write as JSON, checked before use. */
import { parseIp } from '#addresses';
import { isObject } from '#base';
import { didYouMean } from '#text';
import type { RequestDescription } from '#request';

type Check = (json: unknown) => boolean;

const isText: Check = (json) => typeof json === 'string';
const isNumber: Check = (json) => typeof json === 'number' && Number.isSafeInteger(json);
const isPair: Check = (json) => Array.isArray(json) && json.length === 2 && json.every(isText);
const isHeaderValue: Check = (json) => isText(json) || (Array.isArray(json) && json.every(isText));
const isHeaders: Check = (json) =>
  Array.isArray(json) ? json.every(isPair) : isObject(json) && Object.values(json).every(isHeaderValue);

const headersHelp = 'an object of strings or arrays of strings, or an array of pairs';

const checks: Readonly<Record<string, readonly [check: Check, expected: string]>> = {
  method: [isText, 'a string'],
  url: [isText, 'a string'],
  version: [isText, 'a string'],
  headers: [isHeaders, headersHelp],
  body: [isText, 'a string'],
  ip: [(json) => typeof json === 'string' && parseIp(json) !== undefined, 'an address'],
  country: [isText, 'a string'],
  asn: [isNumber, 'a whole number'],
  receivedAt: [isNumber, 'milliseconds since 1970'],
  response: [isResponse, 'an object with status, a number, and headers'],
};

function isResponse(json: unknown): boolean {
  if (!isObject(json)) return false;
  const { status = 0, headers = {}, ...rest } = json;
  return isNumber(status) && isHeaders(headers) && Object.keys(rest).length === 0;
}

/** Returns the description if it is valid; otherwise throws a `TypeError` with the reason. */
export function readDescription(json: unknown): RequestDescription {
  if (!isObject(json)) throw new TypeError('a request is a JSON object');
  for (const [name, value] of Object.entries(json)) {
    if (!Object.hasOwn(checks, name)) {
      throw new TypeError(`a request has no ${name}${didYouMean(name, Object.keys(checks))}`);
    }
    const [check, expected] = checks[name]!;
    if (!check(value))
      throw new TypeError(`${name} of a request must be ${expected}: ${JSON.stringify(value)}`);
  }
  return json;
}
