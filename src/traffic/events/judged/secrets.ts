/**
 * The secrets that an explanation must not contain: a reader of the log must not be able to impersonate the client.
 * Credentials and cookies are secret wherever they appear, and so are body fields whose names suggest credentials.
 */
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
/** As received, and with escapes decoded: rules read both. */
const bodies = [createReader('http.request.body.raw'), createReader('gatehouse.request.body.text')];

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
      const decoded = (this.#decoded[index] ??= decodeText(sent).toLowerCase());
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

/** Repeats count once, so that they do not use up the limit. */
function takeSecrets(values: readonly string[]): readonly string[] {
  return (values.length > secretsMax ? [...new Set(values)] : values)
    .filter(({ length }) => length >= secretCharactersMin)
    .slice(0, secretsMax)
    .map((value) => (value.length > secretCharactersMax ? value.slice(0, secretCharactersMax) : value));
}

function decodeText(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
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
    for (const cookie of value.split(';')) secrets.push(cookie.slice(cookie.indexOf('=') + 1).trim());
  }
  if (bodies[0]!(view) === '') return secrets;
  for (const form of forms) {
    for (const [name, list] of listEntries(form(view))) if (parameterName.test(name)) secrets.push(...list);
  }
  for (const body of bodies) secrets.push(...findSecretsInJson(body(view)));
  return secrets;
}

const cookieName = 'cookie';

function listEntries(value: Value | undefined): Iterable<[name: string, values: readonly string[]]> {
  return (value as ReadonlyMap<string, readonly string[]> | undefined) ?? [];
}

/** Values under secret names, at any depth. Text that is not valid JSON is searched as well. */
function* findSecretsInJson(text: Value | undefined): Generator<string> {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return;
  for (const [, name, value] of text.matchAll(/"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.){1,4096})"/g))
    if (parameterName.test(name!)) yield value!;
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
