/**
 * Why an expression matches a request, or why not: the tree of the expression with what happened at each place. Parts
 * come in the order written, and what `and` and `or` did not need to look at is marked as not reached.
 */
import type { Comparison, Expression, Filter, Operand, Quantifier, Span, Truth } from '../ast.ts';
import { boolType } from '../types.ts';
import type { Value } from '../values.ts';
import { interpretElements, interpretOperand, isTrueOfNil, testOf, zip } from './interpret.ts';
import type { RunOptions } from './options.ts';
import type { RequestView } from './request-view.ts';

export interface Explanation {
  readonly kind: Expression['kind'] | 'operand';
  readonly span: Span;
  /** As written. */
  readonly text: string;
  readonly outcome: Outcome;
  /** The parts of `and`, `or`, `xor`, `not`, `any` and `all`. */
  readonly parts: readonly Explanation[];
}

export type Outcome =
  | { readonly state: 'not reached' }
  | {
      readonly state: 'reached';
      /** One truth for each element where there is a `[*]`; nil only for the operand of `any` and `all`. */
      readonly result: boolean | readonly boolean[] | undefined;
      /** Of a leaf. */
      readonly seen?: Seen;
    };

/** What a leaf looked at. */
export interface Seen {
  /** Where the value comes from. */
  readonly field: string;
  /** What the value is of, as written: the field, or what is indexed in it or computed from it. */
  readonly operand: string;
  /** Nil is `undefined`; with `[*]` it is the list of elements. */
  readonly value: Value | undefined;
  /** What made it true. */
  readonly matches: readonly Match[];
}

export interface Match {
  /** Which of the elements, if there is a `[*]`. */
  readonly element?: number;
  /** In the value; absent unless it is bytes. The end is excluded. */
  readonly bytes?: { readonly start: number; readonly end: number };
}

/** Whether the request matches is `explanation.outcome.result`, always the same as running the expression says. */
export function explain(filter: Filter, request: RequestView, options: RunOptions = {}): Explanation {
  return new Explainer(filter.source, request, options).expression(filter.root);
}

/** Whether the expression as a whole is true. */
export function isMatch({ outcome }: Explanation): boolean {
  return outcome.state === 'reached' && outcome.result === true;
}

class Explainer {
  readonly #source: string;
  readonly #request: RequestView;
  readonly #options: RunOptions;

  constructor(source: string, request: RequestView, options: RunOptions) {
    this.#source = source;
    this.#request = request;
    this.#options = options;
  }

