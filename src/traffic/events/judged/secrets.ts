/**
 * The secrets that an explanation must not contain: a reader of the log must not be able to impersonate the client.
 * Credentials and cookies are secret wherever they appear, and so are body fields whose names suggest credentials.
 */
import { decodeJsonEscapes, decodeUrlEscapes, visitCookies, visitJson } from '#text';
import type { RequestView, Value } from '#expressions';
import { secretCharactersMax, secretsMax } from '../limits.ts';
import { createReader } from './read-field.ts';

const headerName = /^(?:proxy-)?authorization$|cookie|secret|token|api-?key|auth-key|passw/i;
const parameterName =
  /pass(?:w|code|phrase)|^pass$|^pwd$|secret|token|api[-_]?key|credential|card|cvv|cvc|^pin$|^otp$/i;

/** Shorter values occur everywhere by chance. */
const secretCharactersMin = 3;

export const hidden = '(hidden)';

/** The two lists have the same order. They are cheaper than the map, and nearly every logged request needs them. */
const headerNames = createReader('http.request.headers.names');
const headerValues = createReader('http.request.headers.values');
const forms = [createReader('http.request.body.form'), createReader('http.request.body.multipart')];
const rawBody = createReader('http.request.body.raw');

export class RequestSecrets {
  readonly #view: RequestView;
  /** The values as sent. Their other forms are computed when a text is long enough to contain them. */
  #sent: readonly string[] | undefined;
  readonly #lowered: string[] = [];
  readonly #decoded: string[] = [];

  /** Nothing is searched before a text is shown. */
  constructor(view: RequestView) {
    this.#view = view;
  }

  /** A part of the text, with its secrets hidden. */
  show(text: string, from: number, to: number): string {
    const start = Math.max(0, from - secretCharactersMax);
    const around = text.slice(start, to + secretCharactersMax).toLowerCase();
    let shown = '';
    let at = from;
    for (const range of this.#findRanges(around)) {
      const [begin, end] = [range.start + start, range.end + start];
      if (end <= at || begin >= to) continue;
      shown += text.slice(at, Math.max(at, begin)) + hidden;
      at = end;
    }
    return at < to ? shown + text.slice(at, to) : shown;
  }

  /** In order, without overlaps. */
  #findRanges(text: string): readonly { readonly start: number; readonly end: number }[] {
    if (text.length < secretCharactersMin) return [];
    this.#sent ??= takeSecrets(findSecrets(this.#view));
    const found: { start: number; end: number }[] = [];
    for (let index = 0; index < this.#sent.length; index++) {
      const sent = this.#sent[index]!;
      // Rules also read values in lower case.
      if (sent.length <= text.length) addRanges(found, text, (this.#lowered[index] ??= sent.toLowerCase()));
      // Rules also decode them: three characters become at least one.
      if (sent.length > 3 * text.length || !sent.includes('%')) continue;
      const decoded = (this.#decoded[index] ??= decodeUrlEscapes(sent, { keepsPlus: true }).toLowerCase());
      if (decoded.length >= secretCharactersMin) addRanges(found, text, decoded);
    }
    if (found.length < 2) return found;
    const merged: { start: number; end: number }[] = [];
    for (const range of found.toSorted((a, b) => a.start - b.start)) {
      const last = merged.at(-1);
      if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
      else merged.push(range);
    }
    return merged;
  }
}

function addRanges(found: { start: number; end: number }[], text: string, secret: string): void {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
    found.push({ start: at, end: at + secret.length });
}

/** Repeats count once, so that they do not use up the limit. Rules read a plus as a space, too. */
function takeSecrets(found: readonly string[]): readonly string[] {
  const values = [
    ...found,
    ...found.filter((value) => value.includes('+')).map((value) => value.replaceAll('+', ' ')),
  ];
  return (values.length > secretsMax ? [...new Set(values)] : values)
    .filter(({ length }) => length >= secretCharactersMin)
    .slice(0, secretsMax)
    .map((value) => (value.length > secretCharactersMax ? value.slice(0, secretCharactersMax) : value));
}

function findSecrets(view: RequestView): readonly string[] {
  const secrets: string[] = [];
  const names = headerNames(view) as readonly string[];
  const values = headerValues(view) as readonly string[];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (!headerName.test(name)) continue;
    const value = values[index]!;
    // `Bearer abc` is a scheme and the secret.
    secrets.push(value, value.slice(value.indexOf(' ') + 1));
    if (name.length !== cookieName.length || name.toLowerCase() !== cookieName) continue;
    visitCookies(value, (start, nameEnd, valueStart, end) =>
      secrets.push(value.slice(nameEnd === valueStart ? start : valueStart, end)),
    );
  }
  const body = rawBody(view);
  if (typeof body !== 'string' || body === '') return secrets;
  for (const form of forms) {
    for (const [name, list] of listEntries(form(view)))
      if (parameterName.test(decodeUrlEscapes(name))) secrets.push(...list);
  }
  addSecretsInJson(secrets, body);
  return secrets;
}

const cookieName = 'cookie';

function listEntries(value: Value | undefined): Iterable<[name: string, values: readonly string[]]> {
  return (value as ReadonlyMap<string, readonly string[]> | undefined) ?? [];
}

/**
 * Strings under secret names, at any depth, whether or not the text is valid. As received, and with escapes decoded: rules
 * read both.
 */
function addSecretsInJson(secrets: string[], text: string): void {
  if (!/^\s*[[{]/.test(text)) return;
  let name = '';
  visitJson(text, (token, start, end) => {
    if (token === 'name') name = decodeJsonEscapes(text.slice(start, end));
    else if (token === '}') name = '';
    if (token !== 'string' || !parameterName.test(name)) return;
    const value = text.slice(start, end);
    secrets.push(value);
    if (value.includes('\\')) secrets.push(decodeJsonEscapes(value));
  });
}

/**
 * Whether a whole part of a request is secret: a detector may have decoded it, so that its text equals none that was
 * sent.
 */
export function isSecretPlace(kind: string, name: string): boolean {
  if (kind === 'cookie') return true;
  return kind === 'header' ? headerName.test(name) : parameterName.test(name);
}

/** Whether an operand of an expression is secret, whatever its value. */
export function isSecretOperand(operand: string): boolean {
  return /cookie|authorization|x-auth-key|api[-_]?key|passw|secret/i.test(operand);
}
