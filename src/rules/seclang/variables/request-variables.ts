/**
 * The variables of a request and its response. Each is listed once per phase, when a rule first reads it: in phase 1
 * the body is not available yet, so variables that depend on it are listed again in phase 2.
 */
import { decodeUrlEscapes, visitCookies } from '#text';
import { type RequestArgument, readUrlencoded } from '#request';
import type { SecRequest, SecResponse } from '../sec-request.ts';
import { type BodyParts, chooseProcessor, readBodyParts } from './body-parts.ts';

export type VariableEntry = readonly [key: string, value: string];

/** Determines how the body is read. */
export interface BodyControls {
  readonly bodyProcessor: string;
  readonly forcesBodyVariable: boolean;
  readonly readsRequestBody: boolean;
  readonly readsResponseBody: boolean;
}

const noBody = readBodyParts('', '', '');

export class RequestVariables {
  readonly request: SecRequest;
  response: SecResponse | undefined;
  /** Whether the body was read, as it is from phase 2 on. */
  hasBody = false;
  readonly #controls: BodyControls;
  #body: BodyParts | undefined;
  #target: string | undefined;
  #fileName: string | undefined;
  #namedProcessor: string | undefined;
  #query: readonly RequestArgument[] | undefined;
  #cookies: readonly VariableEntry[] | undefined;

  constructor(request: SecRequest, controls: BodyControls) {
    this.request = request;
    this.#controls = controls;
  }

  /** The path, decoded once, as the web server does before it opens the file. */
  get fileName(): string {
    this.#fileName ??= decodeUrlEscapes(this.target.split('?', 1)[0]!, { keepsPlus: true });
    return this.#fileName;
  }

  /** Path and query, without scheme and host. */
  get target(): string {
    this.#target ??= dropHost(this.request.target);
    return this.#target;
  }

  get query(): string {
    const { target } = this;
    const at = target.indexOf('?');
    return at === -1 ? '' : target.slice(at + 1);
  }

  get queryArguments(): readonly RequestArgument[] {
    this.#query ??= readUrlencoded(this.query);
    return this.#query;
  }

  get processor(): string {
    if (this.#controls.bodyProcessor !== '') return this.#controls.bodyProcessor;
    this.#namedProcessor ??= chooseProcessor(this.header('content-type'));
    return this.#namedProcessor;
  }

  get body(): BodyParts {
    if (!this.hasBody || !this.#controls.readsRequestBody) return noBody;
    this.#body ??= readBodyParts(this.processor, this.request.body, this.header('content-type'));
    return this.#body;
  }

  /** The raw body is a variable if it is a form, or if no processor handles it and a rule reads it. */
  get bodyText(): string | undefined {
    if (!this.hasBody || !this.#controls.readsRequestBody) return undefined;
    const { processor } = this;
    const isShown = processor === 'URLENCODED' || (processor === '' && this.#controls.forcesBodyVariable);
    return isShown ? this.request.body : undefined;
  }

  get responseBody(): string | undefined {
    return this.#controls.readsResponseBody ? this.response?.body : undefined;
  }

  get cookies(): readonly VariableEntry[] {
    this.#cookies ??= readCookies(this.request.headers);
    return this.#cookies;
  }

  header(name: string): string {
    return this.request.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
  }
}

/** Names are as sent, as ModSecurity lists them. */
function readCookies(headers: SecRequest['headers']): readonly VariableEntry[] {
  const cookies: VariableEntry[] = [];
  for (const [name, value] of headers) {
    if (name.length !== cookieName.length || name.toLowerCase() !== cookieName) continue;
    visitCookies(value, (start, nameEnd, valueStart, end) =>
      cookies.push([value.slice(start, nameEnd), value.slice(valueStart, end)]),
    );
  }
  return cookies;
}

const cookieName = 'cookie';

function dropHost(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(target);
  return absolute === null ? target : target.slice(absolute[0].length) || '/';
}
