/**
 * The arguments of `HTMLRewriter` handlers. Each records the changes of its handlers, and serializes itself at the end:
 * unchanged, it is its own source, byte for byte. It can only be used while its handler runs.
 */
import { randomUUID } from 'node:crypto';
import type { SourceAttribute } from './tokenizer.ts';

export interface ContentOptions {
  readonly html?: boolean;
}

/** Texts that are still being read, by their placeholders. */
export type PendingTexts = Map<string, Promise<string>>;

/** Content that must be read first is a placeholder that is replaced on output. */
function toMarkup(
  content: unknown,
  options: ContentOptions | undefined,
  pending: PendingTexts | undefined,
): string {
  if (!(content instanceof Response) && !(content instanceof ReadableStream))
    return escapeText(String(content), options);
  if (pending === undefined)
    throw new TypeError(
      'Replacing content in HTML comments using a ReadableStream or Response object is not implemented. You must provide a string.',
    );
  const place = randomUUID();
  const text = (content instanceof Response ? content : new Response(content)).text();
  const markup = text.then((each) => escapeText(each, options));
  // The failure is reported on output, if it gets there.
  markup.catch(() => {});
  pending.set(place, markup);
  return place;
}

function escapeText(text: string, options: ContentOptions | undefined): string {
  if (options?.html === true) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function checkName(name: string, what: 'attribute' | 'tag', forbidden: RegExp): void {
  const capital = what === 'tag' ? 'Tag' : 'Attribute';
  if (name === '') throw new TypeError(`Parser error: ${capital} name can't be empty.`);
  const found = forbidden.exec(name)?.[0];
  if (found !== undefined)
    throw new TypeError(`Parser error: \`${found}\` character is forbidden in the ${what} name`);
}

/** The surroundings of a token, and whether it is kept. */
abstract class ContentToken {
  #before = '';
  #after = '';
  #replacement: string | undefined;
  #isRemoved = false;
  #isOver = false;
  /** @internal None for a comment, whose replacement must be text. */
  readonly pending: PendingTexts | undefined = new Map();

  get removed(): boolean {
    return this.#isRemoved;
  }

  before(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#before += toMarkup(content, options, this.pending);
    return this;
  }

  /** Later additions are nearer. */
  after(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#after = toMarkup(content, options, this.pending) + this.#after;
    return this;
  }

  replace(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#replacement = toMarkup(content, options, this.pending);
    this.#isRemoved = true;
    return this;
  }

  remove(): this {
    this.check();
    this.#isRemoved = true;
    this.#replacement = undefined;
    return this;
  }

  /** @internal Its handlers have run. */
  finish(): void {
    this.#isOver = true;
  }

  /** @internal The parts of the output. */
  write(): { readonly before: string; readonly own: string; readonly after: string } {
    const own = this.#isRemoved ? (this.#replacement ?? '') : this.serialize();
    return { before: this.#before, own, after: this.#after };
  }

  protected check(): void {
    if (this.#isOver) {
      throw new TypeError(
        'This content token is no longer valid. Content tokens are only valid during the execution of the relevant content handler.',
      );
    }
  }

  protected abstract serialize(): string;
}

export class Comment extends ContentToken {
  override readonly pending = undefined;
  #text: string;
  readonly #raw: string;
  #isChanged = false;

  constructor(raw: string, text: string) {
    super();
    this.#raw = raw;
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  set text(value: string) {
    this.check();
    this.#text = String(value);
    this.#isChanged = true;
  }

  protected serialize(): string {
    return this.#isChanged ? `<!--${this.#text}-->` : this.#raw;
  }
}

export class Text extends ContentToken {
  readonly text: string;
  readonly lastInTextNode: boolean;

  constructor(text: string, lastInTextNode: boolean) {
    super();
    this.text = text;
    this.lastInTextNode = lastInTextNode;
  }

  protected serialize(): string {
    return this.text;
  }
}

export class EndTag extends ContentToken {
  #name: string;
  readonly #raw: string;
  #isChanged = false;

  constructor(raw: string, name: string) {
    super();
    this.#raw = raw;
    this.#name = name;
  }

  get name(): string {
    return this.#name;
  }

  set name(value: string) {
    this.check();
    this.#name = String(value);
    this.#isChanged = true;
  }

  protected serialize(): string {
    return this.#isChanged ? `</${this.#name}>` : this.#raw;
  }
}

export type EndTagHandler = (tag: EndTag) => unknown;

interface ElementParts {
  readonly raw: string;
  readonly name: string;
  readonly attributes: readonly SourceAttribute[];
  readonly namespaceURI: string;
  /** Whether it has content and an end tag. */
  readonly hasContent: boolean;
}

export class Element extends ContentToken {
  readonly namespaceURI: string;
  readonly #raw: string;
  readonly #hasContent: boolean;
  #name: string;
  #attributes: SourceAttribute[];
  #isChanged = false;
  #prepended = '';
  #appended = '';
  #inner: string | undefined;
  #keepsContent = false;
  readonly #endTagHandlers: EndTagHandler[] = [];

  constructor({ raw, name, attributes, namespaceURI, hasContent }: ElementParts) {
    super();
    this.namespaceURI = namespaceURI;
    this.#raw = raw;
    this.#hasContent = hasContent;
    this.#name = name;
    this.#attributes = [...attributes];
  }

  get tagName(): string {
    this.check();
    return this.#name;
  }

  set tagName(value: string) {
    this.check();
    checkName(String(value), 'tag', /[\s/>]/);
    if (!/^[a-zA-Z]/.test(String(value))) {
      throw new TypeError(
        'Parser error: The first character of the tag name should be an ASCII alphabetical character.',
      );
    }
    this.#name = String(value);
    this.#isChanged = true;
  }

  get attributes(): IterableIterator<[name: string, value: string]> {
    this.check();
    return this.#attributes.map(({ name, value }): [string, string] => [name, value]).values();
  }

  getAttribute(name: string): string | null {
    this.check();
    const wanted = String(name).toLowerCase();
    return this.#attributes.find((attribute) => attribute.name === wanted)?.value ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  setAttribute(name: string, value: string): this {
    this.check();
    const key = String(name).toLowerCase();
    checkName(key, 'attribute', /[\s/>=]/);
    const text = String(value);
    const found = this.#attributes.findIndex((attribute) => attribute.name === key);
    const index = found === -1 ? this.#attributes.length : found;
    const sourceName = this.#attributes[index]?.sourceName ?? key;
    const raw = `${sourceName}="${text.replaceAll('"', '&quot;')}"`;
    this.#attributes[index] = { name: key, sourceName, value: text, raw };
    this.#isChanged = true;
    return this;
  }

  removeAttribute(name: string): this {
    this.check();
    const wanted = String(name).toLowerCase();
    this.#attributes = this.#attributes.filter((attribute) => attribute.name !== wanted);
    this.#isChanged = true;
    return this;
  }

  prepend(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#prepended = toMarkup(content, options, this.pending) + this.#prepended;
    return this;
  }

  append(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#appended += toMarkup(content, options, this.pending);
    return this;
  }

  setInnerContent(content: unknown, options?: ContentOptions): this {
    this.check();
    this.#inner = toMarkup(content, options, this.pending);
    this.#prepended = '';
    this.#appended = '';
    return this;
  }

  /** Removes the tags and keeps the content between them. */
  removeAndKeepContent(): this {
    this.#keepsContent = true;
    return super.remove();
  }

  override remove(): this {
    this.#keepsContent = false;
    return super.remove();
  }

  onEndTag(handler: EndTagHandler): void {
    this.check();
    if (!this.#hasContent) throw new TypeError('Parser error: No end tag.');
    this.#endTagHandlers.push(handler);
  }

  /** @internal */
  get endTagHandlers(): readonly EndTagHandler[] {
    return this.#endTagHandlers;
  }

  /** @internal How its content is changed. */
  get content(): { readonly isDropped: boolean; readonly first: string; readonly last: string } {
    if (!this.#hasContent) return { isDropped: false, first: '', last: '' };
    const isDropped = this.#inner !== undefined || (this.removed && !this.#keepsContent);
    const isGone = this.removed && !this.#keepsContent;
    return {
      isDropped,
      first: isGone ? '' : this.#prepended + (this.#inner ?? ''),
      last: isGone ? '' : this.#appended,
    };
  }

  /** @internal The new name of its end tag; undefined if it is unchanged. */
  get changedName(): string | undefined {
    return this.#isChanged && !this.removed ? this.#name : undefined;
  }

  protected serialize(): string {
    if (!this.#isChanged) return this.#raw;
    const attributes = this.#attributes.map(({ raw }) => ` ${raw}`).join('');
    return `<${this.#name}${attributes}${/\/\s*>$/.test(this.#raw) ? ' />' : '>'}`;
  }
}

/** It can be inspected, but not changed. */
export class Doctype {
  readonly name: string | null;
  readonly publicId: string | null;
  readonly systemId: string | null;

  constructor(raw: string) {
    const found =
      /^<!doctype\s*([^\s>]+)?(?:\s+(?:public\s*(?:"([^"]*)"|'([^']*)')|system))?\s*(?:"([^"]*)"|'([^']*)')?/i.exec(
        raw,
      );
    this.name = found?.[1]?.toLowerCase() ?? null;
    this.publicId = found?.[2] ?? found?.[3] ?? null;
    this.systemId = found?.[4] ?? found?.[5] ?? null;
  }
}

export class DocumentEnd {
  #appended = '';

  append(content: unknown, options?: ContentOptions): this {
    this.#appended += toMarkup(content, options, undefined);
    return this;
  }

  /** @internal */
  get appended(): string {
    return this.#appended;
  }
}
