/**
 * The arguments of `HTMLRewriter` handlers. Each records the changes of its handlers, and serializes itself at the end:
 * unchanged, it is its own source, byte for byte. It can only be used while its handler runs.
 */
import { randomUUID } from 'node:crypto';
import type { SourceAttribute, Token } from './tokenizer.ts';

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

/** What replaces and surrounds a token in the output. */
export class Mutations {
  before = '';
  after = '';
  replacement = '';
  isRemoved = false;

  write(own: string): string {
    return this.before + (this.isRemoved ? this.replacement : own) + this.after;
  }
}

abstract class ContentToken {
  /** @internal */
  mutations = new Mutations();
  #isOver = false;
  /** @internal None for a comment, whose replacement must be text. */
  readonly pending: PendingTexts | undefined = new Map();

  get removed(): boolean {
    return this.mutations.isRemoved;
  }

  before(content: unknown, options?: ContentOptions): this {
    this.mutations.before += this.toMarkup(content, options);
    return this;
  }

  /** Later additions are nearer. */
  after(content: unknown, options?: ContentOptions): this {
    this.mutations.after = this.toMarkup(content, options) + this.mutations.after;
    return this;
  }

  replace(content: unknown, options?: ContentOptions): this {
    this.mutations.replacement = this.toMarkup(content, options);
    this.mutations.isRemoved = true;
    return this;
  }

  remove(): this {
    this.check();
    this.mutations.isRemoved = true;
    return this;
  }

  /** @internal Its handlers have run: the output. */
  finish(): string {
    this.#isOver = true;
    return this.mutations.write(this.serialize());
  }

  protected toMarkup(content: unknown, options: ContentOptions | undefined): string {
    this.check();
    return toMarkup(content, options, this.pending);
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

/** The changes at the end tag of an element, or of one around it that ends it. */
export interface EndChanges {
  readonly mutations: Mutations | undefined;
  readonly name: string | undefined;
  readonly handler: EndTagHandler | undefined;
}

type StartTag = Token & { readonly kind: 'start' };

export class Element extends ContentToken {
  readonly namespaceURI: string;
  readonly #raw: string;
  readonly #isSelfClosing: boolean;
  /** Whether it has content and an end tag. */
  readonly #hasContent: boolean;
  #name: string;
  #sourceName: string;
  #attributes: readonly SourceAttribute[];
  #isChanged = false;
  #isContentDropped = false;
  #endMutations: Mutations | undefined;
  #endName: string | undefined;
  #endTagHandler: EndTagHandler | undefined;

  constructor(tag: StartTag, hasContent: boolean) {
    super();
    this.namespaceURI = tag.namespace;
    this.#raw = tag.raw;
    this.#isSelfClosing = tag.isSelfClosing;
    this.#hasContent = hasContent;
    this.#name = tag.name;
    this.#sourceName = tag.sourceName;
    this.#attributes = tag.attributes;
  }

  get tagName(): string {
    this.check();
    return this.#name;
  }

  set tagName(value: string) {
    this.check();
    const name = String(value);
    checkName(name, 'tag', /[\s/>]/);
    if (!/^[a-zA-Z]/.test(name)) {
      throw new TypeError(
        'Parser error: The first character of the tag name should be an ASCII alphabetical character.',
      );
    }
    this.#name = name.toLowerCase();
    this.#sourceName = name;
    if (this.#hasContent) this.#endName = name;
    this.#isChanged = true;
  }

  get attributes(): IterableIterator<[name: string, value: string]> {
    this.check();
    return this.#attributes.map(({ name, value }): [string, string] => [name, value]).values();
  }

  getAttribute(name: string): string | null {
    return this.#attributes[this.#findAttribute(name)]?.value ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#findAttribute(name) !== -1;
  }

  setAttribute(name: string, value: string): this {
    const key = String(name).toLowerCase();
    checkName(key, 'attribute', /[\s/>=]/);
    const text = String(value);
    const found = this.#findAttribute(name);
    const index = found === -1 ? this.#attributes.length : found;
    const sourceName = this.#attributes[index]?.sourceName ?? key;
    const raw = `${sourceName}="${text.replaceAll('"', '&quot;')}"`;
    this.#attributes = this.#attributes.toSpliced(index, 1, { name: key, sourceName, value: text, raw });
    this.#isChanged = true;
    return this;
  }

  removeAttribute(name: string): this {
    if (!this.hasAttribute(name)) return this;
    const key = String(name).toLowerCase();
    this.#attributes = this.#attributes.filter((attribute) => attribute.name !== key);
    this.#isChanged = true;
    return this;
  }

  override after(content: unknown, options?: ContentOptions): this {
    if (!this.#hasContent) return super.after(content, options);
    const end = this.#changeEnd();
    end.after = this.toMarkup(content, options) + end.after;
    return this;
  }

  prepend(content: unknown, options?: ContentOptions): this {
    const markup = this.toMarkup(content, options);
    if (this.#hasContent) this.mutations.after = markup + this.mutations.after;
    return this;
  }

  append(content: unknown, options?: ContentOptions): this {
    const markup = this.toMarkup(content, options);
    if (this.#hasContent) this.#changeEnd().before += markup;
    return this;
  }

  setInnerContent(content: unknown, options?: ContentOptions): this {
    const markup = this.toMarkup(content, options);
    if (!this.#hasContent) return this;
    this.#dropContent();
    this.mutations.after = markup;
    return this;
  }

  override replace(content: unknown, options?: ContentOptions): this {
    super.replace(content, options);
    return this.remove();
  }

  override remove(): this {
    if (this.#hasContent) this.#dropContent();
    return this.removeAndKeepContent();
  }

  /** Removes the tags and keeps the content between them. */
  removeAndKeepContent(): this {
    if (this.#hasContent) this.#changeEnd().isRemoved = true;
    return super.remove();
  }

  /** The last handler counts. */
  onEndTag(handler: EndTagHandler): void {
    this.check();
    if (!this.#hasContent) throw new TypeError('Parser error: No end tag.');
    this.#endTagHandler = handler;
  }

  /** @internal */
  get isContentDropped(): boolean {
    return this.#isContentDropped;
  }

  /** @internal */
  get endChanges(): EndChanges {
    return { mutations: this.#endMutations, name: this.#endName, handler: this.#endTagHandler };
  }

  protected serialize(): string {
    if (!this.#isChanged) return this.#raw;
    const attributes = this.#attributes.map(({ raw }) => ` ${raw}`).join('');
    const end = this.#isSelfClosing ? '/>' : '>';
    return `<${this.#sourceName}${attributes}${attributes !== '' && this.#isSelfClosing ? ' ' : ''}${end}`;
  }

  #changeEnd(): Mutations {
    this.#endMutations ??= new Mutations();
    return this.#endMutations;
  }

  #dropContent(): void {
    this.#isContentDropped = true;
    this.mutations.after = '';
    this.#changeEnd().before = '';
  }

  #findAttribute(name: string): number {
    this.check();
    const wanted = String(name).toLowerCase();
    return this.#attributes.findIndex((attribute) => attribute.name === wanted);
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
