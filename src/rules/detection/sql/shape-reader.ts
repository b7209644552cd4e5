/**
 * Parses tokens by the grammar of SQL, as far as necessary to distinguish a statement from a sentence: in an
 * expression, values and operators alternate, so two words in a row end the parsing. The properties that it collects
 * show whether the statement is harmful.
 */
import { sqlDepthMax } from '../limits.ts';
import type { SqlToken, SqlTokens } from './tokens.ts';
import {
  calculating,
  catalogueTable,
  comparing,
  constants,
  logical,
  prefixes,
  reserved,
  riskyFunctions,
  telling,
  tellingFunction,
  unmistakable,
} from './words.ts';

/** The kind of a value in a comparison. */
type Operand = 'constant' | 'name' | 'call' | 'subquery' | 'other';

export class ShapeReader {
  readonly #tokens: SqlTokens;
  #at = 0;
  #depth = 0;
  /** A comparison whose result is known without a database. */
  comparesConstants = false;
  comparesNames = false;
  /** The first function that applications do not pass. */
  risky: string | undefined;
  isUnmistakable = false;
  /** Whether a function identifies the database. */
  isTelling = false;
  calls = false;
  hasSubquery = false;
  /** `UNION SELECT` with a part that occurs in a select list and not in a sentence. */
  hasUnion = false;
  hasFrom = false;
  /** Whether the select list has more than names. */
  hasSelectList = false;
  hasCatalogue = false;
  hasVariable = false;
  writesFile = false;
  /** Logical operators before a constant that stands alone: `or 1`. */
  hasLoneConstant = false;

  constructor(tokens: SqlTokens) {
    this.#tokens = tokens;
  }

  get position(): number {
    return this.#at;
  }

  /** The end of the last parsed token. */
  get end(): number {
    return (this.#at === 0 ? undefined : this.#tokens.get(this.#at - 1))?.end ?? 0;
  }

  peek(ahead = 0): SqlToken | undefined {
    const index = this.#at + ahead;
    return index < 0 ? undefined : this.#tokens.get(index);
  }

  get isAtEnd(): boolean {
    const token = this.peek();
    return token === undefined || token.type === 'comment';
  }

  get isAtComment(): boolean {
    return this.peek()?.type === 'comment';
  }

  takeWord(...words: readonly string[]): boolean {
    const token = this.peek();
    if (token?.type !== 'word' || !words.includes(token.text)) return false;
    this.#at++;
    return true;
  }

  take(type: SqlToken['type']): boolean {
    if (this.peek()?.type !== type) return false;
    this.#at++;
    return true;
  }

  /** The operator at the current position, if there is one. */
  peekOperator(): string | undefined {
    const token = this.peek();
    if (token?.type !== 'word' && token?.type !== 'operator') return undefined;
    const { text } = token;
    if (text === 'not') {
      const next = this.peek(1);
      return next?.type === 'word' && comparing.has(next.text) ? next.text : undefined;
    }
    return logical.has(text) || comparing.has(text) || calculating.has(text) ? text : undefined;
  }

  /** Values and operators in turn. False if the tokens do not start an expression. */
  readExpression(): boolean {
    const first = this.#readOperand();
    return first !== undefined && this.readOperations(first);
  }

  /** The part after a value. The value may be outside of the text. */
  readOperations(before: Operand): boolean {
    let left = before;
    for (;;) {
      const operator = this.peekOperator();
      if (operator === undefined) return true;
      const previous = this.peek(-1);
      if (this.peek()!.text === 'not') this.#at++;
      this.#at++;
      if (operator === 'is') this.takeWord('not');
      if (operator === 'is' && this.takeWord('distinct')) this.takeWord('from');
      const start = this.#at;
      const right = this.#readOperand();
      if (right === undefined) return false;
      if (operator === 'between' && !this.#readUpperBound()) return false;
      this.#noteOperation(operator, { left, right, previous, start });
      left = comparing.has(operator)
        ? 'other'
        : logical.has(operator)
          ? right
          : left === 'constant'
            ? right
            : left;
    }
  }

  #readUpperBound(): boolean {
    return this.takeWord('and') && this.#readOperand() !== undefined;
  }

  #noteOperation(
    operator: string,
    {
      left,
      right,
      previous,
      start,
    }: { left: Operand; right: Operand; previous: SqlToken | undefined; start: number },
  ): void {
    if (logical.has(operator)) {
      if (right === 'constant' && !comparing.has(this.peekOperator() ?? '')) this.hasLoneConstant = true;
      return;
    }
    if (!comparing.has(operator)) return;
    const own = this.#tokens.get(start);
    const isSame = previous?.type === 'word' && own?.type === 'word' && previous.text === own.text;
    if ((left === 'constant' && right !== 'name') || (right === 'constant' && left === 'constant') || isSame)
      this.comparesConstants = true;
    else this.comparesNames = true;
  }

