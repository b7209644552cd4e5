/**
 * Masks possible secrets in a recorded request. Letters become `x` and digits `0`; other characters stay, so that the
 * length and the form are those that the rules evaluated. Texts are binary strings, one character per byte.
 *
 * Every pattern takes time proportional to the text, whatever a visitor sends.
 *
 * A value is secret if its name suggests it (a form field, a JSON key, an XML element), or if it is a card number by
 * its check digit.
 */
import {
  Changes,
  decodeJsonEscapes,
  decodeUrlEscapes,
  type MultipartPart,
  readBoundary,
  splitMultipart,
  visitJson,
  visitPairs,
} from '#text';

const secretNames =
  /pass|pwd|secret|token|key|auth|session|sid|code|sig|credential|pin$|cvv|cvc|card|pan$|iban|ssn/i;

export function maskText(text: string): string {
  return text.replaceAll(/[A-Za-z\u0080-\u00ff]/g, 'x').replaceAll(/\d/g, '0');
}

/** `a=b&password=c`: a query, or the body of a form. */
export function maskParameters(text: string): string {
  const changes = new Changes(text);
  visitPairs(text, (start, nameEnd, valueStart, end) => {
    if (secretNames.test(decodeUrlEscapes(text.slice(start, nameEnd))))
      changes.replace(valueStart, end, maskEncoded(text.slice(valueStart, end)));
  });
  return changes.result;
}

/** Escapes are kept: `%C3` masked as `%xx` could not be decoded. */
function maskEncoded(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}|[^%]+|%/gi, (part) => (part.startsWith('%') ? part : maskText(part)));
}

export function maskBody(body: string, contentType: string): string {
  return maskCards(maskFields(body, contentType));
}

function maskFields(body: string, contentType: string): string {
  const boundary = /^multipart\//i.test(contentType) ? readBoundary(contentType) : undefined;
  const parts = boundary && splitMultipart(body, boundary, { partsMax: Infinity }).parts;
  if (parts && parts.length > 0) return maskParts(body, parts);
  if (/\bjson\b/i.test(contentType) || /^\s*[{[]/.test(body)) return maskJson(body);
  return /\bxml\b/i.test(contentType) ? maskElements(body) : maskParameters(body);
}

/** Token by token, so that a truncated document is masked as well. All of an object with a secret name is secret. */
function maskJson(text: string): string {
  const changes = new Changes(text);
  /** The nesting depth of the secret value that is being read; undefined if there is none. */
  let secretDepth: number | undefined;
  let depth = 0;
  let isNameSecret = false;
  visitJson(text, (token, start, end) => {
    const isSecret = secretDepth !== undefined || isNameSecret;
    if (token === '{' || token === '[') {
      if (isSecret) secretDepth ??= depth;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
      if (depth === secretDepth) secretDepth = undefined;
    } else if (token !== ',' && (token === 'name' ? secretDepth !== undefined : isSecret))
      changes.replace(start, end, maskJsonText(text.slice(start, end), token !== 'scalar'));
    isNameSecret = token === 'name' && secretNames.test(decodeJsonEscapes(text.slice(start, end)));
  });
  return changes.result;
}

function maskJsonText(text: string, isString: boolean): string {
  // A JSON number must not have a leading 0.
  if (!isString) return text.replaceAll(/\d/g, '1');
  return text.replaceAll(/\\(?:u[0-9a-f]{4}|.)|[^\\]+|\\/gis, (part) =>
    part.startsWith('\\') ? part : maskText(part),
  );
}

function maskParts(body: string, parts: readonly MultipartPart[]): string {
  const changes = new Changes(body);
  for (const { names, start, end } of parts)
    if (names.some((name) => secretNames.test(name)))
      changes.replace(start, end, maskText(body.slice(start, end)));
  return changes.result;
}

function maskElements(body: string): string {
  return body.replaceAll(
    /<([^\s<>/]+)(?![^\s<>/])([^<>]*)>([^<]*)/g,
    (whole, name: string, rest: string, text: string) =>
      secretNames.test(name) ? `<${name}${rest}>${maskText(text)}` : whole,
  );
}

/** 13 to 19 digits, grouped or not. */
const cardNumber = /(?<![\d.])\d(?:[ +-]?\d){12,18}(?!\d)/g;

function maskCards(text: string): string {
  return text.replaceAll(cardNumber, (number) =>
    hasCheckDigit(number) ? number.replaceAll(/\d/g, '1') : number,
  );
}

/** By the Luhn formula. */
function hasCheckDigit(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const value = Number(digits.at(-1 - index)) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
