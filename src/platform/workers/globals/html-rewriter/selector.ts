/**
 * The selectors of `HTMLRewriter`: types, classes, ids, attributes, `:nth-child`, `:first-child`, `:nth-of-type`,
 * `:first-of-type`, `:not`, descendants and children. In a streamed document, siblings are not available, so other
 * combinators are refused.
 */

/** An open element, with the properties that selectors use. */
export interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Its index among the children of its parent, from 1; and among those of the same type. */
  readonly index: number;
  readonly indexOfType: number;
}

type Test = (element: OpenElement) => boolean;

interface SelectorStep {
  readonly test: Test;
  /** Its relation to the previous step. */
  readonly relation: 'descendant' | 'child';
}

/** Whether an element matches, with its ancestors: outermost first, the element itself last. */
export type Selector = (path: readonly OpenElement[]) => boolean;

/** Throws a `TypeError` with the position of the error. */
export function parseSelector(text: string): Selector {
  const parser = new SelectorParser(text);
  const alternatives = parser.parseList();
  return (path) => alternatives.some((steps) => matches(steps, steps.length - 1, path, path.length - 1));
}

function matches(
  steps: readonly SelectorStep[],
  step: number,
  path: readonly OpenElement[],
  at: number,
): boolean {
  if (at < 0 || !steps[step]!.test(path[at]!)) return false;
  if (step === 0) return true;
  if (steps[step]!.relation === 'child') return matches(steps, step - 1, path, at - 1);
  for (let ancestor = at - 1; ancestor >= 0; ancestor--) {
    if (matches(steps, step - 1, path, ancestor)) return true;
  }
  return false;
}

const name = /(?:[-\w\u0080-\uffff]|\\.)+/y;
const spaces = /\s*/y;
const attribute =
  /\[\s*((?:[-\w:\u0080-\uffff]|\\.)+)\s*(?:([~^$*|]?=)\s*(?:"([^"]*)"|'([^']*)'|((?:[-\w\u0080-\uffff]|\\.)+))\s*([iIsS])?\s*)?\]/y;
const nth = /\(\s*(?:(even|odd)|([+-]?\d*)n\s*(?:([+-])\s*(\d+))?|([+-]?\d+))\s*\)/iy;

class SelectorParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parseList(): SelectorStep[][] {
    const alternatives = [this.#parseSteps()];
    while (this.#takeWord(',')) alternatives.push(this.#parseSteps());
    if (this.#at < this.#text.length) throw this.#error();
    return alternatives;
  }

  #parseSteps(): SelectorStep[] {
    this.#take(spaces);
    const steps: SelectorStep[] = [{ test: this.#parseCompound(), relation: 'descendant' }];
    for (;;) {
      const before = this.#at;
      this.#take(spaces);
      const isChild = this.#takeWord('>');
      if (isChild) this.#take(spaces);
      if (!isChild && (this.#at === before || this.#isAtEnd())) return steps;
      steps.push({ test: this.#parseCompound(), relation: isChild ? 'child' : 'descendant' });
    }
  }

  #isAtEnd(): boolean {
    return this.#at === this.#text.length || this.#text[this.#at] === ',' || this.#text[this.#at] === ')';
  }

  #parseCompound(): Test {
    const tests: Test[] = [];
    const type = this.#takeWord('*') ? '*' : this.#take(name)?.[0];
    if (type !== undefined && type !== '*') {
      const wanted = unescape(type).toLowerCase();
      tests.push((element) => element.name === wanted);
    }
    for (let test = this.#parseSimple(); test !== undefined; test = this.#parseSimple()) tests.push(test);
    if (type === undefined && tests.length === 0) throw this.#error();
    return (element) => tests.every((test) => test(element));
  }

  #parseSimple(): Test | undefined {
    if (this.#takeWord('.')) {
      const wanted = this.#takeName();
      return ({ attributes }) => (attributes.get('class') ?? '').split(/\s+/).includes(wanted);
    }
    if (this.#takeWord('#')) {
      const wanted = this.#takeName();
      return ({ attributes }) => attributes.get('id') === wanted;
    }
    if (this.#takeWord(':')) return this.#parsePseudo();
    const found = this.#take(attribute);
    return found === undefined ? undefined : createAttributeTest(found);
  }

  #parsePseudo(): Test {
    const pseudo = this.#takeName().toLowerCase();
    switch (pseudo) {
      case 'first-child':
        return ({ index }) => index === 1;
      case 'first-of-type':
        return ({ indexOfType }) => indexOfType === 1;
      case 'nth-child':
      case 'nth-of-type': {
        const test = this.#parseNth();
        return pseudo === 'nth-child' ? ({ index }) => test(index) : ({ indexOfType }) => test(indexOfType);
      }
      case 'not': {
        if (!this.#takeWord('(')) throw this.#error();
        this.#take(spaces);
        const test = this.#parseCompound();
        this.#take(spaces);
        if (!this.#takeWord(')')) throw this.#error();
        return (element) => !test(element);
      }
      default:
        throw new TypeError(
          `Parser error: Unsupported pseudo-class or pseudo-element in selector: :${pseudo} in ${this.#text}`,
        );
    }
  }

  #parseNth(): (index: number) => boolean {
    const found = this.#take(nth);
    if (found === undefined) throw this.#error();
    const [, word, step, sign, rest, single] = found;
    if (single !== undefined) return (index) => index === Number(single);
    if (word !== undefined) return (index) => index % 2 === (word.toLowerCase() === 'odd' ? 1 : 0);
    const every = /^[+-]?$/.test(step!) ? Number(`${step}1`) : Number(step);
    const offset = rest === undefined ? 0 : Number(`${sign}${rest}`);
    return (index) =>
      every === 0 ? index === offset : (index - offset) % every === 0 && (index - offset) / every >= 0;
  }

  #takeName(): string {
    const found = this.#take(name)?.[0];
    if (found === undefined) throw this.#error();
    return unescape(found);
  }

  #takeWord(word: string): boolean {
    if (word === ',') this.#take(spaces);
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  #error(): TypeError {
    const rest = this.#text.slice(this.#at, this.#at + 40);
    if (rest === '') return new TypeError('Parser error: The selector ends too early or is empty.');
    const isCombinator = rest.startsWith('+') || rest.startsWith('~');
    return new TypeError(
      isCombinator
        ? `Parser error: Unsupported combinator \`${rest[0]}\` in selector.`
        : `Parser error: Unexpected token in selector: ${rest}`,
    );
  }
}

function createAttributeTest([, key, operator, ...values]: RegExpExecArray): Test {
  const wantedName = unescape(key!).toLowerCase();
  if (operator === undefined) return ({ attributes }) => attributes.has(wantedName);
  const [double, single, bare, flag] = values;
  const isFolded = flag?.toLowerCase() === 'i';
  const fold = (text: string): string => (isFolded ? text.toLowerCase() : text);
  const wanted = fold(double ?? single ?? unescape(bare!));
  const compare = comparisons[operator]!;
  return ({ attributes }) => {
    const value = attributes.get(wantedName);
    return value !== undefined && compare(fold(value), wanted);
  };
}

const comparisons: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '~=': (value, wanted) => value.split(/\s+/).includes(wanted),
  '^=': (value, wanted) => wanted !== '' && value.startsWith(wanted),
  '$=': (value, wanted) => wanted !== '' && value.endsWith(wanted),
  '*=': (value, wanted) => wanted !== '' && value.includes(wanted),
  '|=': (value, wanted) => value === wanted || value.startsWith(`${wanted}-`),
};

function unescape(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