  #readOperand(): Operand | undefined {
    while (this.#isPrefix()) this.#at++;
    const token = this.peek();
    if (token === undefined) return undefined;
    switch (token.type) {
      case 'number':
        this.#at++;
        return 'constant';
      case 'string':
        // Adjacent strings are one.
        while (this.peek()?.type === 'string') this.#at++;
        // `'{}'::jsonb`
        while (this.peek()?.text === '::' && this.peek(1)?.type === 'word') this.#at += 2;
        return 'constant';
      case 'variable':
        this.#at++;
        this.hasVariable = true;
        return 'other';
      case '(':
        return this.#readParentheses();
      case 'word':
        return this.#readName(token.text);
      case 'operator':
        if (token.text !== '*') return undefined;
        this.#at++;
        return 'other';
      default:
        return undefined;
    }
  }

  #isPrefix(): boolean {
    const token = this.peek();
    return (token?.type === 'operator' || token?.type === 'word') && prefixes.has(token.text);
  }

  #readParentheses(): Operand | undefined {
    if (this.#depth >= sqlDepthMax) return undefined;
    this.#at++;
    this.#depth++;
    const inside = this.#readInside();
    this.#depth--;
    return inside;
  }

  /** A list of expressions or a query, up to the closing parenthesis; the end of the text closes all. */
  #readInside(): Operand | undefined {
    if (this.take(')')) return 'other';
    const token = this.peek();
    if (token?.type === 'word' && (token.text === 'select' || token.text === 'with')) {
      this.hasSubquery = true;
      if (!this.readSelect()) return undefined;
      return this.#close() ? 'subquery' : undefined;
    }
    const start = this.#at;
    for (;;) {
      if (!this.readExpression()) return undefined;
      if (this.takeWord('as', 'from', 'using', 'for')) {
        if (!this.readExpression()) return undefined;
        if (this.peek()?.type === 'word' && this.peek()?.text === 'for') continue;
      }
      if (this.peek()?.text === 'union' && !this.readUnion()) return undefined;
      if (!this.take(',')) break;
    }
    const isSingle = this.#at === start + 1;
    if (!this.#close()) return undefined;
    return isSingle && this.#tokens.get(start)!.type !== 'word' ? 'constant' : 'other';
  }

  #close(): boolean {
    return this.take(')') || this.isAtEnd;
  }

  #readName(text: string): Operand | undefined {
    if (text === 'case') return this.#readCase();
    if (reserved.has(text) && text !== 'values' && text !== 'set' && text !== 'end') return undefined;
    this.#at++;
    let name = text;
    while (this.peek()?.type === '.') {
      if (catalogueTable.test(name)) this.hasCatalogue = true;
      this.#at++;
      const part = this.peek();
      if (part?.type !== 'word' && part?.text !== '*') return undefined;
      name = part.text;
      this.#at++;
    }
    if (telling.has(name)) this.#noteRisky(name);
    if (this.peek()?.type !== '(') return constants.has(name) ? 'constant' : 'name';
    this.calls = true;
    const inside = this.#readParentheses();
    if (inside === undefined) return undefined;
    if (riskyFunctions.has(name)) this.#noteRisky(name);
    // `if(1=1, …)`, `substr((select …), 1, 1)`
    return name === 'if' || inside === 'subquery' ? 'subquery' : 'call';
  }

  #noteRisky(name: string): void {
    this.risky ??= name;
    if (unmistakable.test(name)) this.isUnmistakable = true;
    if (tellingFunction.test(name)) this.isTelling = true;
  }

  #readCase(): Operand | undefined {
    this.#at++;
    if (this.peek()?.text !== 'when' && !this.readExpression()) return undefined;
    let count = 0;
    while (this.takeWord('when')) {
      if (!this.readExpression() || !this.takeWord('then') || !this.readExpression()) return undefined;
      count++;
    }
    if (this.takeWord('else') && !this.readExpression()) return undefined;
    if (count === 0) return undefined;
    if (!this.takeWord('end') && !this.isAtEnd) return undefined;
    this.calls = true;
    return 'call';
  }

  /** From `union` on. */
  readUnion(): boolean {
    this.#at++;
    this.takeWord('all', 'distinct', 'distinctrow');
    let parentheses = 0;
    while (this.take('(')) parentheses++;
    if (this.peek()?.text === 'values' || this.peek()?.text === 'table') {
      this.#at++;
      const isList = this.peek()?.type === '(';
      const isWhole = this.readExpression();
      // "union table" also occurs in texts about tables of unions.
      if (isList || this.isAtComment) this.hasUnion = true;
      return isWhole;
    }
    if (this.peek()?.text !== 'select') return false;
    const isRead = this.readSelect();
    if (this.hasSelectList || this.hasFrom || this.isAtComment) this.hasUnion = true;
    while (parentheses-- > 0) this.take(')');
    return isRead;
  }

  /** From `select` on. Names may be followed by another name, with or without `as`. */
  readSelect(): boolean {
    if (this.takeWord('with')) return this.#readWith();
    if (!this.takeWord('select')) return false;
    this.takeWord('all', 'distinct', 'top', 'sql_no_cache', 'straight_join');
    for (;;) {
      const start = this.peek();
      if (start === undefined) return false;
      if (start.type !== 'word' || constants.has(start.text) || this.peek(1)?.type === '(')
        this.hasSelectList = true;
      if (!this.readExpression()) return false;
      if (this.takeWord('as')) this.#at++;
      else if (this.#isAlias()) this.#at++;
      if (!this.take(',')) break;
      this.hasSelectList = true;
    }
    if (this.takeWord('into')) return this.#readInto();
    if (this.takeWord('from') && !this.#readTables()) return false;
    return this.readTail();
  }

  #readWith(): boolean {
    while (!this.isAtEnd && this.peek()!.text !== 'select') this.#at++;
    return this.readSelect();
  }

  #isAlias(): boolean {
    const token = this.peek();
    return token?.type === 'word' && !reserved.has(token.text) && this.peekOperator() === undefined;
  }

  #readTables(): boolean {
    this.hasFrom = true;
    for (;;) {
      const token = this.peek();
      if (token?.type === '(') {
        if (this.#readParentheses() === undefined) return false;
      } else if (token?.type === 'word' && !reserved.has(token.text)) {
        if (catalogueTable.test(token.text)) this.hasCatalogue = true;
        if (this.#readName(token.text) === undefined) return false;
      } else if (token?.type === 'variable') this.#at++;
      else return false;
      if (this.takeWord('as')) this.#at++;
      else if (this.#isAlias()) this.#at++;
      if (this.takeWord('on') && !this.readExpression()) return false;
      if (this.take(',') || this.#takeJoin()) continue;
      return true;
    }
  }

  #takeJoin(): boolean {
    while (this.takeWord('left', 'right', 'inner', 'outer', 'cross', 'full', 'natural'));
    return this.takeWord('join');
  }

  #readInto(): boolean {
    if (!this.takeWord('outfile', 'dumpfile')) return this.#readTables() && this.readTail();
    this.writesFile = this.peek()?.type === 'string' || this.peek()?.type === 'number' || this.isAtEnd;
    this.#at++;
    return true;
  }

  /** The clauses after the tables, or after the condition that the text was inserted into. */
  readTail(): boolean {
    for (;;) {
      const token = this.peek();
      if (token?.type !== 'word') return true;
      switch (token.text) {
        case 'where':
        case 'having':
          this.#at++;
          if (!this.readExpression()) return false;
          break;
        case 'order':
        case 'group':
          this.#at++;
          if (!this.takeWord('by') || !this.#readList()) return false;
          break;
        case 'limit':
        case 'offset':
          this.#at++;
          if (!this.#readList()) return false;
          break;
        case 'union':
        case 'intersect':
        case 'except':
        case 'minus':
          if (!this.readUnion()) return false;
          break;
        case 'procedure':
          this.#at++;
          if (!this.takeWord('analyse')) return false;
          this.#noteRisky('procedure_analyse');
          return this.#readParentheses() !== undefined;
        case 'into':
          this.#at++;
          if (!this.#readInto()) return false;
          break;
        case 'for':
          this.#at++;
          if (!this.takeWord('update', 'xml', 'json')) return false;
          this.takeWord('path', 'auto', 'raw');
          this.#readParenthesesIfAny();
          break;
        default:
          return true;
      }
    }
  }

  #readParenthesesIfAny(): void {
    if (this.peek()?.type === '(') this.#readParentheses();
  }

  #readList(): boolean {
    do {
      if (!this.readExpression()) return false;
      this.takeWord('asc', 'desc', 'rows', 'row');
    } while (this.take(','));
    return true;
  }
}
