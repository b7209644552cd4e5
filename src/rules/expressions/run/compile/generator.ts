/**
 * Generates JavaScript from expressions. A generator collects the code of one program, which may contain a single
 * expression or those of a whole list: every function in it takes the request `r`, costly parts that occur more than
 * once cache their value until the next request, and `[*]` becomes a loop without a list of Bools.
 *
 * The code consists of fixed text and numbered names only (see constants.ts). In it nil is `undefined`, and `t0`, `t1`
 * … hold a value between the nil check and its use.
 */
import { assert } from '#base';
import { spendSteps } from '#work';
import type { Argument, Call, Comparison, Expression, Index, Operand, Quantifier } from '../../ast.ts';
import { boolType, type Type } from '../../types.ts';
import { listByKey, getVisitedDepth } from '../children.ts';
import { chargeCall } from '../charges.ts';
import { interpretBools, isTrueOfNil } from '../interpret.ts';
import type { RunOptions } from '../options.ts';
import { type RequestView, getSlot } from '../request-view.ts';
import type { Constants } from './constants.ts';
import { Costs, isCostlyOperand, mayBeNil } from './costs.ts';
import { Keys } from './keys.ts';
import { type BuiltFunction, joinLines, ProgramParts } from './program-parts.ts';
import { findCommonSource, getTypeBehind, matchLoweredComparison, listParts } from './shapes.ts';
import { emitLowerEquality, emitPredicate } from './emit-predicate.ts';

/** Names of values within one function. */
class NameScope {
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

/** Runs for each element; receives the name of the element. */
type LoopBody = (element: string) => string;

/** Functions of another program, by the keys of the operands whose values they return. */
export type GivenValues = ReadonlyMap<string, (request: RequestView) => unknown>;

export interface GeneratorParts {
  /** Must be the object that created the keys of the given values. */
  readonly keys?: Keys;
  readonly given?: GivenValues;
}

export class Generator {
  readonly keys: Keys;
  readonly #costs = new Costs();
  readonly #options: RunOptions;
  readonly #given: GivenValues;
  readonly #program = new ProgramParts();
  readonly #occurrences = new Map<string, number>();
  readonly #runs = new Map<string, unknown>();

  constructor(options: RunOptions, { keys = new Keys(), given = new Map() }: GeneratorParts = {}) {
    this.#options = options;
    this.keys = keys;
    this.#given = given;
  }

  /** Must be called for all expressions before code is generated: what occurs twice is computed once. */
  count(node: Expression | Operand): void {
    if (node.kind === 'operand' ? isCostlyOperand(node) : this.#costs.isCostly(node)) {
      const key = this.keys.get(node);
      this.#occurrences.set(key, (this.#occurrences.get(key) ?? 0) + 1);
    }
    for (const part of listParts(node)) this.count(part);
  }

  /** Defines a function that returns whether a `Bool` expression is true, and returns its name. */
  definePredicate(expression: Expression): string {
    return this.#emitFunction((scope) => `return ${this.#emitBool(expression, scope)};`);
  }

  /** Defines a function that returns the value of an argument, and returns its name. */
  defineArgument(argument: Argument): string {
    return this.#emitFunction((scope) => `return ${this.#emitArgument(argument, scope)};`);
  }

  /** Defines a function that returns the value of an operand, or all its elements if it has `[*]`, and returns its name. */
  defineSubject(operand: Operand): string {
    return this.#emitFunction((scope) =>
      operand.eachCount > 0
        ? this.#emitElements(operand, scope)
        : `return ${this.#emitValue(operand, scope)};`,
    );
  }

  /**
   * Builds the functions defined so far, if their code is long; called between definitions. Returns its length in
   * characters.
   */
  buildPart(): number {
    return this.#program.buildPart();
  }

  /**
   * Builds all functions and returns those with the given names, and `begin`, which clears cached values and must be
   * called before each request.
   */
  build(names: readonly string[]): { begin: () => void; functions: BuiltFunction[] } {
    return this.#program.build(names);
  }

