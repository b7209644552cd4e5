/**
 * What a parser of HTML knows from the elements before a tag, without a tree: its namespace, and whether its content is
 * text. Where only a tree could decide whether a tag is ignored, and so whether markup after it is text, parsing fails:
 * a document must not be read in another way than browsers read it.
 */
export const namespaces = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
};
type Namespace = keyof typeof namespaces;

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

/** Their content is text. */
const textElements = setOf('textarea title plaintext script style iframe xmp noembed noframes noscript');
/** They end SVG and MathML. */
const htmlOnly = setOf(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
/** Their content is HTML again. */
const integrationPoints = { svg: setOf('desc title foreignobject'), math: setOf('mi mo mn ms mtext') };
const fontAttributes = setOf('color size face');
const endOfSelect = setOf('select textarea input keygen');

interface StartTag {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly isSelfClosing: boolean;
}

export class ParsingContext {
  readonly #namespaces: Namespace[] = ['html'];
  #inside: 'nothing' | 'select' | 'frameset' = 'nothing';
  /** Open templates in the select. */
  #templates = 0;

  get isForeign(): boolean {
    return this.#namespace !== 'html';
  }

  /** The namespace of an element, and the name whose end tag ends its content if that is text. */
  open(tag: StartTag): { readonly namespace: string; readonly rawText: string | undefined } {
    this.#refuseAmbiguity(tag.name);
    const before = this.#namespace;
    const { name } = tag;
    if (name === 'svg' || name === 'math') this.#namespaces.push(name);
    else if (before !== 'html') {
      if (endsForeign(tag)) this.#namespaces.pop();
      else if (!tag.isSelfClosing && isIntegrationPoint(before, tag)) this.#namespaces.push('html');
    }
    const isText = before === 'html' && textElements.has(name);
    return { namespace: namespaces[this.#namespace], rawText: isText ? name : undefined };
  }

  close(name: string): void {
    if (this.#inside === 'select') {
      if (this.#templates > 0) this.#templates -= name === 'template' ? 1 : 0;
      else if (name === 'select') this.#inside = 'nothing';
    }
    const previous = this.#namespaces.at(-2);
    if (previous === undefined) return;
    const isEnd =
      this.#namespace === 'html'
        ? previous !== 'html' &&
          (integrationPoints[previous].has(name) || (previous === 'math' && name === 'annotation-xml'))
        : name === this.#namespace || name === 'p' || name === 'br';
    if (isEnd) this.#namespaces.pop();
  }

  get #namespace(): Namespace {
    return this.#namespaces.at(-1)!;
  }

  #refuseAmbiguity(name: string): void {
    switch (this.#inside) {
      case 'nothing':
        if (name === 'select' || name === 'frameset') this.#inside = name;
        return;
      case 'select':
        if (name === 'template') this.#templates++;
        else if (this.#templates === 0 && endOfSelect.has(name)) this.#inside = 'nothing';
        else if (this.#templates > 0 || name !== 'script') refuseText(name);
        return;
      case 'frameset':
        if (name !== 'noframes') refuseText(name);
    }
  }
}

function endsForeign({ name, attributes }: StartTag): boolean {
  return htmlOnly.has(name) || (name === 'font' && attributes.some((each) => fontAttributes.has(each.name)));
}

function isIntegrationPoint(namespace: 'svg' | 'math', { name, attributes }: StartTag): boolean {
  if (integrationPoints[namespace].has(name)) return true;
  return (
    namespace === 'math' &&
    name === 'annotation-xml' &&
    attributes.some(
      (each) => each.name === 'encoding' && /^(?:text\/html|application\/xhtml\+xml)$/i.test(each.value),
    )
  );
}

function refuseText(name: string): void {
  if (!textElements.has(name)) return;
  throw new TypeError(
    `Parser error: The parser has encountered a text content tag (\`<${name}>\`) in the context where it is ambiguous ` +
      'whether this tag should be ignored or not. And, thus, is is unclear is consequent content should be parsed as raw ' +
      'text or HTML markup.\n\nThis error occurs due to the limited capabilities of the streaming parsing. However, ' +
      'almost all of the cases of this error are caused by a non-conforming markup (e.g. a `<script>` element in ' +
      '`<select>` element).',
  );
}
