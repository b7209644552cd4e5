/** One document's pass through the handlers of an `HTMLRewriter`. */
import {
  Comment,
  Doctype,
  DocumentEnd,
  Element,
  type EndChanges,
  EndTag,
  type PendingTexts,
  Text,
} from './content-tokens.ts';
import type { OpenElement, Selector } from './selector.ts';
import { namespaces } from './parsing-context.ts';
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

/** An open element, with the changes at its end tag. */
interface Level extends OpenElement {
  /** The handlers of its selectors and of its ancestors. */
  readonly inside: readonly ElementHandlers[];
  readonly isContentDropped: boolean;
  readonly end: EndChanges;
  children: number;
  readonly childrenOfType: Map<string, number>;
}

const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

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
      case 'other':
        return this.#write(token.raw);
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

  async #open(token: Token & { readonly kind: 'start' }): Promise<void> {
    const { name, attributes, namespace } = token;
    const parent = this.#levels.at(-1) ?? this.#root;
    parent.children++;
    const indexOfType = (parent.childrenOfType.get(name) ?? 0) + 1;
    parent.childrenOfType.set(name, indexOfType);
    const open: OpenElement = {
      name,
      // The first of several with the same name counts.
      attributes: new Map(attributes.map((each) => [each.name, each.value] as const).toReversed()),
      index: parent.children,
      indexOfType,
    };
    const hasContent = !voidElements.has(name) && (namespace === namespaces.html || !token.isSelfClosing);
    const element = new Element(token, hasContent);
    const path = [...this.#levels, open];
    const own = this.#selected.filter(({ selector }) => selector(path)).map(({ handlers }) => handlers);
    for (const handlers of own) await handlers.element?.(element);
    this.#writeToken(element);
    if (!hasContent) return;
    this.#levels.push({
      ...open,
      inside: [...this.#inside, ...own.filter((handlers) => !this.#inside.includes(handlers))],
      isContentDropped: this.#isDropped || element.isContentDropped,
      end: element.endChanges,
      children: 0,
      childrenOfType: new Map(),
    });
  }

  async #takeEndTag({ raw, name }: Token & { readonly kind: 'end' }): Promise<void> {
    const index = this.#levels.findLastIndex((level) => level.name === name);
    const tag = new EndTag(raw, name);
    // It also ends the elements inside that have no end tag: the changes of the outermost count.
    const ended = index === -1 ? [] : this.#levels.splice(index).toReversed();
    for (const { end } of ended) {
      if (end.name !== undefined) tag.name = end.name;
      if (end.mutations !== undefined) tag.mutations = end.mutations;
      await end.handler?.(tag);
    }
    this.#writeToken(tag);
  }

  get #inside(): readonly ElementHandlers[] {
    return this.#levels.at(-1)?.inside ?? [];
  }

  get #isDropped(): boolean {
    return this.#levels.at(-1)?.isContentDropped === true;
  }

  #writeToken(token: Text | Comment | Element | EndTag): void {
    this.#gather(token);
    this.#write(token.finish());
  }

  #write(text: string): void {
    if (!this.#isDropped) this.#output += text;
  }
}