  expression(expression: Expression): Explanation {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return expression.type === boolType ? this.#combination(expression) : this.#zip(expression);
      case 'not': {
        const item = this.expression(expression.item);
        const inner = resultOf(item);
        return this.#node(expression, typeof inner === 'object' ? inner.map((bool) => !bool) : !inner, [
          item,
        ]);
      }
      case 'any':
      case 'all':
        return this.#quantifier(expression);
      case 'truth':
        return expression.operand.eachCount > 0 ? this.#elements(expression) : this.#truth(expression);
      default:
        return expression.operand.eachCount > 0 ? this.#elements(expression) : this.#comparison(expression);
    }
  }

  #combination(expression: Extract<Expression, { items: unknown }>): Explanation {
    const parts: Explanation[] = [];
    let result = expression.kind === 'and';
    let isDecided = false;
    for (const item of expression.items) {
      if (isDecided) {
        parts.push(this.#notReached(item));
        continue;
      }
      const part = this.expression(item);
      parts.push(part);
      const truth = resultOf(part) === true;
      if (expression.kind === 'xor') result = result !== truth;
      else {
        result = truth;
        isDecided = truth === (expression.kind === 'or');
      }
    }
    return this.#node(expression, result, parts);
  }

  #zip(expression: Extract<Expression, { items: unknown }>): Explanation {
    const parts = expression.items.map((item) => this.expression(item));
    return this.#node(
      expression,
      zip(
        expression.kind,
        parts.map((part) => resultOf(part) as readonly boolean[]),
      ),
      parts,
    );
  }

  #quantifier(quantifier: Quantifier): Explanation {
    const { kind, item } = quantifier;
    const part = item.kind === 'operand' ? this.#boolList(item) : this.expression(item);
    const bools = resultOf(part) as readonly boolean[] | undefined;
    const result = kind === 'any' ? bools?.includes(true) : bools?.includes(false) === false;
    return this.#node(quantifier, result ?? false, [part]);
  }

  /** The operand of `any` and `all`. */
  #boolList(operand: Operand): Explanation {
    const value = interpretOperand(operand, this.#options)(this.#request) as readonly boolean[] | undefined;
    const matches = (value ?? []).flatMap((bool, element) => (bool ? [{ element }] : []));
    return this.#node(operand, value, [], { ...this.#origin(operand), value, matches });
  }

  #truth(truth: Truth): Explanation {
    const { operand } = truth;
    const value = interpretOperand(operand, this.#options)(this.#request);
    const seen = { ...this.#origin(operand), value };
    if (truth.type === boolType) {
      return this.#node(truth, value === true, [], {
        ...seen,
        matches: value === true ? [this.#callMatch(operand)] : [],
      });
    }
    const bools = (value ?? []) as readonly boolean[];
    const matches = bools.flatMap((bool, element) => (bool ? [{ element }] : []));
    return this.#node(truth, bools, [], { ...seen, matches });
  }

  /** Where `starts_with` and `ends_with` found their text. */
  #callMatch({ root }: Operand): Match {
    if (root.kind === 'field') return {};
    const [subject, literal] = root.args;
    if (subject?.kind !== 'operand' || literal?.kind !== 'Bytes') return {};
    const { length } = literal.value;
    if (root.function.name === 'starts_with') return { bytes: { start: 0, end: length } };
    if (root.function.name !== 'ends_with') return {};
    const value = interpretOperand(subject, this.#options)(this.#request) as string;
    return { bytes: { start: value.length - length, end: value.length } };
  }

  #comparison(comparison: Comparison): Explanation {
    const { operand, test } = comparison;
    const value = interpretOperand(operand, this.#options)(this.#request);
    const result =
      value === undefined ? isTrueOfNil(test, this.#options) : testOf(comparison, this.#options)(value);
    const matches = result && value !== undefined ? [matchIn(value, comparison)] : [];
    return this.#node(comparison, result, [], { ...this.#origin(operand), value, matches });
  }

  /** A leaf over the elements of its operand. */
  #elements(leaf: Comparison | Truth): Explanation {
    const elements = interpretElements(leaf.operand, this.#options)(this.#request);
    const test =
      leaf.kind === 'comparison' ? testOf(leaf, this.#options) : (value: Value): boolean => value === true;
    const results = elements.map((element) => test(element));
    const matches = elements.flatMap((value, element) =>
      results[element] ? [{ element, ...(leaf.kind === 'comparison' ? matchIn(value, leaf) : {}) }] : [],
    );
    return this.#node(leaf, results, [], { ...this.#origin(leaf.operand), value: elements, matches });
  }

  #node(
    { kind, span }: Expression | Operand,
    result: boolean | readonly boolean[] | undefined,
    parts: readonly Explanation[],
    seen?: Seen,
  ): Explanation {
    const outcome = { state: 'reached' as const, result, ...(seen !== undefined && { seen }) };
    return { kind, span, text: this.#textOf(span), outcome, parts };
  }

  #notReached(node: Expression | Operand): Explanation {
    const { kind, span } = node;
    const parts = partsOf(node).map((part) => this.#notReached(part));
    return { kind, span, text: this.#textOf(span), outcome: { state: 'not reached' }, parts };
  }

  #origin(operand: Operand): Pick<Seen, 'field' | 'operand'> {
    return { field: fieldOf(operand), operand: this.#textOf(operand.span) };
  }

  #textOf({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }
}

function resultOf({ outcome }: Explanation): boolean | readonly boolean[] | undefined {
  return outcome.state === 'reached' ? outcome.result : undefined;
}

function partsOf(node: Expression | Operand): readonly (Expression | Operand)[] {
  if ('items' in node) return node.items;
  return 'item' in node ? [node.item] : [];
}

/** The field an operand, or what it was computed from, comes from. */
function fieldOf({ root }: Operand): string {
  if (root.kind === 'field') return root.field.name;
  const operand = root.args.find((argument) => argument.kind === 'operand');
  return operand === undefined ? root.function.name : fieldOf(operand);
}

/** Which bytes of a value that passed the test made it pass. */
function matchIn(value: Value, { test }: Comparison): Match {
  if (typeof value !== 'string') return {};
  if (test.operator === 'contains') {
    const start = value.indexOf(test.value.value);
    return { bytes: { start, end: start + test.value.value.length } };
  }
  const found = test.operator === 'matches' ? test.value.pattern.find(value) : undefined;
  return {
    bytes: found === undefined ? { start: 0, end: value.length } : { start: found.start, end: found.end },
  };
}