  get constants(): Constants {
    return this.#program.constants;
  }

  get keepsValues(): boolean {
    return this.#program.keepsValues;
  }

  #emitFunction(emitBody: (scope: NameScope) => string): string {
    const scope = new NameScope();
    const body = emitBody(scope);
    return this.#program.add(`${scope.declarations()}${body}`);
  }

  /** Calls a function that computes once per request, if the part occurs more than once. */
  #emitShared(node: Expression | Operand, scope: NameScope, emit: (scope: NameScope) => string): string {
    const key = this.keys.get(node);
    const given = this.#given.get(key);
    if (given !== undefined) return `${this.constants.name(given)}(r)`;
    if ((this.#occurrences.get(key) ?? 0) < 2) return emit(scope);
    return this.#program.callKept(key, (keep) => this.#emitFunction((inner) => keep(emit(inner))));
  }

  #emitBool(expression: Expression, scope: NameScope): string {
    if (!this.#costs.isCostly(expression)) return this.#emitPlainBool(expression, scope);
    return this.#emitShared(expression, scope, (inner) => this.#emitPlainBool(expression, inner));
  }

  #emitPlainBool(expression: Expression, scope: NameScope): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor': {
        const items = expression.items.toSorted((a, b) => this.#costs.get(a) - this.#costs.get(b));
        const operator = { and: ' && ', or: ' || ', xor: ' !== ' }[expression.kind];
        // Values are pure, so the cheap ones may go first.
        return items
          .map((item) => this.#emitBool(item, scope))
          .reduce((left, right) => `(${left}${operator}${right})`);
      }
      case 'not':
        return `!${this.#emitBool(expression.item, scope)}`;
      case 'any':
      case 'all':
        return `${this.#emitQuantifier(expression)}(r)`;
      case 'truth':
        return `(${this.#emitValue(expression.operand, scope)} === true)`;
      default:
        return this.#emitComparison(expression, scope);
    }
  }

  #emitComparison(comparison: Comparison, scope: NameScope): string {
    const { operand, predicate } = comparison;
    const lowered = matchLoweredComparison(comparison);
    if (lowered !== undefined && this.#isUsedOnce(operand)) {
      const { argument, literal } = lowered;
      const name = scope.name();
      const code = emitLowerEquality(name, literal, this.constants);
      return `((${name} = ${this.#emitValue(argument, scope)}) !== undefined && ${code})`;
    }
    const name = scope.name();
    const value = `(${name} = ${this.#emitValue(operand, scope)})`;
    const code = emitPredicate(name, predicate, this.constants, this.#options);
    if (!mayBeNil(operand)) return `(${value}, ${code})`;
    return isTrueOfNil(predicate, this.#options)
      ? `(${value} === undefined || ${code})`
      : `(${value} !== undefined && ${code})`;
  }

  #isUsedOnce(operand: Operand): boolean {
    return (this.#occurrences.get(this.keys.get(operand)) ?? 0) < 2;
  }

  /** The value of an operand without `[*]`. */
  #emitValue(operand: Operand, scope: NameScope): string {
    if (!isCostlyOperand(operand)) return this.#emitPlainValue(operand, scope);
    return this.#emitShared(operand, scope, (inner) => this.#emitPlainValue(operand, inner));
  }

  #emitPlainValue({ root, path }: Operand, scope: NameScope): string {
    let code = this.#emitRoot(root, scope);
    for (const index of path) {
      const name = scope.name();
      code = `((${name} = ${code}) === undefined ? undefined : ${name}${this.#emitStep(index)})`;
    }
    return code;
  }

  #emitRoot(root: Operand['root'], scope: NameScope): string {
    if (root.kind === 'call') return this.#emitCall(root, scope);
    if (root.field.filledBy === 'constant') return this.constants.name(root.field.default);
    return `r.get(${getSlot(root.field)})`;
  }

  #emitCall(call: Call, scope: NameScope): string {
    if (!call.isMapped) return this.#emitCharged(call, this.#emitArguments(call, call.args, scope));
    const name = this.#emitFunction((inner) => {
      const loop = this.#emitEachResult(
        call,
        inner,
        (result) => `list.push(${result});`,
        'return undefined;',
      );
      return `const list = [];\n${loop}\nreturn list;`;
    });
    return `${name}(r)`;
  }

  /** Charges for the first argument, which functions read; other arguments can make the result longer. */
  #emitCharged(call: Call, args: readonly string[]): string {
    const charge = this.constants.name(chargeCall);
    const [first, ...others] = args;
    const given = first === undefined ? [] : [`${charge}(${first})`, ...others];
    const code = `${this.#prepareCall(call)}(${given.join(', ')})`;
    return args.length > 1 ? `${charge}(${code})` : code;
  }

  /** Equal calls are prepared once. */
  #prepareCall(call: Call): string {
    const key = this.keys.call(call);
    let run = this.#runs.get(key);
    if (run === undefined) this.#runs.set(key, (run = call.function.prepare(call.args)));
    return this.constants.name(run);
  }

  #emitArguments(call: Call, args: readonly Argument[], scope: NameScope): string[] {
    return [
      ...args.map((argument) => this.#emitArgument(argument, scope)),
      ...call.alsoReads.map((field) => `r.get(${getSlot(field)})`),
    ];
  }

  #emitArgument(argument: Argument, scope: NameScope): string {
    if (argument.kind === 'operand') return this.#emitValue(argument, scope);
    if (argument.kind !== 'expression') return this.constants.name(argument.value);
    if (argument.expression.type === boolType) return this.#emitBool(argument.expression, scope);
    return `${this.constants.name(interpretBools(argument.expression, this.#options))}(r)`;
  }

  /** Statements that run a mapped call for each element and pass on non-nil results. */
  #emitEachResult(call: Call, scope: NameScope, body: LoopBody, ifNil: string): string {
    const [first, ...rest] = call.args;
    // The other arguments are the same for all elements.
    const others = this.#emitArguments(call, rest, scope).map((code) => ({ code, name: scope.name() }));
    const result = scope.name();
    const loop = this.#emitEach(
      first as Operand,
      scope,
      (element) =>
        joinLines(
          `${result} = ${this.#emitCharged(call, [element, ...others.map(({ name }) => name)])};`,
          `if (${result} !== undefined) {`,
          body(result),
          '}',
        ),
      ifNil,
    );
    return joinLines(...others.map(({ code, name }) => `${name} = ${code};`), loop);
  }

  /** Statements that visit every element of an operand with `[*]`, or run `ifNil` if there is nothing to visit. */
  #emitEach(operand: Operand, scope: NameScope, body: LoopBody, ifNil = ''): string {
    const { root, path } = operand;
    // The list that a mapped call would return is visited while it is computed.
    if (root.kind === 'call' && root.isMapped && path[0]?.kind === 'each') {
      const [, ...rest] = path;
      const elementType = (root.type as { of: Type }).of;
      const along: LoopBody = (result) => this.#emitEachAlong(result, elementType, rest, scope, body);
      return this.#emitEachResult(root, scope, along, ifNil);
    }
    const steps = path.slice(0, getVisitedDepth(operand));
    const name = scope.name();
    return joinLines(
      `${name} = ${this.#emitPlainValue({ ...operand, path: steps }, scope)};`,
      `if (${name} === undefined) {`,
      ifNil,
      '} else {',
      this.#emitEachAlong(name, getTypeBehind(root.type, steps), path.slice(steps.length), scope, body),
      '}',
    );
  }

  #emitEachAlong(value: string, type: Type, path: Operand['path'], scope: NameScope, body: LoopBody): string {
    const [index, ...rest] = path;
    if (index === undefined) return body(value);
    const of = (type as { of: Type }).of;
    const name = scope.name();
    const inner = this.#emitEachAlong(name, of, rest, scope, body);
    if (index.kind === 'each') {
      const list = scope.name();
      const position = scope.name();
      const children = type.kind === 'Map' ? `${this.constants.name(listByKey)}(${value})` : value;
      return joinLines(
        `${list} = ${children};`,
        `${this.constants.name(spendSteps)}(${list}.length);`,
        `for (${position} = 0; ${position} < ${list}.length; ${position}++) {`,
        `${name} = ${list}[${position}];`,
        inner,
        '}',
      );
    }
    return joinLines(
      `${name} = ${value}${this.#emitStep(index)};`,
      `if (${name} !== undefined) {`,
      inner,
      '}',
    );
  }

  #emitStep(index: Index): string {
    assert(index.kind !== 'each', 'an operand with [*] is visited, not read');
    return index.kind === 'key'
      ? `.get(${this.constants.name(index.key)})`
      : `[${this.constants.name(index.index)}]`;
  }

  /** A list of the elements. */
  #emitElements(operand: Operand, scope: NameScope): string {
    return `const list = [];\n${this.#emitEach(operand, scope, (element) => `list.push(${element});`)}\nreturn list;`;
  }

  /** The name of a function for `any` or `all`. */
  #emitQuantifier({ kind, item }: Quantifier): string {
    const stop = kind === 'any';
    const check = (code: string): string => `if (${stop ? '' : '!'}${code}) return ${stop};`;
    if (item.kind === 'operand') {
      return this.#emitFunction((scope) => {
        const loop = this.#emitEachInList(
          item,
          scope,
          (element) => check(`(${element} === true)`),
          'return false;',
        );
        return `${loop}\nreturn ${!stop};`;
      });
    }
    const source = findCommonSource(item, this.keys);
    if (source === undefined) {
      // Lists from different sources, combined position by position, are too rare for generated code.
      const bools = this.constants.name(interpretBools(item, this.#options));
      return this.#emitFunction(() => `return ${stop ? '' : '!'}${bools}(r).includes(${stop});`);
    }
    return this.#emitFunction((scope) => {
      const lowered = item.kind === 'comparison' ? matchLoweredComparison(item) : undefined;
      let loop: string;
      if (lowered !== undefined) {
        loop = this.#emitEach(lowered.argument, scope, (element) =>
          check(emitLowerEquality(element, lowered.literal, this.constants)),
        );
      } else {
        const body: LoopBody = (element) => check(this.#emitElementBool(item, element, scope));
        loop =
          source.eachCount > 0
            ? this.#emitEach(source, scope, body)
            : this.#emitEachInList(source, scope, body, '');
      }
      return `${loop}\nreturn ${!stop};`;
    });
  }

  /** Statements that visit a value of type `Array<Bool>`. */
  #emitEachInList(operand: Operand, scope: NameScope, body: LoopBody, ifNil: string): string {
    const { root, path } = operand;
    if (root.kind === 'call' && root.isMapped && path.length === 0)
      return this.#emitEachResult(root, scope, body, ifNil);
    const list = scope.name();
    const loop = this.#emitEachAlong(list, operand.type, [{ kind: 'each', span: operand.span }], scope, body);
    const value = this.#emitValue(operand, scope);
    return joinLines(`${list} = ${value};`, `if (${list} === undefined) {`, ifNil, '} else {', loop, '}');
  }

  /** The value of the expression for one element of the common source. */
  #emitElementBool(expression: Expression, element: string, scope: NameScope): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor': {
        const operator = { and: ' && ', or: ' || ', xor: ' !== ' }[expression.kind];
        return expression.items
          .map((item) => this.#emitElementBool(item, element, scope))
          .reduce((left, right) => `(${left}${operator}${right})`);
      }
      case 'not':
        return `!${this.#emitElementBool(expression.item, element, scope)}`;
      case 'comparison':
        return emitPredicate(element, expression.predicate, this.constants, this.#options);
      default:
        return `(${element} === true)`;
    }
  }
}
