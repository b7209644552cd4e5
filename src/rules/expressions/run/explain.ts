/**
 * Explains why an expression matches a request or not: the tree of the expression with the result at each node. Parts
 * are in the order written, and parts that `and` and `or` did not need to evaluate are marked as not reached.
 */
import type { Comparison, Expression, Filter, Operand, Quantifier, Span, Truth } from '../ast.ts';
import type { Field } from '../field.ts';
import { boolType, bytesType } from '../types.ts';
import type { Value } from '../values.ts';
import { interpretElements, interpretOperand, isTrueOfNil, interpretPredicate, zip } from './interpret.ts';
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
      /** One Bool for each element if there is a `[*]`; nil only for the operand of `any` and `all`. */
      readonly result: boolean | readonly boolean[] | undefined;
      /** Set for a leaf. */
      readonly seen?: Seen;
    };

/** The comparison at a leaf. */
export interface Seen {
  /** The field that the value comes from. */
  readonly field: string;
  /** The operand as written: the field, or the indexed or computed part of it. */
  readonly operand: string;
  /** Nil is `undefined`; with `[*]` it is the list of elements. */
  readonly value: Value | undefined;
  /** The matches that made it true. */
  readonly matches: readonly Match[];
  /** The key, if the field is a map and the operand names one: `session` of `http.request.cookies["session"][0]`. */
  readonly key?: string;
  /** Whether the operand is the field itself, so that positions in the value are positions in the field. */
  readonly isField: boolean;
  /**
   * Where the comparison would match if the field had another text, such as a part of its own; undefined if it is false
   * for that text. Only set for comparisons whose field is text.
   */
  readonly matchIn?: (text: string) => TextMatch | undefined;
}

