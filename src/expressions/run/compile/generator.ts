/**
 * Expressions as JavaScript. A generator collects the code of one program, which may hold a single expression or those
 * of a whole list: every function in it takes the request `r`, parts that occur more than once and cost something keep
 * their value until the next request, and `[*]` becomes a loop without a list of truths.
 *
 * The code is made of fixed text, numbered names and nothing else (see constants.ts). In it nil is `undefined`, and
 * `t0`, `t1` … hold a value between the test for nil and its use.
 */
import { assert } from '#base';
import type { Argument, Call, Comparison, Expression, Index, Operand, Quantifier } from '../../ast.ts';
import { boolType, type Type } from '../../types.ts';
import { valuesInKeyOrder, visitedDepth } from '../children.ts';
import { interpretBools, isTrueOfNil } from '../interpret.ts';
import type { RunOptions } from '../options.ts';
import { type RequestView, slotOf } from '../request-view.ts';
import { Constants } from './constants.ts';
import { Costs, isCostlyOperand, mayBeNil } from './costs.ts';
import { Keys } from './keys.ts';
import { commonSource, loweredComparison, partsOf } from './shapes.ts';
import { emitLowerEquality, emitTest } from './emit-predicate.ts';

/** Names of values within one function. */
class Scope {
  readonly #names: string[] = [];

  name(): string {
    const name = `t${this.#names.length}`;
    this.#names.push(name);
    return name;
  }

  declarations(): string {
    return this.#names.length === 0 ? '' : `let ${this.#names.join(', ')};\n`;
  }
}

const lines = (...parts: readonly string[]): string => parts.join('\n');

/** Runs for each element; gets the name it is under. */
type Body = (element: string) => string;

export class Generator {
  readonly constants = new Constants();
  readonly keys = new Keys();
  readonly #costs = new Costs();
  readonly #options: RunOptions;
  readonly #functions: string[] = [];
  readonly #occurrences = new Map<string, number>();
  /** Functions by the key of what they answer. */
  readonly #kept = new Map<string, string>();
  readonly #runs = new Map<string, unknown>();
  #keptCount = 0;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** To be called for all expressions before code is asked for: what occurs twice is computed once. */
  count(node: Expression | Operand): void {
    if (node.kind === 'operand' ? isCostlyOperand(node) : this.#costs.isCostly(node)) {
      const key = this.keys.of(node);
      this.#occurrences.set(key, (this.#occurrences.get(key) ?? 0) + 1);
    }
    for (const part of partsOf(node)) this.count(part);
  }

  /** The name of a function that answers whether a `Bool` expression is true. */
  predicate(expression: Expression): string {
    return this.#function((scope) => `return ${this.#bool(expression, scope)};`);
  }

  /** The name of a function that answers the value of an argument. */
  value(argument: Argument): string {
    return this.#function((scope) => `return ${this.#argument(argument, scope)};`);
  }

