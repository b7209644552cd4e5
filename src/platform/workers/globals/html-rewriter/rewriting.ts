/** One document's pass through the handlers of an `HTMLRewriter`. */
import {
  Comment,
  Doctype,
  DocumentEnd,
  Element,
  EndTag,
  type EndTagHandler,
  type PendingTexts,
  Text,
} from './content-tokens.ts';
import type { OpenElement, Selector } from './selector.ts';
import { HtmlTokenizer, type Token } from './tokenizer.ts';

export interface ElementHandlers {
  element?(element: Element): unknown;
  comments?(comment: Comment): unknown;
  text?(text: Text): unknown;
}

export interface DocumentHandlers {
  doctype?(doctype: Doctype): unknown;
  comments?(comment: Comment): unknown;
  text?(text: Text): unknown;
  end?(end: DocumentEnd): unknown;
}

export interface SelectedHandlers {
  readonly selector: Selector;
  readonly handlers: ElementHandlers;
}

/** An open element, with the additions at its end tag. */
interface Level extends OpenElement {
  /** The handlers of its selectors and of its ancestors. */
  readonly inside: readonly ElementHandlers[];
  readonly namespace: string;
  readonly isContentDropped: boolean;
  readonly last: string;
  readonly after: string;
  readonly endTagHandlers: readonly EndTagHandler[];
  readonly endTag: 'kept' | 'removed' | { readonly name: string };
  children: number;
  readonly childrenOfType: Map<string, number>;
}

const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

const namespaces = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
};

type StartToken = Token & { readonly kind: 'start' };

export class Rewriting {
  readonly #selected: readonly SelectedHandlers[];
  readonly #document: readonly DocumentHandlers[];
  readonly #tokenizer = new HtmlTokenizer();
  readonly #levels: Level[] = [];
  readonly #root = { children: 0, childrenOfType: new Map<string, number>() };
  /** Whether a text node may continue. */
  #isInText = false;
  #output = '';
  /** Texts that are still being read, whose placeholders are in the output or will be. */
  readonly #pending: PendingTexts = new Map();

  constructor(selected: readonly SelectedHandlers[], document: readonly DocumentHandlers[]) {
    this.#selected = selected;
    this.#document = document;
  }