/** A match and the text that contains it: the value of the operand. */
export interface TextMatch {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Match {
  /** The index of the element, if there is a `[*]`. */
  readonly element?: number;
  /** The range in the value, if it is bytes. The end is excluded. */
  readonly bytes?: { readonly start: number; readonly end: number };
}

/** `explanation.outcome.result` says whether the request matches; it always equals the result of running the expression. */
export function explain(filter: Filter, request: RequestView, options: RunOptions = {}): Explanation {
  return new Explainer(filter.source, request, options).explainExpression(filter.root);
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

  explainExpression(expression: Expression): Explanation {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return expression.type === boolType
          ? this.#explainCombination(expression)
          : this.#explainZip(expression);
      case 'not': {
        const item = this.explainExpression(expression.item);
        const inner = getResult(item);
        return this.#createNode(expression, typeof inner === 'object' ? inner.map((bool) => !bool) : !inner, [
          item,
        ]);
      }
      case 'any':
      case 'all':
        return this.#explainQuantifier(expression);
      case 'truth':
        return expression.operand.eachCount > 0
          ? this.#explainElements(expression)
          : this.#explainTruth(expression);
      default:
        return expression.operand.eachCount > 0
          ? this.#explainElements(expression)
          : this.#explainComparison(expression);
    }
  }

  #explainCombination(expression: Extract<Expression, { items: unknown }>): Explanation {
    const parts: Explanation[] = [];
    let result = expression.kind === 'and';
    let isDecided = false;
    for (const item of expression.items) {
      if (isDecided) {
        parts.push(this.#createNotReached(item));
        continue;
      }
      const part = this.explainExpression(item);
      parts.push(part);
      const truth = getResult(part) === true;
      if (expression.kind === 'xor') result = result !== truth;
      else {
        result = truth;
        isDecided = truth === (expression.kind === 'or');
      }
    }
    return this.#createNode(expression, result, parts);
  }

  #explainZip(expression: Extract<Expression, { items: unknown }>): Explanation {
    const parts = expression.items.map((item) => this.explainExpression(item));
    return this.#createNode(
      expression,
      zip(
        expression.kind,
        parts.map((part) => getResult(part) as readonly boolean[]),
      ),
      parts,
    );
  }

  #explainQuantifier(quantifier: Quantifier): Explanation {
    const { kind, item } = quantifier;
    const part = item.kind === 'operand' ? this.#explainBoolList(item) : this.explainExpression(item);
    const bools = getResult(part) as readonly boolean[] | undefined;
    const result = kind === 'any' ? bools?.includes(true) : bools?.includes(false) === false;
    return this.#createNode(quantifier, result ?? false, [part]);
  }

  /** The operand of `any` and `all`. */
  #explainBoolList(operand: Operand): Explanation {
    const value = interpretOperand(operand, this.#options)(this.#request) as readonly boolean[] | undefined;
    const matches = (value ?? []).flatMap((bool, element) => (bool ? [{ element }] : []));
    return this.#createNode(operand, value, [], { ...this.#findOrigin(operand), value, matches });
  }

  #explainTruth(truth: Truth): Explanation {
    const { operand } = truth;
    const value = interpretOperand(operand, this.#options)(this.#request);
    const seen = { ...this.#findOrigin(operand), value };
    if (truth.type === boolType) {
      return this.#createNode(truth, value === true, [], {
        ...seen,
        matches: value === true ? [this.#findCallMatch(operand)] : [],
      });
    }
    const bools = (value ?? []) as readonly boolean[];
    const matches = bools.flatMap((bool, element) => (bool ? [{ element }] : []));
    return this.#createNode(truth, bools, [], { ...seen, matches });
  }

  /** Where `starts_with` and `ends_with` matched. */
  #findCallMatch({ root }: Operand): Match {
    if (root.kind === 'field') return {};
    const [subject, literal] = root.args;
    if (subject?.kind !== 'operand' || literal?.kind !== 'Bytes') return {};
    const { length } = literal.value;
    if (root.function.name === 'starts_with') return { bytes: { start: 0, end: length } };
    if (root.function.name !== 'ends_with') return {};
    const value = interpretOperand(subject, this.#options)(this.#request) as string;
    return { bytes: { start: value.length - length, end: value.length } };
  }

  #explainComparison(comparison: Comparison): Explanation {
    const { operand, predicate } = comparison;
    const value = interpretOperand(operand, this.#options)(this.#request);
    const result =
      value === undefined
        ? isTrueOfNil(predicate, this.#options)
        : interpretPredicate(comparison, this.#options)(value);
    const matches = result && value !== undefined ? [findMatch(value, comparison)] : [];
    return this.#createNode(comparison, result, [], {
      ...this.#findOrigin(operand),
      value,
      matches,
      ...this.#createMatchIn(comparison),
    });
  }

  #createMatchIn(comparison: Comparison): Pick<Seen, 'matchIn'> {
    const { operand, predicate } = comparison;
    const field = findRoot(operand)?.field;
    if (field?.type !== bytesType || operand.type !== bytesType) return {};
    const matchIn = (text: string): TextMatch | undefined => {
      const request = this.#request.withField(field, text);
      const value = interpretOperand(operand, this.#options)(request) as string | undefined;
      if (value === undefined) return undefined;
      // Searching for the position also determines whether there is one: a pattern need not run twice.
      const found =
        predicate.operator === 'matches'
          ? predicate.value.pattern.find(value)
          : interpretPredicate(comparison, this.#options)(value) && findMatch(value, comparison).bytes;
      return found ? { value, start: found.start, end: found.end } : undefined;
    };
    return { matchIn };
  }

  /** A leaf over the elements of its operand. */
  #explainElements(leaf: Comparison | Truth): Explanation {
    const elements = interpretElements(leaf.operand, this.#options)(this.#request);
    const test =
      leaf.kind === 'comparison'
        ? interpretPredicate(leaf, this.#options)
        : (value: Value): boolean => value === true;
    const results = elements.map((element) => test(element));
    const matches = elements.flatMap((value, element) =>
      results[element] ? [{ element, ...(leaf.kind === 'comparison' ? findMatch(value, leaf) : {}) }] : [],
    );
    return this.#createNode(leaf, results, [], {
      ...this.#findOrigin(leaf.operand),
      value: elements,
      matches,
    });
  }

  #createNode(
    { kind, span }: Expression | Operand,
    result: boolean | readonly boolean[] | undefined,
    parts: readonly Explanation[],
    seen?: Seen,
  ): Explanation {
    const outcome = { state: 'reached' as const, result, ...(seen !== undefined && { seen }) };
    return { kind, span, text: this.#readText(span), outcome, parts };
  }

  #createNotReached(node: Expression | Operand): Explanation {
    const { kind, span } = node;
    const parts = listParts(node).map((part) => this.#createNotReached(part));
    return { kind, span, text: this.#readText(span), outcome: { state: 'not reached' }, parts };
  }

  #findOrigin(operand: Operand): Pick<Seen, 'field' | 'operand' | 'key' | 'isField'> {
    const origin = findRoot(operand);
    return {
      field: origin?.field.name ?? findFunctionName(operand),
      operand: this.#readText(operand.span),
      isField: operand.root.kind === 'field' && operand.path.length === 0,
      ...(origin?.key === undefined ? {} : { key: origin.key }),
    };
  }

  #readText({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }
}

function getResult({ outcome }: Explanation): boolean | readonly boolean[] | undefined {
  return outcome.state === 'reached' ? outcome.result : undefined;
}

function listParts(node: Expression | Operand): readonly (Expression | Operand)[] {
  if ('items' in node) return node.items;
  return 'item' in node ? [node.item] : [];
}

/** The field from which an operand is read or computed, and the key read from it. */
function findRoot({ root, path }: Operand): { readonly field: Field; readonly key?: string } | undefined {
  if (root.kind === 'call') {
    const operand = root.args.find((argument) => argument.kind === 'operand');
    return operand && findRoot(operand);
  }
  const index = path.find(({ kind }) => kind === 'key');
  return { field: root.field, ...(index?.kind === 'key' ? { key: index.key } : {}) };
}

/** For an operand that is not computed from a field. */
function findFunctionName({ root }: Operand): string {
  return root.kind === 'call' ? root.function.name : root.field.name;
}

/** The bytes of a value that made the comparison true. */
function findMatch(value: Value, { predicate }: Comparison): Match {
  if (typeof value !== 'string') return {};
  if (predicate.operator === 'contains') {
    const start = value.indexOf(predicate.value.value);
    return { bytes: { start, end: start + predicate.value.value.length } };
  }
  const found = predicate.operator === 'matches' ? predicate.value.pattern.find(value) : undefined;
  return {
    bytes: found === undefined ? { start: 0, end: value.length } : { start: found.start, end: found.end },
  };
}