  /** The name of a function that answers the value of an operand, or all its elements if it has `[*]`. */
  subject(operand: Operand): string {
    return this.#function((scope) =>
      operand.eachCount > 0 ? this.#elements(operand, scope) : `return ${this.#value(operand, scope)};`,
    );
  }

  /**
   * Builds all functions and answers those asked for by name, and `begin`, which forgets what was kept and is to be
   * called before each request.
   */
  build(names: readonly string[]): { begin: () => void; functions: ((request: RequestView) => never)[] } {
    return this.constants.evaluate(
      lines(
        'let run = 0;',
        `const runs = new Float64Array(${this.#keptCount});`,
        `const kept = new Array(${this.#keptCount});`,
        ...this.#functions,
        `return { begin: () => { run += 1; }, functions: [${names.join()}] };`,
      ),
    ) as { begin: () => void; functions: ((request: RequestView) => never)[] };
  }

  get keepsValues(): boolean {
    return this.#keptCount > 0;
  }

  #function(emitBody: (scope: Scope) => string): string {
    const scope = new Scope();
    const body = emitBody(scope);
    const name = `f${this.#functions.length}`;
    this.#functions.push(`const ${name} = (r) => {\n${scope.declarations()}${body}\n};`);
    return name;
  }

  /** A call of a function that computes once per request, if the part occurs more than once. */
  #shared(node: Expression | Operand, scope: Scope, emit: (scope: Scope) => string): string {
    const key = this.keys.of(node);
    if ((this.#occurrences.get(key) ?? 0) < 2) return emit(scope);
    let name = this.#kept.get(key);
    if (name === undefined) {
      const slot = this.#keptCount++;
      name = this.#function((inner) => {
        const code = emit(inner);
        return lines(
          `if (runs[${slot}] === run) return kept[${slot}];`,
          `runs[${slot}] = run;`,
          `return (kept[${slot}] = ${code});`,
        );
      });
      this.#kept.set(key, name);
    }
    return `${name}(r)`;
  }

  #bool(expression: Expression, scope: Scope): string {
    if (!this.#costs.isCostly(expression)) return this.#plainBool(expression, scope);
    return this.#shared(expression, scope, (inner) => this.#plainBool(expression, inner));
  }

  #plainBool(expression: Expression, scope: Scope): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor': {
        const items = expression.items.toSorted((a, b) => this.#costs.of(a) - this.#costs.of(b));
        const operator = { and: ' && ', or: ' || ', xor: ' !== ' }[expression.kind];
        // Values are pure, so the cheap ones may go first.
        return items
          .map((item) => this.#bool(item, scope))
          .reduce((left, right) => `(${left}${operator}${right})`);
      }
      case 'not':
        return `!${this.#bool(expression.item, scope)}`;
      case 'any':
      case 'all':
        return `${this.#quantifier(expression)}(r)`;
      case 'truth':
        return `(${this.#value(expression.operand, scope)} === true)`;
      default:
        return this.#comparison(expression, scope);
    }
  }

  #comparison(comparison: Comparison, scope: Scope): string {
    const { operand, test } = comparison;
    const lowered = loweredComparison(comparison);
    if (lowered !== undefined && this.#isUsedOnce(operand)) {
      const { argument, literal } = lowered;
      const name = scope.name();
      const code = emitLowerEquality(name, literal, this.constants);
      return `((${name} = ${this.#value(argument, scope)}) !== undefined && ${code})`;
    }
    const name = scope.name();
    const value = `(${name} = ${this.#value(operand, scope)})`;
    const code = emitTest(name, test, this.constants, this.#options);
    if (!mayBeNil(operand)) return `(${value}, ${code})`;
    return isTrueOfNil(test, this.#options)
      ? `(${value} === undefined || ${code})`
      : `(${value} !== undefined && ${code})`;
  }

  #isUsedOnce(operand: Operand): boolean {
    return (this.#occurrences.get(this.keys.of(operand)) ?? 0) < 2;
  }

  /** The value of an operand without `[*]`. */
  #value(operand: Operand, scope: Scope): string {
    if (!isCostlyOperand(operand)) return this.#plainValue(operand, scope);
    return this.#shared(operand, scope, (inner) => this.#plainValue(operand, inner));
  }

  #plainValue({ root, path }: Operand, scope: Scope): string {
    let code = this.#root(root, scope);
    for (const index of path) {
      const name = scope.name();
      code = `((${name} = ${code}) === undefined ? undefined : ${name}${this.#step(index)})`;
    }
    return code;
  }

  #root(root: Operand['root'], scope: Scope): string {
    if (root.kind === 'call') return this.#call(root, scope);
    if (root.field.filledBy === 'constant') return this.constants.name(root.field.default);
    return `r.get(${slotOf(root.field)})`;
  }

  #call(call: Call, scope: Scope): string {
    if (!call.isMapped) return `${this.#run(call)}(${this.#arguments(call, call.args, scope).join(', ')})`;
    const name = this.#function((inner) => {
      const loop = this.#eachResult(call, inner, (result) => `list.push(${result});`, 'return undefined;');
      return `const list = [];\n${loop}\nreturn list;`;
    });
    return `${name}(r)`;
  }

  /** Prepared once for calls that are the same. */
  #run(call: Call): string {
    const key = this.keys.call(call);
    let run = this.#runs.get(key);
    if (run === undefined) this.#runs.set(key, (run = call.function.prepare(call.args)));
    return this.constants.name(run);
  }

  #arguments(call: Call, args: readonly Argument[], scope: Scope): string[] {
    return [
      ...args.map((argument) => this.#argument(argument, scope)),
      ...call.alsoReads.map((field) => `r.get(${slotOf(field)})`),
    ];
  }

  #argument(argument: Argument, scope: Scope): string {
    if (argument.kind === 'operand') return this.#value(argument, scope);
    if (argument.kind !== 'expression') return this.constants.name(argument.value);
    if (argument.expression.type === boolType) return this.#bool(argument.expression, scope);
    return `${this.constants.name(interpretBools(argument.expression, this.#options))}(r)`;
  }

  /** Statements that run a mapped call for each element and pass on what is not nil. */
  #eachResult(call: Call, scope: Scope, body: Body, ifNil: string): string {
    const [first, ...rest] = call.args;
    // The other arguments are the same for all elements.
    const others = this.#arguments(call, rest, scope).map((code) => ({ code, name: scope.name() }));
    const result = scope.name();
    const loop = this.#each(
      first as Operand,
      scope,
      (element) =>
        lines(
          `${result} = ${this.#run(call)}(${[element, ...others.map(({ name }) => name)].join(', ')});`,
          `if (${result} !== undefined) {`,
          body(result),
          '}',
        ),
      ifNil,
    );
    return lines(...others.map(({ code, name }) => `${name} = ${code};`), loop);
  }

  /** Statements that visit every element of an operand with `[*]`, or do `ifNil` if there is nothing to visit. */
  #each(operand: Operand, scope: Scope, body: Body, ifNil = ''): string {
    const { root, path } = operand;
    // The list a mapped call would give is visited while it comes into being.
    if (root.kind === 'call' && root.isMapped && path[0]?.kind === 'each') {
      const [, ...rest] = path;
      const elementType = (root.type as { of: Type }).of;
      const along: Body = (result) => this.#eachAlong(result, elementType, rest, scope, body);
      return this.#eachResult(root, scope, along, ifNil);
    }
    const steps = path.slice(0, visitedDepth(operand));
    const name = scope.name();
    return lines(
      `${name} = ${this.#plainValue({ ...operand, path: steps }, scope)};`,
      `if (${name} === undefined) {`,
      ifNil,
      '} else {',
      this.#eachAlong(name, typeBehind(root.type, steps), path.slice(steps.length), scope, body),
      '}',
    );
  }

  #eachAlong(value: string, type: Type, path: Operand['path'], scope: Scope, body: Body): string {
    const [index, ...rest] = path;
    if (index === undefined) return body(value);
    const of = (type as { of: Type }).of;
    const name = scope.name();
    const inner = this.#eachAlong(name, of, rest, scope, body);
    if (index.kind === 'each') {
      const list = scope.name();
      const position = scope.name();
      const children = type.kind === 'Map' ? `${this.constants.name(valuesInKeyOrder)}(${value})` : value;
      return lines(
        `${list} = ${children};`,
        `for (${position} = 0; ${position} < ${list}.length; ${position}++) {`,
        `${name} = ${list}[${position}];`,
        inner,
        '}',
      );
    }
    return lines(`${name} = ${value}${this.#step(index)};`, `if (${name} !== undefined) {`, inner, '}');
  }

  #step(index: Index): string {
    assert(index.kind !== 'each', 'an operand with [*] is visited, not read');
    return index.kind === 'key'
      ? `.get(${this.constants.name(index.key)})`
      : `[${this.constants.name(index.index)}]`;
  }

  /** A list of the elements. */
  #elements(operand: Operand, scope: Scope): string {
    return `const list = [];\n${this.#each(operand, scope, (element) => `list.push(${element});`)}\nreturn list;`;
  }

  /** The name of a function for `any` or `all`. */
  #quantifier({ kind, item }: Quantifier): string {
    const stop = kind === 'any';
    const check = (code: string): string => `if (${stop ? '' : '!'}${code}) return ${stop};`;
    if (item.kind === 'operand') {
      return this.#function((scope) => {
        const loop = this.#eachInList(
          item,
          scope,
          (element) => check(`(${element} === true)`),
          'return false;',
        );
        return `${loop}\nreturn ${!stop};`;
      });
    }
    const source = commonSource(item, this.keys);
    if (source === undefined) {
      // Lists from different places, taken position by position, are too rare for code of their own.
      const bools = this.constants.name(interpretBools(item, this.#options));
      return this.#function(() => `return ${stop ? '' : '!'}${bools}(r).includes(${stop});`);
    }
    return this.#function((scope) => {
      const lowered = item.kind === 'comparison' ? loweredComparison(item) : undefined;
      let loop: string;
      if (lowered !== undefined) {
        loop = this.#each(lowered.argument, scope, (element) =>
          check(emitLowerEquality(element, lowered.literal, this.constants)),
        );
      } else {
        const body: Body = (element) => check(this.#elementBool(item, element, scope));
        loop =
          source.eachCount > 0 ? this.#each(source, scope, body) : this.#eachInList(source, scope, body, '');
      }
      return `${loop}\nreturn ${!stop};`;
    });
  }

  /** Statements that visit a value of type `Array<Bool>`. */
  #eachInList(operand: Operand, scope: Scope, body: Body, ifNil: string): string {
    const { root, path } = operand;
    if (root.kind === 'call' && root.isMapped && path.length === 0)
      return this.#eachResult(root, scope, body, ifNil);
    const list = scope.name();
    const loop = this.#eachAlong(list, operand.type, [{ kind: 'each', span: operand.span }], scope, body);
    const value = this.#value(operand, scope);
    return lines(`${list} = ${value};`, `if (${list} === undefined) {`, ifNil, '} else {', loop, '}');
  }

  /** Of one element of the common source. */
  #elementBool(expression: Expression, element: string, scope: Scope): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor': {
        const operator = { and: ' && ', or: ' || ', xor: ' !== ' }[expression.kind];
        return expression.items
          .map((item) => this.#elementBool(item, element, scope))
          .reduce((left, right) => `(${left}${operator}${right})`);
      }
      case 'not':
        return `!${this.#elementBool(expression.item, element, scope)}`;
      case 'comparison':
        return emitTest(element, expression.test, this.constants, this.#options);
      default:
        return `(${element} === true)`;
    }
  }
}

function typeBehind(type: Type, steps: Operand['path']): Type {
  return steps.reduce((container) => (container as { of: Type }).of, type);
}
