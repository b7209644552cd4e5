/**
 * Masks possible secrets in a recorded request. Letters become `x` and digits `0`; other characters stay, so that the
 * length and the form are those that the rules evaluated. Texts are binary strings, one character per byte.
 *
 * Every pattern takes time proportional to the text, whatever a visitor sends.
 *
 * A value is secret if its name suggests it (a form field, a JSON key, an XML element), or if it is a card number by
 * its check digit.
 */

const secretNames =
  /pass|pwd|secret|token|key|auth|session|sid|code|sig|credential|pin$|cvv|cvc|card|pan$|iban|ssn/i;

export function maskText(text: string): string {
  return text.replaceAll(/[A-Za-z\u0080-\u00ff]/g, 'x').replaceAll(/\d/g, '0');
}

/** `a=b&password=c`: a query, or the body of a form. */
export function maskParameters(text: string): string {
  return text
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=');
      const name = parameter.slice(0, equals);
      return equals < 0 || !secretNames.test(name)
        ? parameter
        : `${name}=${maskEncoded(parameter.slice(equals + 1))}`;
    })
    .join('&');
}

/** Escapes are kept: `%C3` masked as `%xx` could not be decoded. */
function maskEncoded(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}|[^%]+|%/gi, (part) => (part.startsWith('%') ? part : maskText(part)));
}

export function maskBody(body: string, contentType: string): string {
  return maskCards(maskFields(body, contentType));
}

function maskFields(body: string, contentType: string): string {
  if (/\bjson\b/i.test(contentType) || /^\s*[{[]/.test(body)) return maskJson(body);
  const boundary = /^multipart\/.*\bboundary=("?)([^";]+)\1/is.exec(contentType)?.[2];
  if (boundary !== undefined) return maskParts(body, boundary);
  return /\bxml\b/i.test(contentType) ? maskElements(body) : maskParameters(body);
}

/** An unclosed string extends to the end of the text. */
const jsonToken = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|[{}[\],:]/gs;

/** Token by token, so that a truncated document is masked as well. All of an object with a secret name is secret. */
function maskJson(text: string): string {
  /** The nesting depth of the secret value that is being read; undefined if there is none. */
  let secretDepth: number | undefined;
  let depth = 0;
  let name = '';
  let isValue = false;
  return text.replaceAll(jsonToken, (token) => {
    const isSecret = secretDepth !== undefined || (isValue && secretNames.test(name));
    if (token === ':') isValue = true;
    else if (token === '{' || token === '[') {
      if (isSecret) secretDepth ??= depth;
      depth++;
      isValue = false;
    } else if (token === '}' || token === ']') {
      depth--;
      if (depth === secretDepth) secretDepth = undefined;
    } else if (token !== ',') {
      const masked = isSecret ? maskJsonValue(token) : token;
      if (!isValue) name = token;
      isValue = false;
      return masked;
    }
    return token;
  });
}

function maskJsonValue(token: string): string {
  // A JSON number must not have a leading 0.
  if (!token.startsWith('"')) return token.replaceAll(/\d/g, '1');
  return token.replaceAll(/\\(?:u[0-9a-f]{4}|.)|[^\\]+|\\/gis, (part) =>
    part.startsWith('\\') ? part : maskText(part),
  );
}

function maskParts(body: string, boundary: string): string {
  const separator = `--${boundary}`;
  return body
    .split(separator)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const name = /\bname="?([^";\r\n]*)/i.exec(head)?.[1] ?? '';
      return secretNames.test(name) ? [head, ...rest.map(maskText)].join('\r\n\r\n') : part;
    })
    .join(separator);
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