  /** Resolves to the text that can be sent. */
  async add(piece: string): Promise<string> {
    for (const token of this.#tokenizer.add(piece)) await this.#take(token);
    return await this.#cutOutput();
  }

  async end(): Promise<string> {
    for (const token of this.#tokenizer.end()) await this.#take(token);
    await this.#endText();
    while (this.#levels.length > 0) this.#write(this.#closeUnended());
    const end = new DocumentEnd();
    for (const handlers of this.#document) await handlers.end?.(end);
    return (await this.#cutOutput()) + end.appended;
  }

  async #cutOutput(): Promise<string> {
    let output = this.#output;
    this.#output = '';
    for (const [place, text] of this.#pending) {
      if (!output.includes(place)) continue;
      const filled = await text;
      output = output.replace(place, () => filled);
      this.#pending.delete(place);
    }
    return output;
  }

  #gather({ pending }: { readonly pending: PendingTexts | undefined }): void {
    for (const [place, text] of pending ?? []) this.#pending.set(place, text);
  }

  async #take(token: Token): Promise<void> {
    if (token.kind === 'text') {
      this.#isInText = true;
      return await this.#handleText(new Text(token.raw, false));
    }
    await this.#endText();
    switch (token.kind) {
      case 'start':
        return await this.#open(token);
      case 'end':
        return await this.#takeEndTag(token);
      case 'comment':
        return await this.#handleComment(new Comment(token.raw, token.text));
      case 'doctype': {
        const doctype = new Doctype(token.raw);
        for (const handlers of this.#document) await handlers.doctype?.(doctype);
        this.#write(token.raw);
      }
    }
  }

  async #endText(): Promise<void> {
    if (!this.#isInText) return;
    this.#isInText = false;
    await this.#handleText(new Text('', true));
  }

  async #handleText(text: Text): Promise<void> {
    for (const handlers of this.#inside) await handlers.text?.(text);
    for (const handlers of this.#document) await handlers.text?.(text);
    this.#writeToken(text);
  }

  async #handleComment(comment: Comment): Promise<void> {
    for (const handlers of this.#inside) await handlers.comments?.(comment);
    for (const handlers of this.#document) await handlers.comments?.(comment);
    this.#writeToken(comment);
  }

  async #open(token: StartToken): Promise<void> {
    const { name, raw, attributes } = token;
    const parent = this.#levels.at(-1) ?? this.#root;
    parent.children++;
    const indexOfType = (parent.childrenOfType.get(name) ?? 0) + 1;
    parent.childrenOfType.set(name, indexOfType);
    const open: OpenElement = {
      name,
      attributes: new Map(attributes.map((each) => [each.name, each.value])),
      index: parent.children,
      indexOfType,
    };
    const namespace = this.#findNamespace(name);
    const isForeign = namespace !== namespaces.html;
    const hasContent = isForeign ? !token.isSelfClosing : !voidElements.has(name);
    const element = new Element({ raw, name, attributes, namespaceURI: namespace, hasContent });
    const path = [...this.#levels, open];
    const own = this.#selected.filter(({ selector }) => selector(path)).map(({ handlers }) => handlers);
    for (const handlers of own) await handlers.element?.(element);
    element.finish();
    this.#gather(element);
    const { before, own: tag, after } = element.write();
    const { isDropped, first, last } = element.content;
    this.#write(before + tag + first);
    if (!hasContent) return this.#write(after);
    const changed = element.changedName;
    const endTag = element.removed ? 'removed' : changed === undefined ? 'kept' : { name: changed };
    this.#levels.push({
      ...open,
      inside: [...this.#inside, ...own.filter((handlers) => !this.#inside.includes(handlers))],
      namespace,
      isContentDropped: this.#isDropped || isDropped,
      last,
      after,
      endTagHandlers: element.endTagHandlers,
      endTag,
      children: 0,
      childrenOfType: new Map(),
    });
    return undefined;
  }

  async #takeEndTag({ raw, name }: Token & { readonly kind: 'end' }): Promise<void> {
    const index = this.#levels.findLastIndex((level) => level.name === name);
    // An end tag without an element.
    if (index === -1) return this.#write(raw);
    // Text to insert after an element without an end tag follows the tag that closes the element.
    let following = '';
    while (this.#levels.length > index + 1) following += this.#closeUnended();
    const level = this.#levels.pop()!;
    this.#write(level.last);
    const tag = new EndTag(raw, level.name);
    if (typeof level.endTag === 'object' && level.endTag.name !== level.name) tag.name = level.endTag.name;
    if (level.endTag === 'removed') tag.remove();
    for (const handler of level.endTagHandlers) await handler(tag);
    this.#writeToken(tag);
    this.#write(following + level.after);
  }

  /** Returns the text to insert after it. */
  #closeUnended(): string {
    const level = this.#levels.pop()!;
    this.#write(level.last);
    return level.after;
  }

  #findNamespace(name: string): string {
    if (name === 'svg' || name === 'math') return namespaces[name];
    const parent = this.#levels.at(-1);
    // Inside of these, content is HTML again.
    if (parent === undefined || /^(?:foreignobject|desc|title)$/.test(parent.name)) return namespaces.html;
    return parent.namespace;
  }

  get #inside(): readonly ElementHandlers[] {
    return this.#levels.at(-1)?.inside ?? [];
  }

  get #isDropped(): boolean {
    return this.#levels.at(-1)?.isContentDropped === true;
  }

  #writeToken(token: Text | Comment | EndTag): void {
    token.finish();
    this.#gather(token);
    const { before, own, after } = token.write();
    this.#write(before + own + after);
  }

  #write(text: string): void {
    if (!this.#isDropped) this.#output += text;
  }
}
